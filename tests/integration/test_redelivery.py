# SPDX-License-Identifier: Apache-2.0
"""Which records come back and with which delivery count: release, lock timeout, a lost client; and which do not: reject, the limit.

The three clients work at the same time, each in a group of its own, so that waiting for a lock is paid once."""

import time
from collections import defaultdict

import pytest

from harness import CLIENTS, wait_until

RECORDS = 20
DELIVERY_LIMIT = 5
LOCK_SECONDS = 3


@pytest.fixture
def groups(cluster, name):
    """Records in a topic of one partition, and for each client a group that starts at its beginning."""
    cluster.create_topic(name)
    written = cluster.produce(name, [f"{name}/{i}" for i in range(RECORDS)], batch=10)
    names = {}
    for client in CLIENTS:
        names[client] = f"{name}-{client}"
        cluster.group_config(
            names[client],
            share_auto_offset_reset="earliest",
            share_record_lock_duration_ms=LOCK_SECONDS * 1000,
        )
    names["written"] = written
    names["topic"] = name
    return names


def start_all(share_clients, sluice, groups, mode, **options):
    return [share_clients.start(c, sluice.bootstrap, groups[c], groups["topic"], mode=mode, **options) for c in CLIENTS]


def counts_of(program):
    """{(partition, offset): the delivery counts in the order in which they came}."""
    counts = defaultdict(list)
    for record in program.records:
        counts[record["partition"], record["offset"]].append(record["delivery_count"])
    return dict(counts)


def stop_all(programs):
    for program in programs:
        program.stop()


def check_drained(share_clients, sluice, groups):
    """Nobody gets anything any more, also after all locks have ended."""
    programs = start_all(share_clients, sluice, groups, "accept", idle_ms=(LOCK_SECONDS + 3) * 1000)
    for program in programs:
        program.wait_for(lambda c: c.process.poll() is not None, 60, "nothing left")
        assert not program.records, f"came although it was done: {program}"


def test_release_comes_back_with_a_higher_count(sluice, share_clients, groups):
    programs = start_all(share_clients, sluice, groups, "release-first")
    for program in programs:
        program.wait_confirmed(RECORDS, 40)
        program.wait_quiet(1.5, 30)
    stop_all(programs)
    for program in programs:
        assert counts_of(program) == {place: [1, 2] for place in groups["written"]}, str(program)
    check_drained(share_clients, sluice, groups)


def test_reject_does_not_come_back(sluice, share_clients, groups):
    programs = start_all(share_clients, sluice, groups, "reject")
    for program in programs:
        program.wait_confirmed(RECORDS, 40)
        program.wait_quiet(1.5, 30)
    stop_all(programs)
    for program in programs:
        assert counts_of(program) == {place: [1] for place in groups["written"]}, str(program)
        assert {event["type"] for event in program.acked} == {"reject"}
    check_drained(share_clients, sluice, groups)


def test_delivery_limit_ends_redelivery(sluice, share_clients, groups):
    programs = start_all(share_clients, sluice, groups, "release")
    for program in programs:
        program.wait_for(lambda c: len(c.records) >= RECORDS * DELIVERY_LIMIT, 60, "all deliveries up to the limit")
        program.wait_quiet(1.5, 30)
    stop_all(programs)
    limit = list(range(1, DELIVERY_LIMIT + 1))
    for program in programs:
        assert counts_of(program) == {place: limit for place in groups["written"]}, str(program)
    check_drained(share_clients, sluice, groups)


def test_lock_timeout_gives_the_record_to_another(sluice, share_clients, groups):
    holders = start_all(share_clients, sluice, groups, "hold")
    for program in holders:
        program.wait_records(1, 40)
    held = {h.client: (h.delivered.copy(), time.monotonic()) for h in holders}
    others = start_all(share_clients, sluice, groups, "accept")
    came = {}

    def note_arrivals():
        for program in others:
            if program.client not in came and held[program.client][0] <= program.delivered:
                came[program.client] = time.monotonic()
        return len(came) == len(others)

    wait_until(note_arrivals, 40, lambda: "held records delivered to others: " + "; ".join(map(str, others)))
    for holder, other in zip(holders, others):
        assert holder.process.poll() is None, f"the holder ended, which releases: {holder}"
        other.wait_confirmed(RECORDS, 30)
        places, since = held[holder.client]
        assert came[holder.client] - since > LOCK_SECONDS - 1.5, f"{holder.client}: the lock held too short"
        counts = counts_of(other)
        assert counts == {p: [2 if p in places else 1] for p in groups["written"]}, f"held {sorted(places)}; {other}"
    stop_all(holders + others)
    check_drained(share_clients, sluice, groups)


def test_killed_client_gives_its_records_back_at_once(sluice, cluster, share_clients, groups):
    for client in CLIENTS:
        cluster.group_config(groups[client], share_record_lock_duration_ms=60000)
    holders = start_all(share_clients, sluice, groups, "hold")
    for program in holders:
        program.wait_records(1, 40)
    places = {holder.client: holder.delivered.copy() for holder in holders}
    for program in holders:
        program.kill()
    others = start_all(share_clients, sluice, groups, "accept")
    for other in others:
        other.wait_confirmed(RECORDS, 40)
        held = places[other.client]
        assert counts_of(other) == {p: [2 if p in held else 1] for p in groups["written"]}, f"held {sorted(held)}; {other}"
    stop_all(others)
