# SPDX-License-Identifier: Apache-2.0
"""The same scripted requests get the same answers from sluice as from a native Kafka with share groups, field by field."""

import sequences_acquire  # noqa: F401
import sequences_admin  # noqa: F401
import sequences_group  # noqa: F401
import sequences_log  # noqa: F401
import sequences_others  # noqa: F401
import sequences_session  # noqa: F401
import pytest
from compare import SEQUENCES, compare

pytestmark = pytest.mark.sluice_only


def text(found):
    return "\n".join(f"  {path}\n    native: {native!s:.1500}\n    sluice: {sluice!s:.1500}" for path, native, sluice, *_ in found)


def what_is_wrong(outcome):
    """None, or a text."""
    failed = [f"{label}: {value}" for side in (outcome.native, outcome.sluice) for label, value in side if "failed on" in label]
    wrong = "\n".join(failed)
    if outcome.found:
        wrong += f"\n{len(outcome.found)} fields differ:\n{text(outcome.found)}"
    for one in outcome.stale:
        wrong += f"\nthe stated difference did not show: {one.where} ({one.why})"
    if not outcome.native:
        wrong += "\nnothing was recorded"
    return wrong


@pytest.mark.parametrize("name", SEQUENCES)
def test_same_answers(comparison, name):
    outcome = comparison.futures[name].result(180)
    wrong = what_is_wrong(outcome)
    if wrong:
        print(f"first run: {wrong}")
        outcome = comparison.again(name)
        wrong = what_is_wrong(outcome)
    for path, native, sluice, one in outcome.stated:
        print(f"stated: {path}: native {native!s:.200}, sluice {sluice!s:.200}: {one.why}")
    assert not wrong, f"{name}:\n{wrong}"


def test_every_field_is_compared():
    """The comparison itself: a difference anywhere in an answer is found."""
    left = [("0 a", {"error": 0, "topics": [{"topic": "t", "partitions": [{"index": 0, "acquired": []}]}]})]
    right = [("0 a", {"error": 0, "topics": [{"topic": "t", "partitions": [{"index": 0, "acquired": [1]}]}]})]
    assert compare(left, left) == []
    assert compare(left, right) == [("0 a.topics[0].partitions[0].acquired", [], [1])]
    assert compare(left, [*left, ("1 b", {})]) == [("(ended) / 1 b", None, {})]
