# SPDX-License-Identifier: Apache-2.0
"""Stable offsets as ordinary committed offsets on the cluster: seen by its own tools, taken up by others, never over another's."""

import re
import uuid

import pytest

from harness import kafka_tool, wait_until
from kraw import SHARE_GROUP_HEARTBEAT, Cluster, Connection, heartbeat_body, read_heartbeat

pytestmark = pytest.mark.sluice_only

RECORDS = 300


def committed(kafka, group):
    """{(topic, partition): offset} of a group as the cluster itself tells it."""
    out = kafka_tool(
        "consumer.group.ConsumerGroupCommand", "--bootstrap-server", kafka.bootstrap, "--describe", "--group", group, check=False
    ).stdout
    rows = re.findall(rf"^{re.escape(group)}\s+(\S+)\s+(\d+)\s+(\d+)\s", out, re.M)
    return {(topic, int(partition)): int(offset) for topic, partition, offset in rows}


def groups(kafka):
    return kafka_tool("consumer.group.ConsumerGroupCommand", "--bootstrap-server", kafka.bootstrap, "--list").stdout.split()


def commit_as_other(kafka, topic, group, offset=0):
    """Another group's committed offset, made past sluice."""
    kafka_tool(
        "consumer.group.ConsumerGroupCommand", "--bootstrap-server", kafka.bootstrap, "--group", group, "--topic", topic,
        "--reset-offsets", "--to-offset", offset, "--execute",
    )  # fmt: skip


def drained(kafka, make_sluice, share_clients, name, **options):
    """A share group that has read everything; returns its sluice."""
    sluice = make_sluice(kafka.bootstrap, **{"stable.offset.commit.interval.ms": 500, **options})
    with Cluster(sluice.bootstrap) as cluster:
        cluster.create_topic(name, 2)
        cluster.produce(name, [str(i) for i in range(RECORDS)], 2)
        cluster.group_config(name, share_auto_offset_reset="earliest")
    program = share_clients.start("go", sluice.bootstrap, name, name)
    program.wait_confirmed(RECORDS, 60)
    program.stop()
    return sluice


def first_heartbeat(cluster, group, topic):
    with Connection(cluster.coordinator_port(group)) as one:
        body = heartbeat_body(group, str(uuid.uuid4()), 0, [topic])
        return read_heartbeat(one.request(SHARE_GROUP_HEARTBEAT, 1, body))[0]


@pytest.mark.parametrize("nodes", [1, 3])
def test_cluster_sees_the_group(nodes, make_sluice, share_clients, name, request):
    kafka = request.getfixturevalue("kafka3" if nodes == 3 else "kafka")
    sluice = drained(kafka, make_sluice, share_clients, name)
    both = {(name, 0): RECORDS // 2, (name, 1): RECORDS // 2}
    wait_until(lambda: committed(kafka, name) == both, 60, lambda: f"all mirrored: {committed(kafka, name)}", every=1)
    # As often as the brokers' offsets.retention.minutes (a week) asks for, not as when it is not known (an hour).
    wait_until(lambda: sluice.metrics()["sluice_stable_offset_refresh_seconds"] == 12 * 3600, 30, lambda: "the retention asked for")


def test_other_groups_id_is_refused(kafka, make_sluice, name):
    """The id of a group of the cluster is taken, even when nobody is in it; its offsets stay as they are."""
    sluice = make_sluice(kafka.bootstrap)
    with Cluster(sluice.bootstrap) as cluster:
        cluster.create_topic(name)
        cluster.produce(name, ["a", "b", "c"])
        commit_as_other(kafka, name, name, 2)
        assert first_heartbeat(cluster, name, name) == 69
        assert committed(kafka, name) == {(name, 0): 2}
        kafka_tool("consumer.group.ConsumerGroupCommand", "--bootstrap-server", kafka.bootstrap, "--delete", "--group", name)
        wait_until(lambda: first_heartbeat(cluster, name, name) == 0, 30, lambda: "the id to be free")


def test_deleted_with_the_group(kafka, make_sluice, share_clients, name):
    sluice = drained(kafka, make_sluice, share_clients, name)
    wait_until(lambda: len(committed(kafka, name)) == 2, 60, lambda: "the shadow", every=1)
    command = ("consumer.group.ShareGroupCommand", "--bootstrap-server", sluice.bootstrap, "--group", name)
    wait_until(lambda: kafka_tool(*command, "--delete", check=False).returncode == 0, 60, lambda: "the group deleted", every=1)
    wait_until(lambda: name not in groups(kafka), 30, lambda: f"its shadow gone: {committed(kafka, name)}", every=1)


def test_moved_back_before_it_is_answered(kafka, make_sluice, share_clients, name):
    sluice = drained(kafka, make_sluice, share_clients, name, **{"stable.offset.commit.interval.ms": 2000})
    both = {(name, 0): RECORDS // 2, (name, 1): RECORDS // 2}
    wait_until(lambda: committed(kafka, name) == both, 60, lambda: "all mirrored", every=1)
    command = ("consumer.group.ShareGroupCommand", "--bootstrap-server", sluice.bootstrap, "--group", name)
    reset = (*command, "--reset-offsets", "--to-earliest", "--topic", name, "--execute")
    wait_until(lambda: "rror" not in kafka_tool(*reset, check=False).stdout, 60, lambda: "the offsets reset", every=1)
    sluice.kill9()
    assert committed(kafka, name) == {(name, 0): 0, (name, 1): 0}


def test_goes_on_when_the_state_is_lost(kafka, make_sluice, share_clients, name):
    """With another state topic, as after a deletion: the group goes on where its shadow stands, whatever its reset strategy."""
    sluice = drained(kafka, make_sluice, share_clients, name, **{"state.topic": f"one-{name}"})
    both = {(name, 0): RECORDS // 2, (name, 1): RECORDS // 2}
    wait_until(lambda: committed(kafka, name) == both, 60, lambda: "all mirrored", every=1)
    sluice.kill9()
    with Cluster(kafka.bootstrap) as direct:
        direct.produce(name, ["late"] * 20, 2)
    other = make_sluice(kafka.bootstrap, **{"state.topic": f"two-{name}"})
    program = share_clients.start("go", other.bootstrap, name, name)
    program.wait_confirmed(20, 60)
    assert len(program.records) == 20
    program.stop()


def test_consumer_in_the_shadow_stops_mirroring(kafka, make_sluice, share_clients, name):
    sluice = drained(kafka, make_sluice, share_clients, name)
    wait_until(lambda: len(committed(kafka, name)) == 2, 60, lambda: "the shadow", every=1)
    commit_as_other(kafka, name, name, 7)
    with Cluster(sluice.bootstrap) as cluster:
        cluster.produce(name, ["more"] * 20, 2)
    program = share_clients.start("go", sluice.bootstrap, name, name)
    program.wait_confirmed(20, 60)
    wait_until(lambda: sluice.metrics()["sluice_stable_offset_stopped_groups"] == 1, 30, lambda: "the alarm")
    assert f"share group {name} are not mirrored any more" in sluice.log()
    assert committed(kafka, name) == {(name, 0): 7, (name, 1): 7}
    program.stop()
