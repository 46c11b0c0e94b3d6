# SPDX-License-Identifier: Apache-2.0
"""What the integration tests run: Kafka clusters, sluice, client programs and tools, each as an object."""

import json
import os
import random
import re
import shutil
import signal
import socket
import subprocess
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path

TOOLS = Path(__file__).resolve().parent.parent / "tools"
NATIVE_VERSION = "4.4.0"
BACKING_VERSION = "4.0.0"
CLIENTS = ("java", "go", "python")

# Short intervals, so that a test of a lock or a heartbeat does not take half a minute. Kafka and sluice name them alike.
SHARE_OPTIONS = {
    "group.share.heartbeat.interval.ms": "1000",
    "group.share.min.heartbeat.interval.ms": "500",
    "group.share.min.record.lock.duration.ms": "1000",
}

# What a sanitizer build prints, or an invariant of our own that does not hold.
REPORT = re.compile(r"AddressSanitizer|LeakSanitizer|UndefinedBehaviorSanitizer|runtime error:|sl_assert|assertion", re.I)


class Deadline(AssertionError):
    """Something expected did not happen in time."""


class PromiseBroken(AssertionError):
    """Records lost, confirmed ones delivered again, a crash, a sanitizer's report: once is too often, no second try."""


def promise(holds, what):
    if not holds:
        raise PromiseBroken(what() if callable(what) else what)


def wait_until(condition, seconds, what, every=0.05):
    """Calls condition until it returns something true, which is returned; a Deadline says what was waited for."""
    end = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > end:
            raise Deadline(f"not within {seconds} s: {what() if callable(what) else what}")
        time.sleep(every)


def holds_for(condition, seconds, what):
    """Asserts that condition stays true for so long: for things that must not happen."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        assert condition(), what() if callable(what) else what
        time.sleep(0.05)


class Ports:
    """Blocks of neighbouring free ports below the range from which the system takes ports for outgoing connections."""

    def __init__(self):
        first, _, last = os.environ.get("SLUICE_TEST_PORTS", "20000-31999").partition("-")
        self.first, self.last = int(first), int(last)
        # Workers of pytest-xdist keep out of each other's way.
        workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
        worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0")[2:])
        share = (self.last - self.first) // workers
        self.first += worker * share
        self.last = self.first + share - 1
        self.next = random.randrange(self.first, self.last - 200)

    def block(self, count):
        for _ in range(2000):
            if self.next + count > self.last:
                self.next = self.first
            start = self.next
            self.next += count
            if all(self._free(port) for port in range(start, start + count)):
                return start
        raise AssertionError(f"no {count} neighbouring free ports between {self.first} and {self.last}")

    @staticmethod
    def _free(port):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                return False
            return True


def run(args, timeout=60, check=True, **options):
    """Runs a program to its end and returns its result with stdout and stderr as text."""
    result = subprocess.run([str(a) for a in args], capture_output=True, text=True, timeout=timeout, **options)
    if check:
        assert result.returncode == 0, f"{args} ended with {result.returncode}\n{result.stdout}\n{result.stderr}"
    return result


class Kafka:
    """A throw-away cluster, started by tests/tools/kafka-broker."""

    def __init__(self, directory, ports, version=BACKING_VERSION, brokers=1, first_id=1, host="127.0.0.1", props=None):
        self.dir = Path(directory)
        self.port = ports.block(2 * brokers)
        self.version = version
        self.ids = list(range(first_id, first_id + brokers))
        self.options = ["--version", version, "--port", self.port, "--brokers", brokers, "--first-id", first_id]
        self.options += ["--host", host]
        for key, value in (props or {}).items():
            self.options += ["--prop", f"{key}={value}"]
        self.bootstrap = ",".join(f"127.0.0.1:{self.port + i}" for i in range(brokers))

    def start(self):
        run([TOOLS / "kafka-broker", "start", "--dir", self.dir, *self.options], timeout=400)
        return self

    def stop(self):
        run([TOOLS / "kafka-broker", "stop", "--dir", self.dir], timeout=60)

    def stop_node(self, node, kill=False):
        run([TOOLS / "kafka-broker", "stop-node", "--dir", self.dir, "--node", node, *(["--kill"] if kill else [])])

    def start_node(self, node):
        run([TOOLS / "kafka-broker", "start-node", "--dir", self.dir, "--node", node], timeout=200)

    def pid(self, node):
        return int(run([TOOLS / "kafka-broker", "pid", "--dir", self.dir, "--node", node]).stdout)

    def port_of(self, node):
        return self.port + node - self.ids[0]

    def log(self, node):
        return (self.dir / f"node-{node}" / "kafka.log").read_text(errors="replace")


class Native:
    """A Kafka that has share groups itself, in the place of sluice, to prove the tests. Broker N is at its own port."""

    native = True

    def __init__(self, kafka):
        self.kafka = kafka
        self.bootstrap = kafka.bootstrap
        self.port = kafka.port

    def broker_port(self, node):
        return self.kafka.port_of(node)

    def kill9(self):
        for node in self.kafka.ids:
            self.kafka.stop_node(node, kill=True)

    def restart(self):
        for node in self.kafka.ids:
            self.kafka.start_node(node)


class Sluice:
    """One sluice in front of a cluster. Broker N is at broker_port(N)."""

    native = False

    def __init__(self, binary, directory, ports, upstream, broker_count=4, environment=None, protocol="PLAINTEXT", **options):
        self.binary = binary
        self.dir = Path(directory)
        self.dir.mkdir(parents=True, exist_ok=True)
        self.port = ports.block(broker_count + 2)
        self.admin_port = self.port + broker_count + 1
        self.bootstrap = f"127.0.0.1:{self.port}"
        self.log_file = self.dir / "sluice.log"
        self.process = None
        self.expected_exit = 0
        self.environment = environment or {}
        self.config = {
            "bootstrap.servers": upstream,
            "listeners": f"{protocol}://127.0.0.1:{self.port}",
            "broker.port.base": str(self.port + 1),
            "broker.port.count": str(broker_count),
            "admin.listener": f"HTTP://127.0.0.1:{self.admin_port}",
            "shutdown.timeout.ms": "5000",
            **SHARE_OPTIONS,
            **{key.replace("_", "."): str(value) for key, value in options.items()},
        }

    def broker_port(self, node):
        return self.port + 1 + node

    def start(self, ready=20):
        """Starts it and waits until it is ready; ready=0 does not wait."""
        config = self.dir / "sluice.conf"
        config.write_text("".join(f"{key}={value}\n" for key, value in self.config.items()))
        environment = dict(os.environ)
        environment.setdefault("ASAN_OPTIONS", "detect_leaks=1:exitcode=99:disable_coredump=0")
        environment.setdefault("UBSAN_OPTIONS", "print_stacktrace=1:halt_on_error=1:exitcode=99")
        environment.update(self.environment)
        with self.log_file.open("ab") as log:
            self.process = subprocess.Popen(
                [self.binary, "-c", str(config)], stdout=log, stderr=log, stdin=subprocess.DEVNULL, env=environment
            )
        if ready:
            self.wait_ready(ready)
        return self

    def wait_ready(self, seconds):
        def ready():
            promise(self.process.poll() is None, lambda: f"sluice ended with {self.process.returncode}:\n{self.log()[-4000:]}")
            return self.http("/readyz")[0] == 200

        wait_until(ready, seconds, lambda: f"sluice ready; {self.http('/readyz')}; its log:\n{self.log()[-4000:]}")

    def http(self, path, method="GET"):
        """Status and text of an admin page; status 0 when it cannot be reached."""
        request = urllib.request.Request(f"http://127.0.0.1:{self.admin_port}{path}", method=method)
        try:
            with urllib.request.urlopen(request, timeout=5) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()
        except OSError as error:
            return 0, str(error)

    def metrics(self):
        """The Prometheus page as a dict: name with labels -> number."""
        status, text = self.http("/metrics")
        assert status == 200, f"/metrics answered {status}: {text}"
        values = {}
        for line in text.splitlines():
            if line and not line.startswith("#"):
                name, _, value = line.rpartition(" ")
                values[name] = float(value)
        return values

    def log(self):
        return self.log_file.read_text(errors="replace") if self.log_file.exists() else ""

    def rss_kib(self):
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+)", status).group(1))

    def alive(self):
        return self.process is not None and self.process.poll() is None

    def kill9(self):
        self.process.kill()
        self.process.wait(10)
        self.process = None

    def restart(self):
        self.start()

    def terminate(self, seconds=15):
        """SIGTERM; returns the exit status (negative: the signal that ended it)."""
        self.process.send_signal(signal.SIGTERM)
        try:
            status = self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait(10)
            raise Deadline(f"sluice did not end within {seconds} s of SIGTERM; its log:\n{self.log()[-4000:]}") from None
        finally:
            self.process = None
        return status

    def finish(self):
        """Ends it, if it still runs, and checks how it ended and what it printed."""
        if self.process is not None:
            status = self.process.poll()
            if status is None:
                status = self.terminate()
            self.process = None
            promise(status == self.expected_exit, lambda: f"sluice ended with {status}; its log:\n{self.log()[-6000:]}")
        found = REPORT.search(self.log())
        promise(not found, lambda: f"a report in sluice's log:\n{self.log()[max(0, found.start() - 200) : found.start() + 6000]}")


class ShareClient:
    """One of the three share client programs at work; its lines are read as they come. nice: lets others go first."""

    def __init__(self, client, bootstrap, group, topic, directory, nice=0, **options):
        self.client = client
        self.group = group
        self.events = []
        self.lock = threading.Lock()
        self.confirmed = set()
        self.delivered = set()
        args = ["nice", "-n", nice, TOOLS / "share-client", client, "--bootstrap", bootstrap, "--group", group, "--topic", topic]
        for key, value in {"idle_ms": 120000, **options}.items():
            args += ["--" + key.replace("_", "-"), value]
        self.err_file = Path(directory) / f"{client}-{group}-{len(list(Path(directory).iterdir()))}.err"
        with self.err_file.open("wb") as err:
            self.process = subprocess.Popen([str(a) for a in args], stdout=subprocess.PIPE, stderr=err, text=True)
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self):
        for line in self.process.stdout:
            if not line.startswith("{"):
                continue  # libraries write warnings where they like
            event = json.loads(line)
            event["at"] = time.monotonic()
            event["program"] = self.err_file.stem
            with self.lock:
                self.events.append(event)
                if event["event"] == "record":
                    self.delivered.add((event["partition"], event["offset"]))
                elif is_confirmation(event):
                    self.confirmed.add((event["partition"], event["offset"]))

    def _of(self, kind):
        with self.lock:
            return [event for event in self.events if event["event"] == kind]

    @property
    def records(self):
        return self._of("record")

    @property
    def acked(self):
        return self._of("acked")

    @property
    def errors(self):
        return self._of("error")

    def snapshot(self, first=0):
        with self.lock:
            return self.events[first:]

    def __str__(self):
        last = self.err_file.read_text(errors="replace")[-1500:]
        return (
            f"{self.client} in {self.group}: {len(self.records)} deliveries of {len(self.delivered)} records, "
            f"{len(self.confirmed)} confirmed, errors {self.errors[:5]}, exit {self.process.poll()}, stderr: {last}"
        )

    def wait_for(self, condition, seconds, what):
        def done():
            if condition(self):
                return True
            assert self.process.poll() is None or self.reader.is_alive() or condition(self), f"ended early, {what}: {self}"
            return False

        wait_until(done, seconds, lambda: f"{what}: {self}")

    def wait_records(self, count, seconds=30):
        self.wait_for(lambda c: len(c.delivered) >= count, seconds, f"{count} records delivered")

    def wait_confirmed(self, count, seconds=30):
        self.wait_for(lambda c: len(c.confirmed) >= count, seconds, f"{count} records confirmed")

    def wait_quiet(self, quiet, seconds):
        """Until for so long no record came."""
        state = {"seen": -1, "since": 0.0}

        def is_quiet():
            now, seen = time.monotonic(), len(self.records)
            if seen != state["seen"]:
                state.update(seen=seen, since=now)
            return now - state["since"] >= quiet

        wait_until(is_quiet, seconds, lambda: f"no new deliveries for {quiet} s: {self}")

    def stop(self, seconds=45):
        """SIGTERM, and a good end is expected."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise Deadline(f"the client did not end within {seconds} s: {self}") from None
        self.reader.join(10)
        assert self.process.returncode == 0, f"the client ended badly: {self}"
        return self

    def kill(self):
        self.process.kill()
        self.process.wait(10)
        self.reader.join(10)


class ShareClients:
    """Starts client programs and sees to it that none outlives its test."""

    def __init__(self, directory):
        self.dir = Path(directory)
        self.dir.mkdir(parents=True, exist_ok=True)
        self.started = []

    def start(self, client, bootstrap, group, topic, **options):
        program = ShareClient(client, bootstrap, group, topic, self.dir, **options)
        self.started.append(program)
        return program

    def finish(self):
        for program in self.started:
            if program.process.poll() is None:
                program.process.kill()
                program.process.wait(10)


def check_nothing_lost(program, written):
    """Everything written was delivered, with its own value. A value may be there twice if writing it was repeated."""
    got = {(r["partition"], r["offset"]): r["value"] for r in program.records}
    promise(written.keys() <= got.keys(), lambda: f"lost {sorted(written.keys() - got.keys())[:10]}, {program}")
    promise(written.items() <= got.items(), lambda: f"another value than was written, {program}")
    promise(set(got.values()) <= set(written.values()), lambda: f"values that nobody wrote, {program}")


def is_confirmation(event):
    """An acknowledgement after which the record may never come again."""
    return event["event"] == "acked" and event["error"] is None and event["type"] in ("accept", "reject")


def merged(programs):
    """The events of all programs in the order in which they were read."""
    return sorted((event for program in programs for event in program.snapshot()), key=lambda event: event["at"])


def check_confirmed_stays_done(*programs, killed=False, copy_seconds=0):
    """No delivery after a confirmed acknowledgement of the same record by any of the programs of one group.

    After a kill a client may still hand out what it had fetched before, while another consumer has been given the same
    record since and has confirmed it: such a copy is told by its own acknowledgement, which fails. Only where the group's
    start has passed the record meanwhile it does not fail (Kafka too calls that done): where several programs of a group
    are in a storm of kills, copies are excused for copy_seconds. Who knows when a record was asked for ("asked", as a
    client written byte by byte does) is excused only if that was before the confirmation. Returns the ages of all copies.
    """
    events = merged(programs)
    outcomes = Outcomes(events)
    confirmed, ages = {}, []
    for number, event in enumerate(events):
        place = (event.get("partition"), event.get("offset"))
        if event["event"] == "record" and place in confirmed:
            age = event["at"] - confirmed[place]["at"]
            if "asked" in event:
                copy = event["asked"] < confirmed[place]["at"]
            else:
                copy = age < copy_seconds or outcomes.failed_after(number, event)
            promise(killed and copy, lambda: history(events, place, "was delivered again after its confirmed acknowledgement"))
            ages.append(age)
        elif is_confirmation(event):
            promise(place not in confirmed or copy_seconds, lambda: history(events, place, "was confirmed twice"))
            confirmed.setdefault(place, event)
    if len(programs) > 1:
        return ages  # a count that a killed sluice had not written begins anew, and another program may hold the older one
    for event in programs[0].records:
        count = confirmed.get((event["partition"], event["offset"]), event)["delivery_count"]
        promise(event["delivery_count"] <= count, lambda: f"delivered with a higher count than was confirmed ({count}): {event}")
    return ages


def history(events, place, what):
    lines = [str(event) for event in events if (event.get("partition"), event.get("offset")) == place]
    return f"{place} {what}:\n" + "\n".join(lines)


class Outcomes:
    """What each consumer of each program was told of its own acknowledgements."""

    def __init__(self, events):
        self.told = {}
        for number, event in enumerate(events):
            if event["event"] == "acked":
                self.told.setdefault(self._key(event), []).append((number, event["error"]))

    @staticmethod
    def _key(event):
        return tuple(event[key] for key in ("program", "consumer", "partition", "offset"))

    def failed_after(self, number, record):
        """The consumer that was handed this record could not acknowledge it: it did not hold it any more."""
        return next((error is not None for at, error in self.told.get(self._key(record), ()) if at > number), False)


def kafka_tool(name, *args, version=NATIVE_VERSION, timeout=60, check=True, stdin=None):
    """Runs a class of org.apache.kafka.tools (or a full class name) and returns its result."""
    full = name if name.startswith(("kafka.", "org.")) else "org.apache.kafka.tools." + name
    return run([TOOLS / "kafka-run", version, full, *args], timeout=timeout, check=check, input=stdin)


def sluice_binary():
    """Where the program under test is: SLUICE_BIN, which must name an executable file."""
    path = os.environ.get("SLUICE_BIN", "")
    assert path and os.access(path, os.X_OK) and Path(path).is_file(), (
        f"SLUICE_BIN='{path}', expected the path of a built sluice (or SLUICE_TARGET=native44 to prove the tests alone)"
    )
    return shutil.which(path) or path
