# SPDX-License-Identifier: Apache-2.0
"""Peers that speak nonsense are shown the door quickly and cost nothing; those that speak Kafka do not notice."""

import random
import socket
import struct
import time
from pathlib import Path

import pytest

import kraw
from harness import sluice_binary, wait_until
from kraw import Cluster, Connection

pytestmark = pytest.mark.sluice_only

CLOSE_SECONDS = 2
TLS_HELLO = bytes.fromhex("16030100c8010000c40303") + bytes(range(200))

# A freed block stays in ASan's quarantine, which would look like growing memory.
ENVIRONMENT = {"ASAN_OPTIONS": "detect_leaks=1:exitcode=99:quarantine_size_mb=1"}


@pytest.fixture
def target(make_sluice, kafka):
    return make_sluice(kafka.bootstrap, environment=ENVIRONMENT)


def limit_kib(plain):
    """Allowed growth of resident memory; a sanitizer's shadow and red zones cost several times as much."""
    return plain * 8 if b"__asan_init" in Path(sluice_binary()).read_bytes() else plain


def connect(port):
    return socket.create_connection(("127.0.0.1", port), timeout=5)


def is_closed(one, seconds=CLOSE_SECONDS):
    """Whether the peer ends the connection in time; what it says before is no matter."""
    end = time.monotonic() + seconds
    try:
        while (left := end - time.monotonic()) > 0:
            one.settimeout(left)
            if not one.recv(4096):
                return True
    except ConnectionError:
        return True
    except TimeoutError:
        pass
    return False


def send_junk(port, data):
    with connect(port) as one:
        try:
            one.sendall(data)
        except ConnectionError:
            return True
        return is_closed(one)


def random_junk(seed):
    """Random bytes whose first four are no plausible length."""
    source = random.Random(seed)
    return bytes([source.randrange(0x20, 0x100)]) + source.randbytes(source.randrange(3, 2000))


JUNK = {
    "length -1": struct.pack(">i", -1),
    "length 0": struct.pack(">i", 0),
    "length 3": struct.pack(">i", 3) + b"abc",
    "length 7": struct.pack(">i", 7) + b"\x00\x03\x00\x0c\x00\x00\x00",
    "length INT_MIN": struct.pack(">i", -0x80000000),
    "length INT_MAX": struct.pack(">i", 0x7FFFFFFF),
    "length over the limit": struct.pack(">i", 104857601),
    "tls hello": TLS_HELLO,
    "http": b"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
    "ssh": b"SSH-2.0-OpenSSH_9.2\r\n",
    "text": b"hello\n" * 10,
    "ones": b"\xff" * 64,
    "unknown api": kraw.struct.pack(">ihhih", 10, 9999, 0, 1, -1),
    "negative api": kraw.struct.pack(">ihhih", 10, -7, 0, 1, -1),
    "metadata of an unknown version": kraw.struct.pack(">ihhih", 10, 3, 99, 1, -1),
    "share fetch of an unknown version": kraw.struct.pack(">ihhih", 10, 78, 99, 1, -1),
    "client id longer than the frame": kraw.struct.pack(">ihhih", 10, 3, 0, 1, 0x7FFF),
    "client id of length -2": kraw.struct.pack(">ihhih", 10, 3, 0, 1, -2),
    **{f"random {seed}": random_junk(seed) for seed in range(10)},
}


@pytest.mark.parametrize("kind", ["listener", "broker"])
def test_closed_quickly(kind, target):
    port = target.port if kind == "listener" else target.broker_port(1)
    slow = [what for what, data in JUNK.items() if not send_junk(port, data)]
    assert not slow, f"not closed within {CLOSE_SECONDS} s: {slow}"
    assert target.alive()


def body(*pieces):
    writer = kraw.Writer()
    for piece in pieces:
        writer.raw(piece)
    return writer


HUGE = b"\xff\xff\xff\xff\x0f"  # an unsigned varint of 2^32 - 1
LONG = b"\xff" * 9 + b"\x01"  # ten bytes
ABSURD = {
    "metadata v1, 2^31 - 1 topics": (kraw.METADATA, 1, body(struct.pack(">i", 0x7FFFFFFF))),
    "metadata v12, 2^32 - 2 topics": (kraw.METADATA, 12, body(HUGE)),
    "share acknowledge, group of 2^32 - 2 bytes": (kraw.SHARE_ACKNOWLEDGE, 1, body(HUGE)),
    "share acknowledge, ten byte varint": (kraw.SHARE_ACKNOWLEDGE, 1, body(LONG)),
    "share acknowledge, 2^32 - 2 topics": (kraw.SHARE_ACKNOWLEDGE, 1, body(b"\x02g\x02m\x00\x00\x00\x01", HUGE)),
    "share acknowledge, giant tag": (kraw.SHARE_ACKNOWLEDGE, 1, body(b"\x02g\x02m\x00\x00\x00\x01\x01\x01\x07", HUGE)),
    "share acknowledge, giant number of tags": (kraw.SHARE_ACKNOWLEDGE, 1, body(b"\x02g\x02m\x00\x00\x00\x01\x01", HUGE)),
    "share fetch, cut off": (kraw.SHARE_FETCH, 1, body(b"\x02g\x02m\x00\x00")),
    "share fetch, empty": (kraw.SHARE_FETCH, 1, body()),
    "share heartbeat, empty": (kraw.SHARE_GROUP_HEARTBEAT, 1, body()),
    "share heartbeat, 2^32 - 2 topic names": (kraw.SHARE_GROUP_HEARTBEAT, 1, body(b"\x02g\x02m\x00\x00\x00\x00\x00", HUGE)),
    "share heartbeat, bytes behind the end": (
        kraw.SHARE_GROUP_HEARTBEAT,
        1,
        body(bytes(kraw.heartbeat_body("g", "m", 0, ["t"]).data), b"more"),
    ),
    "group configs, 2^32 - 2 resources": (kraw.INCREMENTAL_ALTER_CONFIGS, 1, body(HUGE)),
}


@pytest.mark.parametrize("kind", ["listener", "broker"])
def test_absurd_bodies(kind, target):
    """Answered with an error or closed, in time."""
    port = target.port if kind == "listener" else target.broker_port(1)
    before = target.rss_kib()
    for what, (api, version, content) in ABSURD.items():
        with Connection(port, timeout=5) as one:
            one.send(api, version, content)
            try:
                answer = one.read_frame()
                assert len(answer) < 4096, f"{what}: {len(answer)} bytes were answered"
            except ConnectionError:
                pass
            except TimeoutError:
                raise AssertionError(f"{what}: neither answered nor closed") from None
    assert target.rss_kib() - before < limit_kib(4096)
    with Cluster(target.bootstrap) as cluster:
        assert cluster.metadata([]).brokers


def test_api_versions_of_the_future(target):
    """An ApiVersions too new for us is answered as v0 with error 35 and our range, and the connection goes on."""
    with Connection(target.port) as one:
        one.socket.sendall(struct.pack(">ihhih", 22, kraw.API_VERSIONS, 9, 5, -1) + b"\x00" + bytes(11))
        reader = kraw.Reader(one.read_frame())
        assert (reader.i32(), reader.i16()) == (5, 35)
        keys = [(reader.i16(), reader.i16(), reader.i16()) for _ in range(reader.i32())]
        assert keys and keys[0][0] == kraw.API_VERSIONS and keys[0][2] >= 3, keys
        reader = one.request(kraw.API_VERSIONS, 3, kraw.Writer().string("x").string("1").tags())
        assert reader.i16() == 0


def attack(port, junk):
    """One bad peer for each piece of junk, all at the same time; all are closed."""
    peers = [connect(port) for _ in junk]
    for peer, data in zip(peers, junk):
        try:
            peer.sendall(data)
        except ConnectionError:
            pass
    for number, peer in enumerate(peers):
        assert is_closed(peer), f"bad peer {number} was not closed"
        peer.close()


def test_many_bad_peers_cost_nothing(target):
    port = target.broker_port(1)
    with Connection(port) as healthy:
        ask = (kraw.METADATA, 12, kraw.metadata_body([]))
        for round_number in range(4):
            attack(port, [TLS_HELLO if i % 2 else random_junk(i + 50 * round_number) for i in range(50)])
        time.sleep(1.2)  # what the log holds back of these comes out
        settled, log_before = target.rss_kib(), len(target.log().splitlines())
        start = time.monotonic()
        for _ in range(10):
            attack(port, [TLS_HELLO] * 50)
            asked = time.monotonic()
            healthy.request(*ask)
            assert time.monotonic() - asked < 1
        took = time.monotonic() - start
        grown = target.rss_kib() - settled
        assert grown < limit_kib(1024), f"resident memory grew by {grown} KiB"
        new_lines = len(target.log().splitlines()) - log_before
        # At most ten lines of one kind a second, and one that counts the rest.
        assert new_lines <= 11 * (took + 2), f"{new_lines} log lines for 500 bad peers in {took:.1f} s"
        assert new_lines < 250


def test_half_frames_cost_what_arrived(target):
    """A frame that claims much and sends little takes little; a peer that goes away in the middle leaves nothing."""
    before = target.rss_kib()
    apis = [(kraw.PRODUCE, 9), (kraw.METADATA, 12), (kraw.SHARE_FETCH, 1), (kraw.SHARE_ACKNOWLEDGE, 1), (kraw.FETCH, 12)]
    open_ones = []
    for i in range(100):
        one = connect(target.broker_port(1))
        api, version = apis[i % len(apis)]
        # The broker behind reserves what a passed request claims, so only those that sluice answers itself claim much.
        claim = 100_000_000 if api in (kraw.SHARE_FETCH, kraw.SHARE_ACKNOWLEDGE) else 1_000_000
        one.sendall(struct.pack(">ihhih", claim, api, version, i, -1) + bytes(i))
        open_ones.append(one)
    with Connection(target.broker_port(1)) as healthy:
        healthy.request(kraw.METADATA, 12, kraw.metadata_body([]))
        grown = target.rss_kib() - before
        assert grown < limit_kib(8192), f"resident memory grew by {grown} KiB for 100 open claims"
        for one in open_ones[::2]:
            one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        for one in open_ones:
            one.close()
        healthy.request(kraw.METADATA, 12, kraw.metadata_body([]))


def test_silent_peers_are_closed(make_sluice, kafka):
    target = make_sluice(kafka.bootstrap, environment=ENVIRONMENT, **{"connections.max.idle.ms": 2000})
    silent = [connect(target.broker_port(1)) for _ in range(20)]
    for i, one in enumerate(silent):
        one.sendall(b"\x00\x00\x00\x64"[: i % 5])
    with Connection(target.broker_port(1)) as healthy:
        end = time.monotonic() + 4
        while time.monotonic() < end:
            healthy.request(kraw.METADATA, 12, kraw.metadata_body([]))
            time.sleep(0.3)
        for one in silent:
            assert is_closed(one, 6)
            one.close()
        healthy.request(kraw.METADATA, 12, kraw.metadata_body([]))


def test_peers_that_do_not_read(target, kafka, name):
    """Someone who asks much and reads nothing is slowed down, not collected for."""
    with Cluster(target.bootstrap) as cluster:
        topic_id = cluster.create_topic(name)
        cluster.produce(name, [b"x" * 50_000] * 100, batch=10)
        port = cluster.leader_port(name, 0)
        before = target.rss_kib()
        deaf = [Connection(port) for _ in range(5)]
        ask = kraw.fetch_body(topic_id, 0, 0, 100)
        for one in deaf:
            one.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            one.socket.settimeout(0.2)
            try:
                for _ in range(200):
                    one.send(kraw.FETCH, 17, ask)
            except TimeoutError:
                pass
        start = time.monotonic()
        cluster.metadata([name], port)
        assert time.monotonic() - start < 2
        grown = target.rss_kib() - before
        assert grown < limit_kib(30 * 1024), f"resident memory grew by {grown} KiB for peers that read nothing"
        for one in deaf:
            one.close()
    wait_until(lambda: target.http("/livez")[0] == 200, 5, "livez")
