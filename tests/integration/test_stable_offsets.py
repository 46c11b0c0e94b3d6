# SPDX-License-Identifier: Apache-2.0
"""Stable offsets as ordinary committed offsets on the cluster: seen by its own tools, taken up by others, never over another's."""

import re
import threading
import time
import uuid

import pytest
from confluent_kafka import Consumer, ConsumerGroupTopicPartitions, KafkaException
from confluent_kafka.admin import AdminClient

from harness import kafka_tool, promise, wait_until
from kraw import ACCEPT, SHARE_GROUP_HEARTBEAT, Cluster, Connection, Member, heartbeat_body, read_heartbeat

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
    """A share group that has read everything; returns its sluice. Its state topic is its own: it counts no groups of other tests."""
    own = {"state.topic": f"state-{name}", "state.topic.num.partitions": 2}
    sluice = make_sluice(kafka.bootstrap, **{"stable.offset.commit.interval.ms": 500, **own, **options})
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


class Samples(threading.Thread):
    """The group's offset of partition 0 as the cluster tells it, again and again."""

    def __init__(self, kafka, group, topic):
        super().__init__(daemon=True)
        self.admin = AdminClient({"bootstrap.servers": kafka.bootstrap})
        self.group, self.topic = group, topic
        self.seen = []
        self.ended = threading.Event()
        self.start()

    def run(self):
        while not self.ended.wait(0.05):
            try:
                asked = [ConsumerGroupTopicPartitions(self.group)]
                found = self.admin.list_consumer_group_offsets(asked)[self.group].result(10).topic_partitions
            except KafkaException:
                continue
            self.seen += [one.offset for one in found if one.topic == self.topic and one.partition == 0 and one.offset >= 0]

    def last(self):
        return self.seen[-1] if self.seen else None

    def stop(self):
        self.ended.set()
        self.join(20)


def test_trails_and_never_leads(kafka, make_sluice, share_clients, name):
    """One member holds a record while others go on behind it: the cluster is never told an offset beyond what is held."""
    sluice = make_sluice(kafka.bootstrap, **{"stable.offset.commit.interval.ms": 100})
    with Cluster(sluice.bootstrap) as cluster:
        topic_id = cluster.create_topic(name)
        cluster.group_config(name, share_auto_offset_reset="earliest", share_record_lock_duration_ms=60000)
        cluster.produce(name, [str(i) for i in range(50)], batch=5)
        samples = Samples(kafka, name, name)
        program = share_clients.start("go", sluice.bootstrap, name, name, consumers=2, max_poll=5)
        program.wait_confirmed(50, 60)
        program.stop()
        with Member(cluster, name, [name]) as member:
            member.join(1)
            port = cluster.leader_port(name, 0)
            cluster.produce(name, [str(i) for i in range(50, 100)], batch=5)
            epoch, held = 0, []
            while not held:
                answer = member.fetch(port, epoch, {topic_id: {0: []}}, max_wait_ms=1000, max_records=3)
                assert answer.error == 0, answer.message
                held, epoch = answer.partitions[topic_id, 0].acquired if answer.partitions else [], epoch + 1
            first, last = held[0][0], held[-1][1]
            assert first == 50
            program = share_clients.start("python", sluice.bootstrap, name, name, consumers=2, max_poll=5)
            cluster.produce(name, [str(i) for i in range(100, 600)], batch=5)
            end = time.monotonic() + 90
            while len(program.confirmed) < 600 - 50 - (last - first + 1):
                member.heartbeat()
                time.sleep(0.2)
                assert time.monotonic() < end, str(program)
            wait_until(lambda: samples.last() == first, 30, lambda: f"the mirror to be at {first}: {samples.seen[-5:]}")
            time.sleep(1)
            promise(max(samples.seen) <= first, lambda: f"{max(samples.seen)} is mirrored while {first} is held")
            error, parts = member.acknowledge(port, epoch, {topic_id: {0: [(f, l, ACCEPT) for f, l, _ in held]}})
            assert (error, parts) == (0, {(topic_id, 0): 0})
            wait_until(lambda: samples.last() == 600, 30, lambda: f"all to be mirrored: {samples.seen[-5:]}")
            member.leave()
    samples.stop()
    assert samples.seen == sorted(samples.seen), "it went back"
    program.stop()


def ordinary_consumer(kafka, group, topic):
    options = {"bootstrap.servers": kafka.bootstrap, "group.id": group, "auto.offset.reset": "earliest"}
    consumer = Consumer({**options, "enable.auto.commit": False})
    consumer.subscribe([topic])
    return consumer


def test_ordinary_consumer_goes_on_where_the_group_stood(kafka, make_sluice, share_clients, name):
    sluice = drained(kafka, make_sluice, share_clients, name)
    both = {(name, 0): RECORDS // 2, (name, 1): RECORDS // 2}
    wait_until(lambda: committed(kafka, name) == both, 60, lambda: f"all mirrored: {committed(kafka, name)}", every=1)
    assert sluice.terminate() == 0
    with Cluster(kafka.bootstrap) as direct:
        late = direct.produce(name, [f"late {i}" for i in range(20)], 2)
    consumer, got = ordinary_consumer(kafka, name, name), {}
    end = time.monotonic() + 60
    while len(got) < 20 and time.monotonic() < end:
        got.update({(m.partition(), m.offset()): m.value().decode() for m in consumer.consume(100, 1.0) if not m.error()})
    consumer.close()
    assert got == late


def test_live_consumer_in_the_shadow_stops_mirroring(kafka, make_sluice, share_clients, name):
    """It joins past sluice under the share group's id: its offsets are its own from then on, and the share group works on."""
    sluice = drained(kafka, make_sluice, share_clients, name)
    wait_until(lambda: len(committed(kafka, name)) == 2, 60, lambda: "the shadow", every=1)
    consumer = ordinary_consumer(kafka, name, name)
    end = time.monotonic() + 60
    while not consumer.assignment() and time.monotonic() < end:
        consumer.consume(10, 0.5)
    assert consumer.assignment(), "the consumer was not let in"
    with Cluster(sluice.bootstrap) as cluster:
        cluster.produce(name, ["more"] * 20, 2)
    program = share_clients.start("go", sluice.bootstrap, name, name)
    program.wait_confirmed(20, 60)

    def stopped():
        consumer.consume(10, 0.1)
        return sluice.metrics()["sluice_stable_offset_stopped_groups"] == 1

    wait_until(stopped, 40, lambda: f"the alarm: {sluice.log()}")
    assert f"share group {name} are not mirrored any more" in sluice.log()
    consumer.close()
    program.stop()


def test_deleted_with_the_offsets(kafka, make_sluice, share_clients, name):
    sluice = drained(kafka, make_sluice, share_clients, name)
    wait_until(lambda: len(committed(kafka, name)) == 2, 60, lambda: "the shadow", every=1)
    command = ("consumer.group.ShareGroupCommand", "--bootstrap-server", sluice.bootstrap, "--group", name)
    delete = (*command, "--delete-offsets", "--topic", name)
    wait_until(lambda: "rror" not in kafka_tool(*delete, check=False).stdout, 60, lambda: "the offsets deleted", every=1)
    wait_until(lambda: not committed(kafka, name), 30, lambda: f"those of the shadow gone: {committed(kafka, name)}", every=1)
