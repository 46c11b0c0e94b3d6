# SPDX-License-Identifier: Apache-2.0
"""Answers come in the order of their requests on a connection, whoever answers and however the bytes arrive."""

import socket
import time
import uuid

import pytest

import kraw
from kraw import Connection, Member

WAIT_MS = 5000


@pytest.fixture
def member(cluster, name):
    """A member of a group with an empty topic of one partition, all assigned."""
    topic_id = cluster.create_topic(name)
    with Member(cluster, name, [name]) as one:
        one.join(1)
        one.topic_id = topic_id
        yield one


def empty_fetch(topic_id):
    return (kraw.FETCH, 17, kraw.fetch_body(topic_id, 0, 0, WAIT_MS))


def share_fetch(member):
    body = kraw.share_fetch_body(member.group, member.id, 0, {member.topic_id: {0: []}}, max_wait_ms=WAIT_MS)
    return (kraw.SHARE_FETCH, 1, body)


def heartbeat(member):
    return (kraw.SHARE_GROUP_HEARTBEAT, 1, kraw.heartbeat_body(member.group, member.id, member.epoch, None))


def metadata(name):
    return (kraw.METADATA, 12, kraw.metadata_body([name]))


def node_port(cluster, name):
    """The listener of the partition's leader, which is the coordinator too on a single node."""
    return cluster.leader_port(name, 0)


@pytest.mark.parametrize("first", ["fetch", "share_fetch"])
def test_pipelined_in_order(first, cluster, member, name):
    waiting = empty_fetch(member.topic_id) if first == "fetch" else share_fetch(member)
    with Connection(node_port(cluster, name)) as one:
        encoded = [one.encode(*request) for request in (waiting, heartbeat(member), metadata(name))]
        start = time.monotonic()
        one.socket.sendall(b"".join(data for _, data in encoded))
        answers = [one.receive() for _ in encoded]
        took = time.monotonic() - start
        assert [number for number, _ in answers] == [number for number, _ in encoded]
        assert took > WAIT_MS / 1000 - 0.5, f"the waiting request was answered after {took:.2f} s"
        assert took < WAIT_MS / 1000 + 3, f"all took {took:.2f} s"
        if first == "fetch":
            error, partitions, _ = kraw.read_fetch(answers[0][1])
            assert (error, partitions[0][0], partitions[0][2]) == (0, 0, b"")
        else:
            answer = kraw.ShareFetchAnswer(answers[0][1])
            assert answer.error == 0 and answer.partitions[member.topic_id, 0].acquired == []
        error, epoch, _, _ = kraw.read_heartbeat(answers[1][1])
        assert (error, epoch) == (0, member.epoch)
        assert kraw.Metadata(answers[2][1]).topics[name][0] == 0
        one.socket.settimeout(0.5)
        with pytest.raises(socket.timeout):
            one.socket.recv(1)


def test_waiting_fetch_delays_no_other_connection(cluster, member, name):
    port = node_port(cluster, name)
    with Connection(port) as one, Connection(port) as other:
        one.send(*share_fetch(member))
        start = time.monotonic()
        error, _, _, _ = kraw.read_heartbeat(other.request(*heartbeat(member)))
        other.request(*metadata(name))
        assert error == 0
        assert time.monotonic() - start < 2
        one.receive()


def test_records_wake_a_waiting_share_fetch(cluster, member, name):
    cluster.group_config(name, share_auto_offset_reset="earliest")
    port = node_port(cluster, name)
    with Connection(port) as one:
        body = kraw.share_fetch_body(member.group, member.id, 0, {member.topic_id: {0: []}}, max_wait_ms=20000)
        one.send(kraw.SHARE_FETCH, 1, body)
        time.sleep(0.5)
        cluster.produce(name, ["woken"])
        start = time.monotonic()
        answer = kraw.ShareFetchAnswer(one.receive()[1])
        assert time.monotonic() - start < 2
        assert answer.partitions[member.topic_id, 0].acquired == [(0, 0, 1)]
        assert b"woken" in answer.partitions[member.topic_id, 0].records


def test_acks_zero_leaves_no_gap_in_the_queue(cluster, member, name):
    with Connection(node_port(cluster, name)) as one:
        pieces, numbers = [], []
        for i in range(20):
            batch = kraw.record_batch([f"silent {i}".encode()])
            pieces.append(one.encode(kraw.PRODUCE, 9, kraw.produce_body(name, {0: batch}, acks=0))[1])
            for request in (heartbeat(member), metadata(name)):
                number, data = one.encode(*request)
                numbers.append(number)
                pieces.append(data)
        last, data = one.encode(kraw.PRODUCE, 9, kraw.produce_body(name, {0: kraw.record_batch([b"answered"])}))
        one.socket.sendall(b"".join(pieces) + data)
        got = [one.receive() for _ in range(len(numbers) + 1)]
        assert [number for number, _ in got] == [*numbers, last]
        assert kraw.read_produce(got[-1][1], 9)[0] == {0: (0, 20, None)}


@pytest.mark.parametrize("size", [1, 8])
def test_bytes_in_small_pieces(size, cluster, member, name):
    with Connection(node_port(cluster, name)) as one:
        requests = [
            metadata(name),
            heartbeat(member),
            (kraw.PRODUCE, 9, kraw.produce_body(name, {0: kraw.record_batch([b"x" * 100])})),
            share_fetch(member),
            heartbeat(member),
        ]
        encoded = [one.encode(*request) for request in requests]
        stream = b"".join(data for _, data in encoded)
        cluster.group_config(name, share_auto_offset_reset="earliest")
        for at in range(0, len(stream), size):
            one.socket.sendall(stream[at : at + size])
        answers = [one.receive() for _ in requests]
        assert [number for number, _ in answers] == [number for number, _ in encoded]
        assert kraw.ShareFetchAnswer(answers[3][1]).partitions[member.topic_id, 0].acquired == [(0, 0, 1)]


def test_share_requests_pipelined(cluster, member, name):
    """Fetch, acknowledge and fetch again in one go: the second fetch sees what the acknowledgement did."""
    cluster.group_config(name, share_auto_offset_reset="earliest")
    cluster.produce(name, [f"r{i}" for i in range(10)], batch=5)
    port = node_port(cluster, name)
    topic = member.topic_id
    with Connection(port) as one:
        bodies = [
            (kraw.SHARE_FETCH, 1, kraw.share_fetch_body(name, member.id, 0, {topic: {0: []}}, max_records=5)),
            (kraw.SHARE_ACKNOWLEDGE, 1, kraw.share_acknowledge_body(name, member.id, 1, {topic: {0: [(0, 4, kraw.RELEASE)]}})),
            (kraw.SHARE_FETCH, 1, kraw.share_fetch_body(name, member.id, 2, {}, max_records=5)),
            (kraw.SHARE_ACKNOWLEDGE, 1, kraw.share_acknowledge_body(name, member.id, 3, {topic: {0: [(0, 4, kraw.ACCEPT)]}})),
        ]
        encoded = [one.encode(*body) for body in bodies]
        one.socket.sendall(b"".join(data for _, data in encoded))
        answers = [one.receive() for _ in encoded]
        assert [number for number, _ in answers] == [number for number, _ in encoded]
        first, second = kraw.ShareFetchAnswer(answers[0][1]), kraw.ShareFetchAnswer(answers[2][1])
        assert first.partitions[topic, 0].acquired == [(0, 4, 1)]
        assert kraw.read_share_acknowledge(answers[1][1]) == (0, {(topic, 0): 0})
        assert second.partitions[topic, 0].acquired == [(0, 4, 2)]
        assert kraw.read_share_acknowledge(answers[3][1]) == (0, {(topic, 0): 0})


def test_many_connections_keep_their_answers_apart(cluster, name):
    cluster.create_topic(name)
    port = node_port(cluster, name)
    others = [Connection(port) for _ in range(50)]
    try:
        for round_number in range(5):
            for i, one in enumerate(others):
                wanted = name if (i + round_number) % 2 else str(uuid.uuid4())
                one.wanted = wanted
                one.send(*metadata(wanted))
            for one in reversed(others):
                _, reader = one.receive()
                assert set(kraw.Metadata(reader).topics) == {one.wanted}
    finally:
        for one in others:
            one.close()
