# SPDX-License-Identifier: Apache-2.0
"""Share clients at full speed while sluice is killed every few seconds and brokers are killed, paused and restarted in turn.

What was confirmed never comes again, nothing is lost, everything is delivered, and the state topic does not grow. 90 seconds; with
SLUICE_LONG=1 ten minutes."""

import os
import random
import time
from collections import Counter

import pytest

from chaos import BrokerFaults, Feeder, LogSize, RawClient, SluiceKills, read_topic
from harness import BACKING_VERSION, CLIENTS, Kafka, check_confirmed_stays_done, is_confirmation, merged, promise, wait_until
from kraw import Cluster

pytestmark = pytest.mark.sluice_only

SECONDS = 600 if os.environ.get("SLUICE_LONG") == "1" else 90
PARTITIONS = 3
STATE_PARTITIONS = 2
WAITING = 3000  # records that wait for the clients
CHECKPOINT_BYTES = 16384
# What is kept between checkpoints, the checkpoints themselves, one that was begun anew after a kill: measured, and half as much again.
LOG_BYTES = 8 * CHECKPOINT_BYTES
DELIVERIES = 10
LOCK_MS = 3000
RAW_CLIENTS = 3  # exact witnesses of what was handed out when: about half of all deliveries
COPY_SECONDS = 15  # measured on a machine that does much else: half a second
MAX_POLL = 10  # few, so that there are many acknowledgements


@pytest.fixture
def storm_kafka(ports, environment, tmp_path_factory):
    """Three brokers of this test alone, since it is rude to them."""
    props = {"min.insync.replicas": 2, "log.retention.check.interval.ms": 5000}
    cluster = Kafka(tmp_path_factory.mktemp("kafka-storm"), ports, version=BACKING_VERSION, brokers=3, props=props).start()
    yield cluster
    cluster.stop()


class Diary:
    """What happened when, on standard output and in a file."""

    def __init__(self, path):
        self.path = path
        self.began = time.monotonic()

    def __call__(self, text):
        line = f"{time.monotonic() - self.began:7.1f} {text}"
        print(line, flush=True)
        with self.path.open("a") as file:
            file.write(line + "\n")


def unexplained(events, missing):
    """Of the records that nobody confirmed: those for which no acknowledgement was on its way whose outcome nobody was told."""
    known = {}
    for event in events:
        if event["event"] == "acked" and event["error"] and event["type"] in ("accept", "reject"):
            # franz-go tells of partitions only: some other record's refusal may stand for this one's.
            refused = "invalid" in event["error"].lower() and "state" in event["error"].lower() and event["program"][:2] != "go"
            place = (event["partition"], event["offset"])
            known[place] = known.get(place, False) or not (refused or event["error"] == "121")
    return {place for place in missing if not known.get(place)}


def test_storm(storm_kafka, make_sluice, share_clients, name, tmp_path, record_property):
    kafka, seed = storm_kafka, int(os.environ.get("SLUICE_SEED") or time.time())
    random.seed(seed)
    say = Diary(tmp_path / "diary.txt")
    say(f"seed {seed}")
    state = f"state-{name}"
    sluice = make_sluice(
        kafka.bootstrap,
        **{"state.topic": state, "state.topic.num.partitions": STATE_PARTITIONS, "group.share.delivery.count.limit": DELIVERIES,
           "state.checkpoint.min.bytes": CHECKPOINT_BYTES, "state.checkpoint.factor": 2},
    )  # fmt: skip
    with Cluster(sluice.bootstrap) as cluster:
        cluster.create_topic(name, PARTITIONS, replicas=3, configs={"min.insync.replicas": "2"})
        cluster.group_config(name, share_auto_offset_reset="earliest", share_record_lock_duration_ms=LOCK_MS)
    both = f"{sluice.bootstrap},127.0.0.1:{sluice.broker_port(kafka.ids[0])},127.0.0.1:{sluice.broker_port(kafka.ids[1])}"
    programs = [share_clients.start(c, both, name, name, nice=5, consumers=2, max_poll=MAX_POLL) for c in CLIENTS]
    programs += [RawClient(sluice, name, name, f"raw-{i}") for i in range(RAW_CLIENTS)]
    raw = programs[len(CLIENTS) :]

    feeder = Feeder(kafka, name, WAITING, programs)
    size = LogSize(kafka, state, STATE_PARTITIONS)
    kills, faults = SluiceKills(sluice, say), BrokerFaults(kafka, (name, state), say)
    workers = [feeder, size]
    for worker in workers:
        worker.start()
    for program in programs[: len(CLIENTS)]:
        program.wait_confirmed(1, 180)
    say("the storm begins")
    workers += raw
    for worker in (*raw, kills, faults):
        worker.start()
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        time.sleep(1)
        for worker in (*workers, kills, faults):
            worker.check()
        for program in programs[: len(CLIENTS)]:
            assert program.process.poll() is None, f"ended early: {program}"
    for worker in (faults, kills, feeder):
        worker.stop()
    say("the storm is over")
    there = read_topic(kafka, name, PARTITIONS)
    promise(feeder.written.items() <= there.items(), "the cluster itself has lost records")
    finish(programs, raw, there, say)
    size.stop()
    events = merged(programs)
    copies = check(programs, events, there)
    say("checked: " + copies)
    check_drained(sluice, share_clients, name, there)
    figures = figures_of(events, there, kills, faults, raw, size) + "; " + copies
    say("drained")
    say(figures)
    say("log bytes (s, counting, on disk, records): " + " ".join(map(str, size.samples)))
    record_property("figures", figures)
    check_size(size)


def finish(programs, raw, there, say):
    """Everything is confirmed, or nothing more comes."""
    seen = {"count": -1, "since": 0.0}

    def settled():
        done = set().union(*(program.confirmed for program in programs))
        now, count = time.monotonic(), sum(len(p.snapshot()) for p in programs)
        if count != seen["count"]:
            seen.update(count=count, since=now)
        # Longer than a lock: what somebody held without knowing it has come back.
        return there.keys() <= done or now - seen["since"] > LOCK_MS / 1000 + 2

    wait_until(settled, 180, lambda: "all confirmed or quiet: " + "\n".join(map(str, programs)), every=0.2)
    for one in programs:
        if one in raw:
            one.stop()
    for one in programs:
        if one not in raw:
            one.stop()
    say("all clients have ended")


def check(programs, events, there):
    ages = check_confirmed_stays_done(*programs, killed=True, copy_seconds=COPY_SECONDS)
    delivered, done = set(), set()
    for event in events:
        place = (event.get("partition"), event.get("offset"))
        if event["event"] == "record":
            delivered.add(place)
            promise(place in there, lambda: f"delivered, and nobody wrote it: {event}")
            promise(event.get("value") in (None, there[place]), lambda: f"another value than was written: {event}")
        elif is_confirmation(event):
            done.add(place)
        elif event["event"] == "acked" and event["type"] == "gap":
            promise(place not in there, lambda: f"a record was taken for a gap: {event}")
    lost = there.keys() - delivered
    promise(not lost, lambda: f"{len(lost)} records never delivered: {sorted(lost)[:20]}")
    strange = unexplained(events, there.keys() - done)
    promise(not strange, lambda: f"{len(strange)} done without anybody's acknowledgement: {sorted(strange)[:20]}")
    return f"{len(ages)} copies from clients' own buffers, the oldest {max(ages, default=0):.1f} s"


def check_drained(sluice, share_clients, name, there):
    """After one more kill there is nothing left for anybody."""
    sluice.kill9()
    sluice.restart()
    again = share_clients.start("go", sluice.bootstrap, name, name, idle_ms=LOCK_MS + 2000)
    again.wait_for(lambda c: c.process.poll() is not None, 60, "the group is drained")
    promise(not again.records, lambda: f"delivered although nothing was left: {again.records[:5]}, {again}")


def check_size(size):
    """It levels off: what counts stays below the same bound from the beginning to the end."""
    live = [sample[1] for sample in size.samples]
    assert len(live) >= 5, f"the log was seen {len(live)} times only"
    promise(max(live) <= LOG_BYTES, lambda: f"{max(live)} bytes of log count, at most {LOG_BYTES} should: {size.samples}")
    promise(size.samples[-1][3] > 0, "nothing was written")


def figures_of(events, there, kills, faults, raw, size):
    done = {(e["partition"], e["offset"]) for e in events if is_confirmation(e)}
    deliveries = Counter(e["program"] for e in events if e["event"] == "record")
    failed = Counter(str(e["error"])[:60] for e in events if e["event"] == "acked" and e["error"])
    confirmed = Counter(e["program"] for e in events if is_confirmation(e))
    most = max(e["delivery_count"] for e in events if e["event"] == "record")
    return (
        f"{SECONDS} s: {len(there)} records, {sum(deliveries.values())} deliveries {dict(deliveries)}, {len(done)} confirmed "
        f"{dict(confirmed)}, {len(there) - len(done)} done with an outcome that nobody was told, highest delivery count {most}, "
        f"failed acknowledgements {dict(failed)}, sluice killed {kills.kills} times (slowest return {kills.slowest:.1f} s), broker "
        f"faults {faults.done}, raw clients' connections broke {sum(r.breaks for r in raw)} times, log bytes that count at most "
        f"{max(s[1] for s in size.samples)}, at the end {size.samples[-1][1]} (on disk {size.samples[-1][2]}), "
        f"{size.samples[-1][3]} state records written"
    )
