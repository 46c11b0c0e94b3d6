# SPDX-License-Identifier: Apache-2.0
"""Single valid requests that would cost too much are refused, quickly, and everybody else is served meanwhile."""

import struct
import time
import uuid

import pytest

import kraw
from kraw import Connection, Writer, heartbeat_body, read_heartbeat

pytestmark = pytest.mark.sluice_only

INVALID_REQUEST = 42
ALTER_SHARE_GROUP_OFFSETS = 91


def test_subscription_of_many_names(sluice):
    """Its record would not fit the state log."""
    names = [f"t{i:05}".ljust(60, "x") for i in range(9999)]
    with Connection(sluice.broker_port(1)) as one:
        answer = one.request(kraw.SHARE_GROUP_HEARTBEAT, 1, heartbeat_body("g", str(uuid.uuid4()), 0, names))
        assert read_heartbeat(answer)[0] == INVALID_REQUEST
    assert sluice.alive()


def test_group_with_very_many_configs(sluice):
    config = bytes(Writer().string("share.auto.offset.reset").i8(0).string("latest").tags().data)
    count = 7_000_000 // len(config)
    body = Writer().uvarint(2).i8(32).string("g").uvarint(count + 1).raw(config * count).tags().i8(0).tags()
    with Connection(sluice.broker_port(1)) as one:
        start = time.monotonic()
        one.send(kraw.INCREMENTAL_ALTER_CONFIGS, 1, body)
        assert sluice.http("/livez")[0] == 200
        r = one.receive()[1]
        r.i32()
        (error, message) = r.array(lambda r: (r.i16(), r.string(), r.i8(), r.string(), r.tags()))[0][:2]
        assert error == INVALID_REQUEST and "at most" in message
        assert time.monotonic() - start < 10


def test_offsets_of_one_partition_very_often(sluice, cluster, name, monkeypatch):
    monkeypatch.setitem(kraw.FLEXIBLE, ALTER_SHARE_GROUP_OFFSETS, 0)
    topic = name.ljust(240, "x")
    cluster.create_topic(topic)
    count = 250_000
    partition = struct.pack(">iq", 0, 5) + b"\0"
    body = Writer().string(name).uvarint(2).string(topic).uvarint(count + 1).raw(partition * count).tags().tags()
    with Connection(sluice.broker_port(1)) as one:
        r = one.request(ALTER_SHARE_GROUP_OFFSETS, 0, body)
        r.i32()
        assert r.i16() == INVALID_REQUEST
    assert sluice.alive()
    assert sluice.metrics()["sluice_state_partitions_lost_total"] == 0
