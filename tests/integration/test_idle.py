# SPDX-License-Identifier: Apache-2.0
"""Brokers that close idle connections soon: share consumers, whose requests never reach a broker, are not cut with them."""

import os
import time

import pytest

import kraw
from harness import Kafka, promise, wait_until
from kraw import ACCEPT, Cluster, Connection, Member

pytestmark = pytest.mark.sluice_only

BROKER_IDLE_MS = 10000
SECONDS = 125 if os.environ.get("SLUICE_LONG") == "1" else 24
LOCK_MS = 600000


@pytest.fixture(scope="module")
def impatient(ports, environment, tmp_path_factory):
    props = {"connections.max.idle.ms": BROKER_IDLE_MS}
    kafka = Kafka(tmp_path_factory.mktemp("impatient"), ports, props=props).start()
    yield kafka
    kafka.stop()


def is_cut(one):
    one.socket.settimeout(0.05)
    try:
        return one.socket.recv(1) == b""
    except TimeoutError:
        return False
    except ConnectionError:
        return True


def test_a_holder_that_thinks_is_not_cut(impatient, make_sluice, name):
    """It fetches once, then only its heartbeats, on another connection, tell that it lives; its locks stay."""
    sluice = make_sluice(impatient.bootstrap, **{"group.share.max.record.lock.duration.ms": LOCK_MS})
    with Cluster(sluice.bootstrap) as cluster:
        topic_id = cluster.create_topic(name)
        cluster.group_config(name, share_auto_offset_reset="earliest", share_record_lock_duration_ms=LOCK_MS)
        cluster.produce(name, [b"x"] * 20)
        port = cluster.leader_port(name, 0)
        with Member(cluster, name, [name]) as pulse, Member(cluster, name, [name]) as holder, Connection(port) as ordinary:
            holder.id = pulse.join(1).id
            held = wait_until(lambda: fetch(holder, port, topic_id), 30, "records")
            began, ordinary_cut = time.monotonic(), None
            ordinary.request(kraw.METADATA, 12, kraw.metadata_body([]))
            while (passed := time.monotonic() - began) < SECONDS:
                assert pulse.heartbeat()[0] == 0
                if ordinary_cut is None and is_cut(ordinary):
                    ordinary_cut = passed
                time.sleep(1)
            # What is not of share consumers ends as ever: the broker does close idle connections.
            assert ordinary_cut and ordinary_cut >= BROKER_IDLE_MS / 1000 - 2, ordinary_cut
            done = {topic_id: {0: [(first, last, ACCEPT) for first, last, _ in held]}}
            error, errors = holder.acknowledge(port, holder.share_epoch, done)
            promise(
                (error, errors) == (0, {(topic_id, 0): 0}),
                lambda: f"locks were released meanwhile: {error}, {errors}\n{sluice.log()[-3000:]}",
            )
    keepalives = sluice.metrics()["sluice_upstream_keepalives_total"]
    assert keepalives >= SECONDS * 1000 / BROKER_IDLE_MS, keepalives


def fetch(holder, port, topic_id):
    """What it acquires; the share session goes on by one epoch with each fetch."""
    holder.share_epoch = getattr(holder, "share_epoch", -1) + 1
    answer = holder.fetch(port, holder.share_epoch, {topic_id: {0: []}}, max_wait_ms=1000)
    assert answer.error == 0, answer.message
    found = answer.partitions.get((topic_id, 0))
    if not found or not found.acquired:
        return None
    holder.share_epoch += 1
    return found.acquired
