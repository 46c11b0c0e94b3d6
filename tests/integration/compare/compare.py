# SPDX-License-Identifier: Apache-2.0
"""The list of sequences, their runs on both sides, and what differs between the two records."""

import re
import traceback
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from kraw import Cluster
from script import Script

AT_ONCE = 16  # sequences; most of their time is waiting


@dataclass
class Differs:
    """A difference that is meant, or a gap that is known; where is a regular expression over the path in the record.

    One that is meant must show; one with always=False comes with time or load, and a gap may close.
    """

    where: str
    why: str
    always: bool = True


@dataclass
class Sequence:
    name: str
    run: object
    differs: list = field(default_factory=list)


# Everywhere: a text where Kafka sends none tells the user more.
SAYS_WHY = Differs(r"message$", "Kafka sends no text here, sluice says what was wrong")

SEQUENCES = {}


def sequence(*differs):
    """Registers a function of one Script; differs are the deviations that it states."""

    def register(function):
        name = function.__name__.replace("_", "-")
        assert name not in SEQUENCES, f"two sequences are named {name}"
        SEQUENCES[name] = Sequence(name, function, list(differs))
        return function

    return register


def differences(native, sluice, path=""):
    """[(path, native value, sluice value)] of all fields that differ."""
    if isinstance(native, dict) and isinstance(sluice, dict):
        found = []
        for key in [*native, *(k for k in sluice if k not in native)]:
            found += differences(native.get(key, "(no such field)"), sluice.get(key, "(no such field)"), f"{path}.{key}")
        return found
    if isinstance(native, list) and isinstance(sluice, list) and len(native) == len(sluice):
        return [one for i, (n, s) in enumerate(zip(native, sluice, strict=True)) for one in differences(n, s, f"{path}[{i}]")]
    return [] if native == sluice else [(path, native, sluice)]


def compare(native, sluice):
    """Both are lists of (label, value), of the same script: another label or count is a difference too."""
    found = []
    for i in range(max(len(native), len(sluice))):
        n = native[i] if i < len(native) else ("(ended)", None)
        s = sluice[i] if i < len(sluice) else ("(ended)", None)
        found += [(n[0] + " / " + s[0], n[1], s[1])] if n[0] != s[0] else differences(n[1], s[1], n[0])
    return found


@dataclass
class Outcome:
    native: list
    sluice: list
    found: list  # [(path, native, sluice)] not stated
    stated: list  # [(path, native, sluice, Differs)]
    stale: list  # Differs that did not show


def judge(sequence, native, sluice):
    found, stated = [], []
    for path, n, s in compare(native, sluice):
        for one in sequence.differs:
            if re.search(one.where, path):
                stated.append((path, n, s, one))
                break
        else:
            if n is None and isinstance(s, str) and re.search(SAYS_WHY.where, path):
                stated.append((path, n, s, SAYS_WHY))
            else:
                found.append((path, n, s))
    seen = {id(one) for *_, one in stated}
    stale = [d for d in sequence.differs if d.always and not d.why.startswith("gap: ") and id(d) not in seen]
    return Outcome(native, sluice, found, stated, stale)


class Comparison:
    """Runs sequences on two sides at once, many at a time; a sequence's outcome is waited for when it is asked for."""

    def __init__(self, native, sluice, names):
        self.native, self.sluice = native, sluice
        self.scripts = ThreadPoolExecutor(AT_ONCE, "sequence")
        self.sides = ThreadPoolExecutor(2 * AT_ONCE, "side")
        self.futures = {name: self.scripts.submit(self._both, SEQUENCES[name]) for name in names}

    def again(self, name):
        """The sequence anew, under another name: topics and groups of the first run are still there."""
        return self._both(SEQUENCES[name], name + "-2")

    def _both(self, sequence, name=None):
        runs = [self.sides.submit(self._one, side, sequence, name or sequence.name) for side in (self.native, self.sluice)]
        return judge(sequence, *[run.result() for run in runs])

    @staticmethod
    def _one(side, sequence, name):
        script = Script(side, name, Cluster(f"127.0.0.1:{next(iter(side.ports.values()))}"))
        try:
            sequence.run(script)
        except Exception:  # what was recorded until then tells more than the exception alone
            script.records.append((f"failed on {side.label}", traceback.format_exc()))
        finally:
            script.close()
        return script.records

    def close(self):
        self.scripts.shutdown(cancel_futures=True)
        self.sides.shutdown()
