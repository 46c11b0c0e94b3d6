# SPDX-License-Identifier: Apache-2.0
"""Each real share client reads everything exactly once, and what it confirmed stays done when sluice is killed."""

import pytest

from harness import CLIENTS, check_confirmed_stays_done, check_nothing_lost, holds_for, wait_until

RECORDS = 10_000
PARTITIONS = 3
CONSUMERS = 5


def fill(cluster, name):
    """A topic with all records, and a group that starts at its beginning."""
    cluster.create_topic(name, PARTITIONS)
    written = cluster.produce(name, [f"{name}/{i}" for i in range(RECORDS)], PARTITIONS)
    cluster.group_config(name, share_auto_offset_reset="earliest")
    return written


@pytest.mark.parametrize("mode", ["accept", "implicit"])
@pytest.mark.parametrize("client", CLIENTS)
def test_reads_all_once(client, mode, sluice, cluster, share_clients, name):
    written = fill(cluster, name)
    program = share_clients.start(client, sluice.bootstrap, name, name, mode=mode, consumers=CONSUMERS)
    program.wait_records(RECORDS, 60)
    if mode == "accept":
        program.wait_confirmed(RECORDS, 20)
    holds_for(lambda: len(program.records) == RECORDS, 1.5, lambda: f"something came twice: {program}")
    program.stop()
    check_nothing_lost(program, written)
    check_confirmed_stays_done(program)
    assert len(program.records) == RECORDS
    assert program.confirmed == written.keys(), str(program)
    assert {r["delivery_count"] for r in program.records} == {1}
    assert not program.errors


@pytest.mark.parametrize("client", CLIENTS)
def test_kill_half_way(client, sluice, cluster, share_clients, name):
    written = fill(cluster, name)
    program = share_clients.start(client, sluice.bootstrap, name, name, consumers=CONSUMERS, max_poll=100, delay_ms=40)
    program.wait_confirmed(RECORDS // 3, 60)
    sluice.kill9()
    before = program.delivered.copy()
    confirmed_before = len(program.confirmed)
    assert confirmed_before < RECORDS, "all was confirmed before the kill: the test has shown nothing"
    sluice.restart()
    program.wait_records(RECORDS, 90)
    # A record whose acknowledgement was on its way may be done without a confirmation: only those may stay unconfirmed.
    wait_until(lambda: written.keys() - program.confirmed <= before, 60, lambda: f"the rest confirmed: {program}")
    program.wait_quiet(3, 60)
    program.stop()
    check_nothing_lost(program, written)
    assert program.delivered == written.keys()
    check_confirmed_stays_done(program, killed=True)
    unknown = written.keys() - program.confirmed
    assert unknown <= before, f"never confirmed, and not on its way at the kill: {sorted(unknown - before)[:10]}"
    assert len(unknown) <= CONSUMERS * 2 * 100, f"{len(unknown)} never confirmed, more than the consumers can hold at once"
    again = share_clients.start(client, sluice.bootstrap, name, name, idle_ms=4000)
    again.wait_for(lambda c: c.process.poll() is not None, 60, "the group is drained")
    assert not again.records, f"delivered although nothing was left: {again}"
