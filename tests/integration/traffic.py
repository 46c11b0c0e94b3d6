# SPDX-License-Identifier: Apache-2.0
"""Ordinary librdkafka producers and consumers that go on through everything, and what must hold of what they wrote and read."""

import threading
import time
from collections import defaultdict

import confluent_kafka
from confluent_kafka import KafkaException, TopicPartition

from harness import promise

# How members of the groups share partitions: classic eager and cooperative, and the consumer protocol (KIP-848).
GROUPS = {
    "eager": {"partition.assignment.strategy": "range"},
    "cooperative": {"partition.assignment.strategy": "cooperative-sticky"},
    "consumer": {"group.protocol": "consumer"},
}
TRANSACTION = 10


class Worker:
    """A thread that works until it is told to stop; what goes wrong in it is kept."""

    def __init__(self):
        self.stop = threading.Event()
        self.trouble = []
        self.thread = threading.Thread(target=self._run, daemon=True)

    def start(self):
        self.thread.start()
        return self

    def _run(self):
        try:
            self.work()
        except Exception as error:
            self.trouble.append(repr(error))

    def finish(self, seconds=90):
        self.stop.set()
        self.thread.join(seconds)
        assert not self.thread.is_alive(), f"{type(self).__name__} did not end within {seconds} s"


def on_error(worker):
    """Errors that librdkafka tells: connections that break are none, it connects again; fatal ones are."""

    def told(error):
        if error.fatal() or not error.retriable() and error.code() not in TRANSIENT:
            worker.trouble.append(str(error))

    return told


TRANSIENT = {
    confluent_kafka.KafkaError._TRANSPORT,
    confluent_kafka.KafkaError._ALL_BROKERS_DOWN,
    confluent_kafka.KafkaError._RESOLVE,
    confluent_kafka.KafkaError._TIMED_OUT,
}


class Idempotent(Worker):
    """Writes 0, 1, 2 ... to each partition."""

    def __init__(self, bootstrap, topic, partitions):
        super().__init__()
        self.topic, self.partitions = topic, partitions
        self.written = 0
        self.producer = confluent_kafka.Producer(
            {
                "bootstrap.servers": bootstrap, "enable.idempotence": True, "linger.ms": 5,
                "message.timeout.ms": 120000, "topic.metadata.refresh.interval.ms": 1000, "error_cb": on_error(self),
            }
        )  # fmt: skip

    def work(self):
        while not self.stop.is_set():
            for partition in range(self.partitions):
                self.producer.produce(self.topic, str(self.written), partition=partition, on_delivery=self.delivered)
            self.written += 1
            self.producer.poll(0.01)
        assert self.producer.flush(60) == 0, "not all was written"
        self.producer = None

    def delivered(self, error, message):
        if error is not None:
            self.trouble.append(str(error))

    def expected(self):
        return {p: [str(i) for i in range(self.written)] for p in range(self.partitions)}


class Transactional(Worker):
    """Transactions of some records in each partition; every third is given up."""

    def __init__(self, bootstrap, topic, partitions):
        super().__init__()
        self.topic, self.partitions = topic, partitions
        self.committed = defaultdict(list)
        self.count = 0
        self.producer = confluent_kafka.Producer(
            {"bootstrap.servers": bootstrap, "transactional.id": topic, "linger.ms": 1, "error_cb": on_error(self)}
        )

    def work(self):
        self.again(lambda: self.producer.init_transactions(30))
        while not self.stop.is_set():
            self.count += 1
            values = [f"{self.count}/{i}" for i in range(TRANSACTION)]
            self.producer.begin_transaction()
            for partition in range(self.partitions):
                for value in values:
                    self.producer.produce(self.topic, value, partition=partition)
            if self.count % 3 and self.commit():
                for partition in range(self.partitions):
                    self.committed[partition] += values
            elif self.count % 3 == 0:
                self.again(lambda: self.producer.abort_transaction(30))
            time.sleep(0.02)
        self.producer = None

    def commit(self):
        """False: the cluster wants it given up, as it may."""
        try:
            self.again(lambda: self.producer.commit_transaction(30))
        except KafkaException as error:
            if not error.args[0].txn_requires_abort():
                raise
            self.again(lambda: self.producer.abort_transaction(30))
            return False
        return True

    @staticmethod
    def again(call, seconds=90):
        end = time.monotonic() + seconds
        while True:
            try:
                return call()
            except KafkaException as error:
                if not error.args[0].retriable() or time.monotonic() > end:
                    raise

    def expected(self):
        return dict(self.committed)


class Member(Worker):
    """One of a group; what it reads is noted by partition and offset for the whole group."""

    def __init__(self, bootstrap, topic, group, kind, seen):
        super().__init__()
        self.topic, self.seen, self.done = topic, seen, None
        self.consumer = confluent_kafka.Consumer(
            {
                "bootstrap.servers": bootstrap, "group.id": group, "auto.offset.reset": "earliest",
                "isolation.level": "read_committed", "topic.metadata.refresh.interval.ms": 1000,
                "error_cb": on_error(self), **GROUPS[kind],
            }
        )  # fmt: skip

    def work(self):
        self.consumer.subscribe([self.topic])
        while not self.stop.is_set():
            message = self.consumer.poll(0.2)
            if message is None:
                continue
            if message.error() is None:
                self.seen[message.partition(), message.offset()] = message.value().decode()
            elif not message.error().retriable() and message.error().code() not in TRANSIENT:
                self.trouble.append(str(message.error()))
        self.consumer.close()


def read_all(bootstrap, topic, partitions):
    """{partition: [values in the order of the log]} of what is committed."""
    found = defaultdict(list)
    consumer = confluent_kafka.Consumer(
        {"bootstrap.servers": bootstrap, "group.id": topic + "-reader", "isolation.level": "read_committed", "enable.auto.commit": False}
    )
    ends = {p: consumer.get_watermark_offsets(TopicPartition(topic, p), timeout=30)[1] for p in range(partitions)}
    consumer.assign([TopicPartition(topic, p, 0) for p in range(partitions)])
    end = time.monotonic() + 60
    while time.monotonic() < end:
        message = consumer.poll(0.5)
        if message is not None and message.error() is None:
            found[message.partition()].append(message.value().decode())
        places = {p.partition: p.offset for p in consumer.position([TopicPartition(topic, p) for p in range(partitions)])}
        if message is None and all(places[p] >= ends[p] or ends[p] == 0 for p in range(partitions)):
            break
    consumer.close()
    return dict(found)


class Mix:
    """All kinds of producers and groups on two topics."""

    def __init__(self, bootstrap, plain, transactional, partitions):
        self.bootstrap, self.partitions = bootstrap, partitions
        self.writers = {plain: Idempotent(bootstrap, plain, partitions), transactional: Transactional(bootstrap, transactional, partitions)}
        self.groups, self.members = {}, []
        for topic in self.writers:
            for kind in GROUPS:
                seen = self.groups[topic, kind] = {}
                self.members += [Member(bootstrap, topic, f"{topic}-{kind}", kind, seen) for _ in range(2)]
        for worker in self.workers():
            worker.start()

    def workers(self):
        return [*self.writers.values(), *self.members]

    def trouble(self):
        return [t for worker in self.workers() for t in worker.trouble]

    def counts(self):
        return [len(seen) for seen in self.groups.values()]

    def finish(self):
        """Writers end, readers catch up, and everything is as it was written."""
        for writer in self.writers.values():
            writer.finish()
        expected = {topic: writer.expected() for topic, writer in self.writers.items()}
        end = time.monotonic() + 60
        for (topic, _), seen in self.groups.items():
            want = sum(map(len, expected[topic].values()))
            while len(seen) < want and time.monotonic() < end:
                time.sleep(0.2)
        for member in self.members:
            member.finish()
        assert not self.trouble(), self.trouble()[:5]
        for topic in expected:
            self.same(f"the log of {topic}", read_all(self.bootstrap, topic, self.partitions), expected[topic])
        for (topic, kind), seen in self.groups.items():
            found = defaultdict(list)
            for (partition, _), value in sorted(seen.items()):
                found[partition].append(value)
            self.same(f"what the {kind} group read of {topic}", dict(found), expected[topic])

    @staticmethod
    def same(what, found, expected):
        for partition, want in expected.items():
            got = found.get(partition, [])
            if got != want:
                at = next((i for i, (a, b) in enumerate(zip(got, want)) if a != b), min(len(got), len(want)))
                text = f"{what}, partition {partition}: {len(got)} of {len(want)}, from {at} on {got[at : at + 3]}, not {want[at : at + 3]}"
                promise(False, text)
