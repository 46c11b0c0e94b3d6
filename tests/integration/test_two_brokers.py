# SPDX-License-Identifier: Apache-2.0
"""Share sessions belong to a node, record state to the group: what a cluster of one node never shows."""

import time

import pytest

import kraw
from harness import CLIENTS, holds_for, wait_until
from kraw import Member

RECORDS = 10


@pytest.fixture
def two(cluster3, name):
    """A topic with partition 0 led by node 0 and partition 1 by node 1, ten records each, and a member that has both."""
    topic_id = cluster3.create_topic(name, assignment={0: [0], 1: [1]})
    cluster3.produce(name, [f"{name}/{i}" for i in range(2 * RECORDS)], 2, batch=RECORDS)
    cluster3.group_config(name, share_auto_offset_reset="earliest")
    with Member(cluster3, name, [name]) as member:
        member.join(2)
        member.topic = topic_id
        member.a = cluster3.leader_port(name, 0)
        member.b = cluster3.leader_port(name, 1)
        assert member.a != member.b
        yield member


def fetch_until(member, port, epoch, topics, partition, count=RECORDS, seconds=15):
    """Fetches in a session until something of the partition is acquired; returns acquired ranges and the next epoch."""
    end = time.monotonic() + seconds
    while True:
        answer = member.fetch(port, epoch, topics)
        assert answer.error == 0, f"epoch {epoch} at {port}: error {answer.error} {answer.message}"
        epoch, topics = epoch + 1, {}
        one = answer.partitions.get((member.topic, partition))
        if one is not None and one.acquired:
            assert one.error == 0 and sum(last - first + 1 for first, last, _ in one.acquired) == count
            return one.acquired, epoch
        assert time.monotonic() < end, f"nothing acquired of partition {partition} within {seconds} s"


def open_both(member):
    at_a, epoch_a = fetch_until(member, member.a, 0, {member.topic: {0: []}}, 0)
    at_b, epoch_b = fetch_until(member, member.b, 0, {member.topic: {1: []}}, 1)
    assert at_a == at_b == [(0, RECORDS - 1, 1)]
    return epoch_a, epoch_b


def test_sessions_of_two_nodes_are_two(two):
    epoch_a, epoch_b = open_both(two)
    # Each node counts its own epochs: three more here, one there.
    for _ in range(3):
        assert two.fetch(two.a, epoch_a, {}, max_wait_ms=50).error == 0
        epoch_a += 1
    assert two.fetch(two.b, epoch_b, {}, max_wait_ms=50).error == 0
    assert two.fetch(two.a, epoch_b, {}, max_wait_ms=50).error == 123  # the other node's epoch means nothing here
    done = {two.topic: {0: [(0, RECORDS - 1, kraw.ACCEPT)]}}
    assert two.acknowledge(two.a, epoch_a, done) == (0, {(two.topic, 0): 0})
    done = {two.topic: {1: [(0, RECORDS - 1, kraw.ACCEPT)]}}
    assert two.acknowledge(two.b, epoch_b + 1, done) == (0, {(two.topic, 1): 0})


def test_closing_one_session_leaves_the_other(two):
    epoch_a, epoch_b = open_both(two)
    error, _ = two.acknowledge(two.a, -1, {})
    assert error == 0
    assert two.fetch(two.a, epoch_a, {}).error == 122
    assert two.fetch(two.b, epoch_b, {}, max_wait_ms=50).error == 0
    # What the closed session held is free again and counted; the other one's records are still held.
    again, _ = fetch_until(two, two.a, 0, {two.topic: {0: []}}, 0)
    assert again == [(0, RECORDS - 1, 2)]
    done = {two.topic: {1: [(0, RECORDS - 1, kraw.ACCEPT)]}}
    assert two.acknowledge(two.b, epoch_b + 1, done) == (0, {(two.topic, 1): 0})


def test_closed_connection_ends_only_its_own_session(two):
    _, epoch_b = open_both(two)
    two.connections.pop(two.a).close()
    # An epoch that cannot be right: 123 as long as there is a session, 122 when its end was noticed.
    wait_until(lambda: two.fetch(two.a, 999999, {}).error == 122, 10, "the session of the closed connection ends")
    again, _ = fetch_until(two, two.a, 0, {two.topic: {0: []}}, 0)
    assert again == [(0, RECORDS - 1, 2)]
    assert two.fetch(two.b, epoch_b, {}, max_wait_ms=50).error == 0
    done = {two.topic: {1: [(0, RECORDS - 1, kraw.ACCEPT)]}}
    assert two.acknowledge(two.b, epoch_b + 1, done) == (0, {(two.topic, 1): 0})


@pytest.mark.sluice_only
def test_acknowledgement_counts_from_any_node(two):
    """Leaders move between fetch and acknowledgement: record state is the group's, not the node's."""
    epoch_a, epoch_b = open_both(two)
    both = {two.topic: {0: [(0, RECORDS - 1, kraw.ACCEPT)], 1: [(0, RECORDS - 1, kraw.ACCEPT)]}}
    assert two.acknowledge(two.b, epoch_b, both) == (0, {(two.topic, 0): 0, (two.topic, 1): 0})
    answer = two.fetch(two.a, epoch_a, {two.topic: {0: [(0, RECORDS - 1, kraw.ACCEPT)]}}, max_wait_ms=50)
    assert answer.error == 0
    assert answer.partitions[two.topic, 0].acknowledge_error == 0  # below the start offset: done already
    assert two.acknowledge(two.a, -1, {})[0] == two.acknowledge(two.b, -1, {})[0] == 0
    for port, partition in ((two.a, 0), (two.b, 1)):
        answer = two.fetch(port, 0, {two.topic: {partition: []}}, max_wait_ms=300)
        assert answer.error == 0 and answer.partitions[two.topic, partition].acquired == []


@pytest.mark.parametrize("client", CLIENTS)
def test_clients_over_three_nodes(client, sluice3, cluster3, share_clients, name):
    cluster3.create_topic(name, assignment={p: [p % 3] for p in range(6)})
    written = cluster3.produce(name, [f"{name}/{i}" for i in range(6000)], 6)
    cluster3.group_config(name, share_auto_offset_reset="earliest")
    program = share_clients.start(client, sluice3.bootstrap, name, name, consumers=4)
    program.wait_confirmed(len(written), 60)
    holds_for(lambda: len(program.records) == len(written), 1.5, lambda: f"something came twice: {program}")
    program.stop()
    assert {(r["partition"], r["offset"]): r["value"] for r in program.records} == written
    assert program.confirmed == written.keys()
