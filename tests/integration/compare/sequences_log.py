# SPDX-License-Identifier: Apache-2.0
"""The log underneath: its start moves, topics go and come, transactions, compaction."""

import time

from codec import batches
from compare import Differs, sequence
from confluent_kafka import Producer
from kraw import FETCH, Writer, crc32c, fetch_body, read_fetch
from script import ACCEPT, GAP, RELEASE, Failed, Member, acquired

# Clients skip control records one by one otherwise.
CONTROL = Differs(r"records|acquired", "control records are not handed out")
CONTROL_ACK = Differs(r"ShareAcknowledge.*(error|message)$", "a control record was not handed out, so it cannot be acknowledged")


@sequence()
def log_start_before_first_fetch(s):
    t = s.topic(records=20)
    s.cluster.delete_records(t.name, 0, 10)
    s.start(t, offset=10)
    Member(s, "m").get(t)


@sequence()
def log_start_inside_a_batch(s):
    t = s.topic(records=20)
    s.cluster.delete_records(t.name, 0, 7)
    s.start(t, offset=7)
    Member(s, "m").get(t)


@sequence()
def log_start_moves_over_held_records(s):
    t = s.start(s.topic(records=20))
    m = Member(s, "m")
    m.get(t, max_records=10)
    s.cluster.delete_records(t.name, 0, 10)
    m.get(t)
    m.ack(t, {0: [(0, 9, ACCEPT)]})
    m.ack(t, {0: [(10, 19, ACCEPT)]})


@sequence()
def log_start_moves_over_released_records(s):
    t = s.start(s.topic(records=20))
    m = Member(s, "m")
    m.get(t, max_records=10)
    s.cluster.delete_records(t.name, 0, 10)
    m.ack(t, {0: [(0, 9, RELEASE)]})
    end = time.monotonic() + 20
    while time.monotonic() < end:  # one empty answer more or less, until the start is found
        a = s.raw("ShareFetch", 0, group=s.group, member="m", session_epoch=m.epochs[0], max_wait=1000)
        m.epochs[0] += 1
        if acquired(a):
            break
    s.record("acquired", acquired(a))
    m.ack(t, {0: [(10, 19, ACCEPT)]})


@sequence()
def log_all_deleted(s):
    t = s.start(s.topic(records=20))
    s.cluster.delete_records(t.name, 0, 20)
    m = Member(s, "m")
    m.fetch(t, wait=1000)
    s.produce(t, 3)
    end = time.monotonic() + 20
    while time.monotonic() < end:
        a = s.raw("ShareFetch", 0, group=s.group, member="m", session_epoch=m.epochs[0], max_wait=1000)
        m.epochs[0] += 1
        if acquired(a):
            break
    s.record("acquired", acquired(a))


@sequence(
    Differs(r"first$", "a start beyond the end of the log is put back to its end, as after truncation: nothing is skipped"),
)
def log_start_offset_beyond_the_end(s):
    t = s.start(s.topic(records=5), offset=8)
    m = Member(s, "m")
    m.fetch(t, wait=1000)
    s.produce(t, 5)
    m.get(None, node=0)


@sequence()
def reset_earliest(s):
    s.config(share_auto_offset_reset="earliest")
    t = s.topic(records=5)
    m = Member(s, "m").join(t, record=None)
    m.get(t)


@sequence()
def reset_latest(s):
    t = s.topic(records=5)
    m = Member(s, "m").join(t, record=None)
    m.fetch(t, wait=3000)
    s.produce(t, 3)
    m.get(t)


@sequence()
def reset_by_duration(s):
    s.config(share_auto_offset_reset="by_duration:PT1H")
    t = s.topic(records=5)
    m = Member(s, "m").join(t, record=None)
    m.get(t)


@sequence()
def new_partition_starts_at_zero(s):
    t = s.topic()
    m = Member(s, "m").join(t, record=None)
    s.grow(t, 2)
    s.produce(t, 4, partition=1)
    m.wait_assigned(2)
    m.get(t, (1,))


@sequence()
def topic_deleted_under_a_session(s):
    t = s.start(s.topic(records=5))
    m = Member(s, "m")
    m.get(t)
    s.delete(t)
    known = lambda a: any(x["name"] == t.name for g in a["groups"] for x in g["topics"])  # noqa: E731
    s.until("DescribeShareGroupOffsets", lambda a: not known(a), groups=[{"group": s.group, "topics": None}])
    m.ack(t, {0: [(0, 4, ACCEPT)]})
    m.fetch(node=0)


@sequence()
def topic_made_again(s):
    t = s.start(s.topic(records=5), offset=3)
    m = Member(s, "m")
    m.get(t)
    s.delete(t)
    again = s.topic(records=4)
    s.start(again, offset=1)
    Member(s, "n").gather(again, 3)
    s.ask("DescribeShareGroupOffsets", groups=[{"group": s.group, "topics": None}])


def special_batch(values, keys=None, attributes=0, producer=-1, epoch=-1, sequence_number=-1):
    """record_batch of a transaction, or with keys."""
    records = Writer()
    for delta, value in enumerate(values):
        one = Writer().i8(0).varint(0).varint(delta)
        one = one.varint(len(keys[delta])).raw(keys[delta]) if keys else one.varint(-1)
        one.varint(len(value)).raw(value).varint(0)
        records.varint(len(one.data)).raw(one.data)
    now = int(time.time() * 1000)
    body = Writer().i16(attributes).i32(len(values) - 1).i64(now).i64(now).i64(producer).i16(epoch).i32(sequence_number)
    body.i32(len(values)).raw(records.data)
    crc = crc32c(body.data).to_bytes(4, "big")
    tail = Writer().i32(-1).i8(2).raw(crc).raw(body.data)
    return bytes(Writer().i64(0).i32(len(tail.data)).raw(tail.data).data)


class Transaction:
    """One producer's transactions on one partition, at the transaction coordinator of this side."""

    def __init__(self, s):
        self.s, self.id = s, s.name + "-tx"
        self.sequence = 0
        end = time.monotonic() + 60
        while True:
            a = s.raw("FindCoordinator", 0, type=1, keys=[self.id])["coordinators"][0]
            if a["error"] == 0:
                self.node = a["node"]
                p = s.raw("InitProducerId", self.node, transactional=self.id, timeout=30000, producer=-1, epoch=-1)
                if p["error"] == 0:
                    break
            if time.monotonic() > end:
                raise Failed(f"no transactions: {a}", a["error"])
            time.sleep(0.2)
        self.producer, self.epoch = p["producer"], p["epoch"]

    def write(self, topic, count):
        ids = {"transactional": self.id, "producer": self.producer, "epoch": self.epoch}
        added = lambda a: a["results"][0]["partitions"][0]["error"] == 0  # noqa: E731
        self.s.until("AddPartitionsToTxn", added, node=self.node, topics=[{"name": topic.name, "partitions": [0]}], **ids)
        values = [b"tx-%d" % i for i in range(count)]
        data = special_batch(values, None, 0x10, self.producer, self.epoch, self.sequence)
        self.sequence += count
        self.s.produce_transactional(topic, self.id, data)

    def end(self, topic, commit):
        """Ends it, and waits for its marker: what is written next stands behind it."""
        wanted = self.s.high_watermark(topic) + 1
        ids = {"transactional": self.id, "producer": self.producer, "epoch": self.epoch}
        self.s.until("EndTxn", lambda a: a["error"] == 0, node=self.node, commit=commit, **ids)
        end = time.monotonic() + 30
        while self.s.high_watermark(topic) < wanted:
            if time.monotonic() > end:
                raise Failed(f"no marker in {topic.name}", -1)
            time.sleep(0.05)


@sequence(
    CONTROL,
    CONTROL_ACK,
)
def transaction_committed(s):
    t = s.start(s.topic(records=3))
    x = Transaction(s)
    x.write(t, 4)
    x.end(t, True)
    s.produce(t, 2)
    m = Member(s, "m")
    m.get(t)
    m.ack(t, {0: [(0, 6, ACCEPT), (7, 7, GAP), (8, 9, ACCEPT)]})


@sequence(
    CONTROL,
)
def transaction_aborted_read_uncommitted(s):
    t = s.start(s.topic(records=3))
    x = Transaction(s)
    x.write(t, 4)
    x.end(t, False)
    s.produce(t, 2)
    Member(s, "m").get(t)


@sequence(
    CONTROL,
)
def transaction_aborted_read_committed(s):
    s.config(share_isolation_level="read_committed")
    t = s.start(s.topic(records=3))
    x = Transaction(s)
    x.write(t, 4)
    x.end(t, False)
    s.produce(t, 2)
    m = Member(s, "m")
    m.get(t)
    m.ack(t, {0: [(0, 2, ACCEPT)]})
    m.ack(t, {0: [(3, 6, ACCEPT)]})
    m.ack(t, {0: [(7, 9, ACCEPT)]})


@sequence(
    CONTROL,
)
def transaction_open_read_committed(s):
    s.config(share_isolation_level="read_committed")
    t = s.start(s.topic(records=3))
    x = Transaction(s)
    x.write(t, 4)
    s.produce(t, 2)
    m = Member(s, "m")
    m.get(t)
    m.fetch(t, wait=500)
    x.end(t, True)
    m.get(t)


@sequence()
def transaction_open_read_uncommitted(s):
    t = s.start(s.topic(records=3))
    x = Transaction(s)
    x.write(t, 4)
    Member(s, "m").get(t)
    x.end(t, True)


@sequence(
    CONTROL,
)
def transaction_only_aborted(s):
    s.config(share_isolation_level="read_committed")
    t = s.start(s.topic())
    x = Transaction(s)
    x.write(t, 4)
    x.end(t, False)
    m = Member(s, "m")
    s.produce(t, 2)
    m.get(t)


def compressed(codec):
    """Batches that sluice must hand on as they are stored."""

    def run(s):
        t = s.start(s.topic())
        port = s.side.ports[0]
        options = {"bootstrap.servers": f"127.0.0.1:{port}", "compression.type": codec, "linger.ms": 500, "batch.num.messages": 5}
        producer = Producer(options)
        for i in range(10):
            producer.produce(t.name, b"%d" % i * 100, partition=0, timestamp=1_700_000_000_000 + i)
        if producer.flush(40):
            raise Failed(f"{codec} was not produced", -1)
        m = Member(s, "m")
        for _ in range(2):
            m.get(t, max_records=5, batch_size=5)
        m.ack(t, {0: [(0, 9, ACCEPT)]})

    run.__name__ = f"compressed_{codec}"
    return sequence()(run)


for one in ("gzip", "snappy", "lz4", "zstd"):
    compressed(one)


def keyed(s, topic, keys):
    s.cluster._produce_one(topic.name, 0, special_batch([b"v"] * len(keys), keys), 30)
    time.sleep(0.05)  # past segment.ms: the next one begins a segment


def stored(s, topic):
    """The batches that the log has."""
    port = s.cluster.leader_port(topic.name, 0)
    answer = read_fetch(s.cluster.request(FETCH, 15, fetch_body(topic.id, 0, 0, 0), port))
    return [(b["base"], b["last"], b["count"]) for b in batches(answer[1][0][2])]


@sequence(
    Differs(r"acquired", "offsets of a batch that is gone are not handed out"),
    Differs(r"start$", "Kafka tells the start of the last write, sluice the one that is true"),
)
def compaction_holes(s):
    """A batch with holes, one that is gone, and what follows."""
    settings = {"cleanup_policy": "compact", "segment_ms": 1, "min_cleanable_dirty_ratio": "0.01", "max_compaction_lag_ms": 1}
    t = s.start(s.topic(**settings))
    keyed(s, t, [b"a", b"b", b"c", b"d", b"e"])
    keyed(s, t, [b"a", b"c"])
    keyed(s, t, [b"a", b"c", b"f"])
    keyed(s, t, [b"z"])
    wanted = [(0, 4, 3), (7, 9, 3)]  # and 10, in a segment of its own: one Fetch reads one
    end = time.monotonic() + 90
    while stored(s, t) != wanted:
        if time.monotonic() > end:
            raise Failed(f"not compacted: {stored(s, t)}", -1)
        time.sleep(0.5)
    m = Member(s, "m")
    m.gather(t, None, up_to=10)
    m.ack(t, {0: [(0, 4, GAP, ACCEPT, GAP, ACCEPT, ACCEPT)]})
    m.ack(t, {0: [(5, 6, GAP)]})
    m.ack(t, {0: [(7, 10, ACCEPT)]})
    s.ask("DescribeShareGroupOffsets", groups=[{"group": s.group, "topics": None}])
