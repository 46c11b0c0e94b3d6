# SPDX-License-Identifier: Apache-2.0
"""Which records come back and with which delivery count: release, lock timeout, a lost client; and which do not: reject, the limit.

The three clients work at the same time, each in a group of its own, so that waiting for a lock is paid once."""

from collections import defaultdict

import pytest

from harness import CLIENTS

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


def check_came_back(holder, other, groups):
    """The other one got everything once, and what the holder was handed with a higher count than the first.

    How much higher is the holder's library's affair: some fetch ahead while the program holds, and count once more.
    """
    counts = counts_of(other)
    assert counts.keys() == groups["written"].keys(), str(other)
    assert all(len(c) == 1 for c in counts.values()), str(other)
    for place in holder.delivered:
        assert 2 <= counts[place][0] <= DELIVERY_LIMIT, f"{place} came back with count {counts[place]}; {other}"


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
    others = start_all(share_clients, sluice, groups, "accept")
    for holder, other in zip(holders, others):
        other.wait_confirmed(RECORDS, 40)
        assert holder.process.poll() is None, f"the holder ended, which releases: {holder}"
        check_came_back(holder, other, groups)
        taken = {(r["partition"], r["offset"]): r["at"] for r in holder.records}
        for record in other.records:
            since = taken.get((record["partition"], record["offset"]))
            assert since is None or record["at"] - since > LOCK_SECONDS - 0.7, f"the lock held too short: {record}"
    stop_all(holders + others)
    check_drained(share_clients, sluice, groups)


def test_killed_client_gives_its_records_back_at_once(sluice, cluster, share_clients, groups):
    for client in CLIENTS:
        cluster.group_config(groups[client], share_record_lock_duration_ms=60000)
    holders = start_all(share_clients, sluice, groups, "hold")
    for program in holders:
        program.wait_records(1, 40)
    for program in holders:
        program.kill()
    others = start_all(share_clients, sluice, groups, "accept")
    for holder, other in zip(holders, others):
        other.wait_confirmed(RECORDS, 40)
        check_came_back(holder, other, groups)
    stop_all(others)


@pytest.mark.sluice_only
def test_log_start_moves_past_the_group(sluice, cluster, share_clients, name):
    """DeleteRecords removes what the group has not read and what it holds: it goes on behind, without an error."""
    cluster.create_topic(name, 1)
    cluster.produce(name, [f"old {i}" for i in range(60)], 1, batch=10)
    cluster.group_config(name, share_auto_offset_reset="earliest")
    holder = share_clients.start("python", sluice.bootstrap, name, name, mode="hold", max_poll=10)
    holder.wait_records(10, 30)
    cluster.delete_records(name, 0, 50)
    program = share_clients.start("java", sluice.bootstrap, name, name)
    program.wait_records(10, 40)
    cluster.produce(name, ["new"], 1)
    program.wait_records(11, 20)
    program.stop()
    assert [r["offset"] for r in sorted(program.records, key=lambda r: r["offset"])] == list(range(50, 61))
