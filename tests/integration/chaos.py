# SPDX-License-Identifier: Apache-2.0
"""What a test in a storm needs: faults in turn, a producer, a share client that knows when it asked, and figures of the log."""

import itertools
import os
import random
import signal
import struct
import threading
import time

import kraw
from confluent_kafka import Consumer, KafkaException, Producer, TopicPartition
from harness import wait_until
from kraw import Cluster, Member

UNKNOWN_MEMBER_ID, FENCED_MEMBER_EPOCH = 25, 110


class Worker(threading.Thread):
    """A thread that works until it is stopped; what it raises comes up again in check()."""

    def __init__(self):
        super().__init__(daemon=True)
        self.ended = threading.Event()
        self.error = None

    def run(self):
        try:
            self.work()
        except BaseException as error:  # noqa: BLE001 - told by check()
            self.error = error

    def check(self):
        if self.error is not None:
            raise self.error

    def stop(self, seconds=120):
        self.ended.set()
        self.join(seconds)
        assert not self.is_alive(), f"{type(self).__name__} did not end within {seconds} s"
        self.check()


class BrokerFaults(Worker):
    """Kills, pauses and restarts one broker after the other; the next one only when all replicas are in sync again."""

    KINDS = ("kill", "pause", "restart")
    PAUSE_SECONDS = 8  # longer than the session of a broker (5 s): the others elect new leaders, and it wakes up deposed

    def __init__(self, kafka, topics, say):
        super().__init__()
        self.kafka, self.topics, self.say = kafka, topics, say
        self.done = dict.fromkeys(self.KINDS, 0)
        self.admin = Producer({"bootstrap.servers": kafka.bootstrap})

    def work(self):
        for number in itertools.count():
            # Each node meets each kind when there is time enough.
            kind, node = self.KINDS[number % 3], self.kafka.ids[(number + number // 3) % len(self.kafka.ids)]
            self.say(f"broker {node}: {kind}")
            getattr(self, kind)(node)
            self.done[kind] += 1
            self.say(f"broker {node}: back")
            wait_until(self.in_sync, 120, "all replicas of all topics in sync", every=0.5)
            self.say("all in sync")
            if self.ended.wait(random.uniform(1, 3)):
                return

    def kill(self, node):
        self.kafka.stop_node(node, kill=True)
        self.ended.wait(random.uniform(2, 6))
        self.kafka.start_node(node)

    def restart(self, node):
        self.kafka.stop_node(node)
        self.kafka.start_node(node)

    def pause(self, node):
        pid = self.kafka.pid(node)
        os.kill(pid, signal.SIGSTOP)
        try:
            self.ended.wait(self.PAUSE_SECONDS)
        finally:
            os.kill(pid, signal.SIGCONT)

    def in_sync(self):
        try:
            found = self.admin.list_topics(timeout=5)
        except KafkaException:
            return False
        partitions = [p for topic in self.topics for p in found.topics[topic].partitions.values()] if self.known(found) else []
        wanted = len(self.kafka.ids)
        return bool(partitions) and len(found.brokers) == wanted and all(len(p.isrs) == wanted for p in partitions)

    def known(self, found):
        return all(topic in found.topics and found.topics[topic].error is None for topic in self.topics)


class SluiceKills(Worker):
    """kill -9 and start again, every few seconds; one in four dies before it is ready."""

    READY_SECONDS = 90  # while a broker that leads the state partition sleeps, nothing can be loaded

    def __init__(self, sluice, say):
        super().__init__()
        self.sluice, self.say = sluice, say
        self.kills = 0
        self.slowest = 0.0

    def work(self):
        while not self.ended.wait(random.uniform(1.5, 5)):
            self.sluice.kill9()
            self.kills += 1
            began = time.monotonic()
            self.sluice.start(ready=0)
            if self.kills % 4 == 0:
                self.ended.wait(random.uniform(0, 1.5))
                continue
            self.sluice.wait_ready(self.READY_SECONDS)
            self.slowest = max(self.slowest, time.monotonic() - began)
        self.sluice.wait_ready(self.READY_SECONDS)


class Feeder(Worker):
    """Writes records, all replicas, each once, straight to the cluster, and keeps so many waiting that no client is idle."""

    def __init__(self, kafka, topic, waiting, programs):
        super().__init__()
        self.topic, self.waiting = topic, waiting
        self.seen = dict.fromkeys(programs, 0)
        self.delivered = set()
        self.written = {}
        self.failures = []
        # Small batches: a batch is handed out whole, and acknowledged with one request.
        self.producer = Producer(
            {"bootstrap.servers": kafka.bootstrap, "enable.idempotence": True, "linger.ms": 5, "batch.num.messages": 20,
             "message.timeout.ms": 120000}
        )  # fmt: skip

    def on_written(self, error, message):
        if error is not None:
            self.failures.append(error)
        else:
            self.written[message.partition(), message.offset()] = message.value().decode()

    def look(self):
        for program, seen in self.seen.items():
            new = program.snapshot(seen)
            self.seen[program] = seen + len(new)
            self.delivered.update((event["partition"], event["offset"]) for event in new if event["event"] == "record")

    def work(self):
        for number in itertools.count():
            while not self.ended.is_set() and number - len(self.delivered) >= self.waiting:
                self.look()
                self.producer.poll(0.02)
            if self.ended.is_set():
                break
            self.producer.produce(self.topic, value=f"{self.topic}/{number}", on_delivery=self.on_written)
            self.producer.poll(0)
        left = self.producer.flush(120)
        assert left == 0 and not self.failures, f"{left} records without an outcome, failures: {self.failures[:5]}"


class RawClient(Worker):
    """A share group member, byte by byte. It knows when it asked for a record, so of its deliveries none may be excused.

    Its events are those of the share client programs, with "asked": when the ShareFetch went out.
    """

    def __init__(self, sluice, group, topic, program):
        super().__init__()
        self.sluice, self.topic, self.program = sluice, topic, program
        self.lock = threading.Lock()
        self.events = []
        self.records = self.acked = self.breaks = 0
        self.confirmed = set()
        self.cluster = Cluster(sluice.bootstrap)
        self.member = Member(self.cluster, group, [topic])
        self.forget()

    def forget(self):
        """What ends with its connections: sessions, and the outcome of what is on its way."""
        for port in list(self.cluster.connections):
            self.cluster.drop(port)
        for one in self.member.connections.values():
            one.close()
        self.member.connections.clear()
        self.epochs, self.leaders, self.acks, self.heartbeat_at = {}, {}, {}, 0.0

    def work(self):
        while not self.ended.is_set():
            try:
                self.turn()
            except (OSError, AssertionError, kraw.Failed):
                for partition, batches in self.acks.items():
                    self.told(partition, batches, "the connection broke")
                self.breaks += 1
                self.forget()
                self.ended.wait(0.3)
        try:
            self.settle()
            self.member.leave()
        except (OSError, AssertionError):
            pass  # its records come back when the session ends

    def turn(self):
        if time.monotonic() >= self.heartbeat_at:
            self.heartbeat()
        assigned = [p for partitions in self.member.assignment.values() for p in partitions]
        if not assigned:
            self.ended.wait(0.1)
            return
        topic_id = next(iter(self.member.assignment))
        if not self.leaders:
            view = self.cluster.metadata([self.topic])
            led = view.topics[self.topic][2]
            self.leaders = {p: view.brokers[led[p][1]][1] for p in assigned if led.get(p, (1, -1))[1] in view.brokers}
        for port in set(self.leaders.values()):
            self.fetch(port, topic_id, [p for p in assigned if self.leaders.get(p) == port])

    def heartbeat(self):
        joining = self.member.epoch == 0
        error, interval = self.member.heartbeat(topics=[self.topic] if joining else None)
        assert error in (0, UNKNOWN_MEMBER_ID, FENCED_MEMBER_EPOCH) or error in kraw.RETRIABLE, f"heartbeat: error {error}"
        self.heartbeat_at = time.monotonic() + (max(interval, 100) / 1000 if error == 0 else 0.2)

    def fetch(self, port, topic_id, partitions):
        epoch = self.epochs.get(port, 0)
        sent = {p: sorted(self.acks.pop(p)) for p in partitions if epoch and p in self.acks}
        asked = time.monotonic()
        topics = {topic_id: {p: sent.get(p, []) for p in partitions}}
        try:
            answer = self.member.fetch(port, epoch, topics, max_wait_ms=200, max_records=random.randrange(1, 20))
        except (OSError, AssertionError):
            self.acks.update(sent)
            raise
        for p, batches in sent.items():
            one = answer.partitions.get((topic_id, p))
            self.told(p, batches, answer.error or (one.acknowledge_error if one else "not answered") or None)
        self.epochs[port] = 0 if answer.error else epoch + 1
        for (_, p), one in answer.partitions.items():
            if one.error:
                self.leaders = {}
            for first, last, count in one.acquired:
                self.take(p, first, last, count, asked)
        if random.random() < 0.5:
            self.settle()

    def take(self, partition, first, last, count, asked):
        kind = random.choices(("accept", "release", "reject"), (90, 8, 2))[0]
        code = {"accept": kraw.ACCEPT, "release": kraw.RELEASE, "reject": kraw.REJECT}[kind]
        self.acks.setdefault(partition, []).append((first, last, code))
        for offset in range(first, last + 1):
            self.add("record", partition, offset, delivery_count=count, asked=asked)
            self.records += 1

    def settle(self):
        """Acknowledges what is held in requests of their own; what is not sent here goes with the next fetch."""
        for partition in list(self.acks):
            port = self.leaders.get(partition)
            if not self.epochs.get(port):
                continue
            batches = sorted(self.acks[partition])
            topic_id = next(iter(self.member.assignment))
            error, parts = self.member.acknowledge(port, self.epochs[port], {topic_id: {partition: batches}})
            del self.acks[partition]
            self.told(partition, batches, error or parts.get((topic_id, partition), "not answered") or None)
            self.epochs[port] = 0 if error else self.epochs[port] + 1

    def told(self, partition, batches, error):
        kinds = {kraw.ACCEPT: "accept", kraw.RELEASE: "release", kraw.REJECT: "reject"}
        for first, last, code in batches:
            for offset in range(first, last + 1):
                self.add("acked", partition, offset, type=kinds[code], error=None if error is None else str(error))
                if error is None and code != kraw.RELEASE:
                    self.confirmed.add((partition, offset))

    def add(self, event, partition, offset, **more):
        with self.lock:
            self.events.append(
                {"event": event, "program": self.program, "consumer": 0, "partition": partition, "offset": offset,
                 "at": time.monotonic(), **more}
            )  # fmt: skip

    def snapshot(self, first=0):
        with self.lock:
            return self.events[first:]


def read_topic(kafka, topic, partitions):
    """{(partition, offset): value} of all that the cluster has."""
    consumer = Consumer({"bootstrap.servers": kafka.bootstrap, "group.id": "nobody", "enable.auto.commit": False})
    try:
        ends = {p: consumer.get_watermark_offsets(TopicPartition(topic, p), timeout=30)[1] for p in range(partitions)}
        consumer.assign([TopicPartition(topic, p, 0) for p in ends])
        found = {}
        deadline = time.monotonic() + 120
        while len(found) < sum(ends.values()) and time.monotonic() < deadline:
            for message in consumer.consume(1000, 1.0):
                if message.error() is None:
                    found[message.partition(), message.offset()] = message.value().decode()
        return found
    finally:
        consumer.close()


class LogSize(Worker):
    """How many bytes of the state topic count (behind its partitions' starts), and lie on disk, all the while."""

    EVERY_SECONDS = 3

    def __init__(self, kafka, topic, partitions):
        super().__init__()
        self.kafka, self.topic, self.partitions = kafka, topic, partitions
        self.samples = []  # (seconds, bytes that count, bytes on the disk of one broker, records ever written)
        self.began = time.monotonic()

    def work(self):
        consumer = Consumer({"bootstrap.servers": self.kafka.bootstrap, "group.id": "nobody"})
        try:
            while not self.ended.wait(self.EVERY_SECONDS):
                self.sample(consumer)
        finally:
            consumer.close()

    def sample(self, consumer):
        live = disk = written = 0
        try:
            for p in range(self.partitions):
                start, end = consumer.get_watermark_offsets(TopicPartition(self.topic, p), timeout=5)
                # A replica that is behind has less: the largest of them is the log.
                sizes = [self.sizes(node, p, start) for node in self.kafka.ids]
                live += max(size[0] for size in sizes)
                disk += max(size[1] for size in sizes)
                written += end
        except (KafkaException, OSError):
            return  # the leader is away, or a segment was deleted under our hands
        self.samples.append((round(time.monotonic() - self.began), live, disk, written))

    def sizes(self, node, partition, start):
        live = disk = 0
        for segment in sorted((self.kafka.dir / f"node-{node}" / "data" / f"{self.topic}-{partition}").glob("*.log")):
            size = segment.stat().st_size
            disk += size
            with segment.open("rb") as file:
                at = 0
                while at + 12 <= size:
                    file.seek(at)
                    base, length = struct.unpack(">qi", file.read(12))
                    if length <= 0:
                        break
                    live += (12 + length) * (base >= start)
                    at += 12 + length
        return live, disk
