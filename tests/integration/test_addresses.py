# SPDX-License-Identifier: Apache-2.0
"""No client ever gets a broker's own address: every byte to clients passes a recording relay.

The brokers advertise themselves as localhost, sluice as 127.0.0.1 with the relay's ports, so that a leaked address is
recognised by its name as well as by its port."""

import os
import struct
import subprocess
import threading
import time

import confluent_kafka
import pytest

import kraw
from harness import CLIENTS, TOOLS, check_confirmed_stays_done, kafka_tool, wait_until
from kraw import Cluster, Connection
from relay import Relay
from traffic import Mix

pytestmark = pytest.mark.sluice_only

NODES = 3
LONG = os.environ.get("SLUICE_LONG") == "1"


class Watched:
    """sluice behind a relay that stands at the addresses that sluice advertises."""

    def __init__(self, kafka, sluice, relay, base):
        self.kafka, self.sluice, self.relay = kafka, sluice, relay
        self.bootstrap = f"127.0.0.1:{base}"
        self.node_ports = {node: base + 1 + node for node in kafka.ids}

    def said(self):
        return [bytes(passage.to_client) for passage in self.relay.passages]

    def check(self, wanted_nodes=()):
        """No address of a broker in anything said to clients; those of sluice for the wanted nodes are there."""
        said = self.said()
        assert said, "nothing was recorded"
        for data in said:
            at = data.find(b"localhost")
            assert at < 0, f"the brokers' host name was sent to a client: {data[max(0, at - 60) : at + 60]!r}"
            for node in self.kafka.ids:
                port = struct.pack(">i", self.kafka.port_of(node))
                for host in (b"127.0.0.1", b"::1"):
                    assert host + port not in data, f"the address of broker {node} was sent to a client"
        for node in wanted_nodes:
            pattern = b"127.0.0.1" + struct.pack(">i", self.node_ports[node])
            assert any(pattern in data for data in said), f"sluice's own address for node {node} never came"


@pytest.fixture
def watched(kafka3, make_sluice, ports):
    base = ports.block(NODES + 2)
    sluice = make_sluice(kafka3.bootstrap, **{"advertised.listeners": f"PLAINTEXT://127.0.0.1:{base}"})
    pairs = {base + i: sluice.port + i for i in range(NODES + 1)}
    with Relay(pairs, record=True) as relay:
        yield Watched(kafka3, sluice, relay, base)


@pytest.fixture
def inside(watched):
    """Our own requests, through the relay too."""
    with Cluster(watched.bootstrap) as one:
        yield one


def test_every_version_that_carries_addresses(watched, inside, name):
    """Metadata, FindCoordinator and DescribeCluster, asked raw in all versions that 4.0 has."""
    inside.create_topic(name, NODES)
    with Connection(inside.port) as one:
        for version in range(0, 14):
            flexible = version >= 9
            body = kraw.Writer()
            if flexible:
                if version >= 10:
                    body.array([name], lambda w, n: w.uuid(kraw.uuid.UUID(int=0)).string(n).tags())
                else:
                    body.array([name], lambda w, n: w.string(n).tags())
            else:
                body.i32(1).old_string(name)
            if version >= 4:
                body.i8(0)
            if 8 <= version <= 10:
                body.i8(0)
            if version >= 8:
                body.i8(0)
            if flexible:
                body.tags()
            one.request(kraw.METADATA, version, body)
        for version in range(0, 7):
            body = kraw.Writer()
            if version >= 4:
                body.i8(0).array([name, name + "-2"], kraw.Writer.string).tags()
            elif version == 3:
                body.string(name).i8(0).tags()
            else:
                body.old_string(name)
                if version >= 1:
                    body.i8(0)
            one.request(kraw.FIND_COORDINATOR, version, body)
        for version in range(0, 3):
            body = kraw.Writer().i8(0)
            if version >= 1:
                body.i8(1)
            if version >= 2:
                body.i8(0)
            one.request(kraw.DESCRIBE_CLUSTER, version, body.tags())
    watched.check(watched.kafka.ids)


def test_leader_hints(watched, inside, name):
    """Produce v10+ and Fetch v16+ to a node that is not the leader name the leader's address."""
    topic_id = inside.create_topic(name, assignment={0: [0]})
    wanted = {0: ("127.0.0.1", watched.node_ports[0])}
    with Connection(watched.node_ports[1]) as one:
        batch = kraw.record_batch([b"x"])
        for version in (10, 11, 12):
            answer = one.request(kraw.PRODUCE, version, kraw.produce_body(name, {0: batch}))
            partitions, endpoints = kraw.read_produce(answer, version)
            assert partitions[0][0] == 6 and partitions[0][2] == 0, partitions
            assert endpoints == wanted, f"Produce v{version}"
        for version in (16, 17):
            error, partitions, endpoints = kraw.read_fetch(
                one.request(kraw.FETCH, version, kraw.fetch_body(topic_id, 0, 0, 100))
            )
            assert error == 0 and partitions[0][0] == 6 and partitions[0][3] == 0, partitions
            assert endpoints == wanted, f"Fetch v{version}"
    watched.check([0])


def test_tools(watched, inside, name):
    inside.create_topic(name, NODES, replicas=NODES)
    at = ("--bootstrap-server", watched.bootstrap)
    kafka_tool("ConsoleProducer", *at, "--topic", name, stdin="one\ntwo\n")
    kafka_tool("TopicCommand", *at, "--describe", "--topic", name)
    kafka_tool("ClusterTool", "list-endpoints", *at, check=False)
    kafka_tool("BrokerApiVersionsCommand", *at)
    for protocol in ("classic", "consumer"):
        kafka_tool(
            "consumer.ConsoleConsumer", *at, "--topic", name, "--from-beginning", "--group", f"{name}-{protocol}",
            "--command-property", f"group.protocol={protocol}", "--max-messages", "2", "--timeout-ms", "30000",
        )  # fmt: skip
        kafka_tool("consumer.group.ConsumerGroupCommand", *at, "--describe", "--group", f"{name}-{protocol}")
    watched.check(watched.kafka.ids)


class JavaTraffic:
    """Kafka's own producer and consumer, which go on through everything in processes of their own."""

    count = 6000

    def __init__(self, bootstrap, topic):
        run_class = [str(TOOLS / "kafka-run"), "4.4.0"]
        producer = ["org.apache.kafka.tools.ProducerPerformance", "--topic", topic, "--num-records", str(self.count)]
        producer += ["--record-size", "100", "--throughput", "200", "--command-property", f"bootstrap.servers={bootstrap}"]
        consumer = ["org.apache.kafka.tools.consumer.ConsoleConsumer", "--bootstrap-server", bootstrap, "--topic", topic]
        consumer += ["--from-beginning", "--group", topic + "-console", "--max-messages", str(self.count), "--timeout-ms", "90000"]
        self.programs = [
            subprocess.Popen(run_class + args, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            for args in (producer, consumer)
        ]

    def check(self):
        (producer, _), (consumer, count) = (program.communicate(timeout=120) for program in self.programs)
        assert f"{self.count} records sent" in producer, producer[-2000:]
        assert f"Processed a total of {self.count} messages" in consumer + count, count[-2000:]

    def finish(self):
        for program in self.programs:
            if program.poll() is None:
                program.kill()
                program.communicate()


class Traffic:
    """An ordinary librdkafka producer and consumer that go on through everything, in threads."""

    def __init__(self, bootstrap, topic):
        self.stop = threading.Event()
        self.delivered, self.consumed, self.trouble = set(), set(), []
        self.sent = 0
        common = {"bootstrap.servers": bootstrap, "topic.metadata.refresh.interval.ms": 1000}
        self.producer = confluent_kafka.Producer({**common, "linger.ms": 5, "message.timeout.ms": 60000})
        self.consumer = confluent_kafka.Consumer(
            {**common, "group.id": topic + "-classic", "auto.offset.reset": "earliest", "fetch.wait.max.ms": 100}
        )
        self.topic = topic
        self.threads = [threading.Thread(target=t) for t in (self.produce, self.consume)]
        for thread in self.threads:
            thread.start()

    def produce(self):
        while not self.stop.is_set():
            value = f"{self.sent}"
            self.producer.produce(self.topic, value, on_delivery=lambda e, m, v=value: self.on_delivery(e, v))
            self.sent += 1
            self.producer.poll(0)
            time.sleep(0.005)
            while len(self.producer) > 200 and not self.stop.is_set():
                self.producer.poll(0.05)
        self.producer.flush(60)

    def on_delivery(self, error, value):
        if error is None:
            self.delivered.add(value)
        else:
            self.trouble.append(str(error))

    def consume(self):
        self.consumer.subscribe([self.topic])
        while not self.all_consumed():
            message = self.consumer.poll(0.2)
            if message is not None and message.error() is None:
                self.consumed.add(message.value().decode())
        self.consumer.close()

    def all_consumed(self):
        """Only asked in this order: the last deliveries are known when the producer has ended."""
        if not self.stop.is_set() or self.threads[0].is_alive():
            return False
        return len(self.consumed) >= len(self.delivered) or time.monotonic() > self.end

    def finish(self, seconds=60):
        self.end = time.monotonic() + seconds
        self.stop.set()
        for thread in self.threads:
            thread.join(seconds + 30)
        self.producer = None  # has no close(): it ends when it is let go


@pytest.fixture
def java_traffic(watched, inside, name):
    inside.create_topic(name + "-java", NODES, replicas=NODES)
    traffic = JavaTraffic(watched.bootstrap, name + "-java")
    yield traffic
    traffic.finish()


def test_clients_through_restarts_and_moved_leaders(watched, inside, share_clients, java_traffic, name):
    """Each restart moves the leaders of the partitions and of the groups away from the node and leaves them there."""
    inside.create_topic(name, NODES, replicas=NODES)
    traffic = Traffic(watched.bootstrap, name)
    programs = []
    try:
        for client in CLIENTS:
            group = f"{name}-{client}"
            inside.group_config(group, share_auto_offset_reset="earliest")
            programs.append(share_clients.start(client, watched.bootstrap, group, name, consumers=2))
        for program in programs:
            program.wait_records(200, 60)
        for node in watched.kafka.ids[:2]:
            leaders = inside.metadata([name]).topics[name][2]
            assert any(leader == node for _, leader in leaders.values()), f"node {node} leads nothing: {leaders}"
            watched.kafka.stop_node(node)
            before = [len(program.delivered) for program in programs]
            for program, count in zip(programs, before):
                program.wait_records(count + 100, 60)
            watched.kafka.start_node(node)
            for program, count in zip(programs, before):
                program.wait_records(count + 200, 60)
    finally:
        traffic.finish()
    assert not traffic.trouble, traffic.trouble[:5]
    assert traffic.delivered <= traffic.consumed, f"{len(traffic.delivered - traffic.consumed)} never consumed"
    for program in programs:
        program.wait_for(
            lambda c: {r["value"] for r in c.records} >= traffic.delivered, 60, f"all {len(traffic.delivered)} records"
        )
        program.stop()
        check_confirmed_stays_done(program, killed=True)
    java_traffic.check()
    watched.check(watched.kafka.ids)


def test_nothing_is_lost_or_reordered(watched, inside, name):
    """Idempotent and transactional producers, classic and new groups, while brokers restart and leaders are moved back."""
    inside.create_topic(name, NODES, replicas=NODES, configs={"min.insync.replicas": "2"})
    inside.create_topic(name + "-txn", NODES, replicas=NODES, configs={"min.insync.replicas": "2"})
    mix = Mix(watched.bootstrap, name, name + "-txn", NODES)
    wait_until(lambda: min(mix.counts()) > 100, 60, lambda: f"all groups read: {mix.counts()}, {mix.trouble()}")
    for node in watched.kafka.ids if LONG else watched.kafka.ids[2:]:
        before = mix.counts()
        watched.kafka.stop_node(node)
        moved = [count + 100 for count in before]
        wait_until(lambda: all(a > b for a, b in zip(mix.counts(), moved)), 60, lambda: f"all go on: {before}, {mix.counts()}, {mix.trouble()}")
        watched.kafka.start_node(node)
        before = mix.counts()
        elect = ("--election-type", "PREFERRED", "--all-topic-partitions")
        kafka_tool("LeaderElectionCommand", "--bootstrap-server", watched.bootstrap, *elect, check=False)
        moved = [count + 100 for count in before]
        wait_until(lambda: all(a > b for a, b in zip(mix.counts(), moved)), 60, lambda: f"all go on: {before}, {mix.counts()}, {mix.trouble()}")
    mix.finish()
    watched.check(watched.kafka.ids)
