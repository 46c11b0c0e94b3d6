# SPDX-License-Identifier: Apache-2.0
"""Share sessions: their epochs and errors, what they hold, how they end."""

import time
import uuid

from compare import Differs, sequence
from codec import ZERO
from script import ACCEPT, RELEASE, Member


@sequence()
def session_epoch_one_without_session(s):
    t = s.start(s.topic(records=5))
    Member(s, "m").fetch(t, epoch=1)
    Member(s, "m").ack(t, {0: [(0, 0, ACCEPT)]}, epoch=1)


@sequence()
def session_final_epoch_without_session(s):
    t = s.start(s.topic(records=5))
    Member(s, "m").fetch(t, epoch=-1)
    Member(s, "m").ack(t, {0: [(0, 0, ACCEPT)]}, epoch=-1)


@sequence()
def session_acknowledge_epoch_zero(s):
    t = s.start(s.topic(records=5))
    Member(s, "m").ack(t, {0: [(0, 0, ACCEPT)]}, epoch=0)


@sequence()
def session_epochs_count(s):
    t = s.start(s.topic(records=5))
    m = Member(s, "m")
    m.get(t)
    m.ack(t, {0: [(0, 4, ACCEPT)]})
    m.fetch(t, epoch=1)
    m.fetch(t, epoch=3)
    m.fetch(epoch=2, node=0)
    m.ack(t, {0: [(0, 4, ACCEPT)]}, epoch=7)


@sequence()
def session_acks_with_epoch_zero(s):
    t = s.start(s.topic(records=5))
    m = Member(s, "m")
    m.get(t)
    m.fetch(t, {0: [(0, 4, ACCEPT)]}, epoch=0)
    m.fetch(t, {0: [(0, 4, ACCEPT)]}, epoch=1)


@sequence()
def session_epoch_zero_keeps_locks(s):
    t = s.start(s.topic(records=5))
    m = Member(s, "m")
    m.get(t)
    m.fetch(t, epoch=0)
    m.ack(t, {0: [(0, 4, ACCEPT)]}, epoch=1)


@sequence()
def session_final_epoch_releases(s):
    t = s.start(s.topic(records=5))
    m = Member(s, "m")
    m.get(t)
    m.finish()
    m.fetch(t, epoch=1)
    Member(s, "n").gather(t, 5)


@sequence()
def session_final_epoch_with_acks(s):
    t = s.start(s.topic(records=6))
    m = Member(s, "m")
    m.get(t)
    m.fetch(t, {0: [(0, 1, ACCEPT)]}, epoch=-1)
    Member(s, "n").gather(t, 4)


@sequence()
def session_final_acknowledge(s):
    t = s.start(s.topic(records=6))
    m = Member(s, "m")
    m.get(t)
    m.ack(t, {0: [(0, 1, ACCEPT), (2, 2, RELEASE)]}, epoch=-1)
    Member(s, "n").gather(t, 4)


@sequence()
def session_forgotten_topic(s):
    t = s.start(s.topic(records=5, partitions=2))
    m = Member(s, "m")
    m.get(t, node=0)
    m.fetch(node=0, forgotten=[{"topic": t.id, "partitions": [0]}])
    s.produce(t, 3)
    m.fetch(node=0)
    m.ack(t, {0: [(0, 4, ACCEPT)]})


@sequence()
def session_added_and_forgotten_at_once(s):
    t = s.start(s.topic(records=5))
    m = Member(s, "m")
    m.get(t)
    m.fetch(t, {0: [(0, 4, ACCEPT)]}, forgotten=[{"topic": t.id, "partitions": [0]}])
    s.produce(t, 3)
    m.fetch(node=0)


@sequence()
def session_forget_unknown(s):
    t = s.start(s.topic(records=5))
    m = Member(s, "m")
    m.get(t)
    m.fetch(node=0, forgotten=[{"topic": t.id, "partitions": [7]}, {"topic": ZERO, "partitions": [0]}])


@sequence()
def session_empty(s):
    m = Member(s, "m")
    s.start(s.topic())
    m.fetch(node=0)
    m.fetch(node=0)
    m.finish()
    m.finish()


@sequence()
def session_unknown_topic_id(s):
    t = s.start(s.topic(records=5))
    m = Member(s, "m")
    unknown = {"topic": uuid.UUID(int=77 << 64 | 5), "partitions": [{"index": 0, "acks": []}]}
    s.ask("ShareFetch", 0, group=s.group, member=m.id, session_epoch=0, topics=[unknown])
    s.ask("ShareFetch", 0, group=s.group, member=m.id, session_epoch=1)
    m.fetch(t, epoch=2, wait=20000)


@sequence()
def session_unknown_partition(s):
    t = s.start(s.topic(records=5))
    m = Member(s, "m")
    m.fetch(t, partitions=(9,), node=0)
    m.fetch(t, partitions=(-1,), node=0)


@sequence(
    Differs(r"partitions|endpoints", "any node serves any partition: nothing to be found again after a leader change"),
)
def session_partition_of_another_node(s):
    t = s.start(s.topic(records=5, first_node=1))
    Member(s, "m").fetch(t, node=0, wait=1000)


@sequence(
    Differs(r"error|message", "any node serves any partition: nothing to be found again after a leader change"),
)
def acknowledge_partition_of_another_node(s):
    a, b = s.start(s.topic("a", records=5)), s.start(s.topic("b", records=5, first_node=1))
    m = Member(s, "m")
    m.get(a)
    m.get(b)
    m.ack(b, {0: [(0, 4, ACCEPT)]}, node=0)
    m.ack(b, {0: [(0, 4, ACCEPT)]}, node=1)


@sequence()
def session_one_a_node(s):
    t = s.start(s.topic(records=5, partitions=3))
    m = Member(s, "m")
    for p in range(3):
        m.get(t, (p,))
    for p in range(3):
        m.ack(t, {p: [(0, 4, ACCEPT)]})
    for p in range(3):
        m.finish(p)


@sequence(
    Differs(r"ShareFetch", "Kafka fails on an entry that comes twice; clients send such requests"),
)
def session_duplicate_topic_entries(s):
    t = s.start(s.topic(records=5))
    twice = [{"topic": t.id, "partitions": [{"index": 0, "acks": []}]}] * 2
    s.ask("ShareFetch", 0, group=s.group, member="m", session_epoch=0, topics=twice, max_wait=20000)
    s.ask("ShareFetch", 0, group=s.group, member="m", session_epoch=1)


@sequence(
    Differs(r"ShareFetch", "Kafka fails on an entry that comes twice; clients send such requests"),
)
def session_duplicate_partitions(s):
    t = s.start(s.topic(records=5))
    twice = [{"topic": t.id, "partitions": [{"index": 0, "acks": []}] * 2}]
    s.ask("ShareFetch", 0, group=s.group, member="m", session_epoch=0, topics=twice, max_wait=20000)


@sequence()
def session_two_connections(s):
    t = s.start(s.topic(records=5))
    m = Member(s, "m")
    m.get(t)
    m.connection = "second"
    m.ack(t, {0: [(0, 1, ACCEPT)]})
    m.fetch(t, {0: [(2, 4, ACCEPT)]})


@sequence()
def session_disconnect_releases(s):
    t = s.start(s.topic(records=5))
    m = Member(s, "m", connection="doomed")
    m.get(t)
    s.drop(0, "doomed")
    Member(s, "n").gather(t, 5)
    m.connection = ""
    m.ack(t, {0: [(0, 4, ACCEPT)]})


@sequence(
    Differs(r"^[45] .*(error|lock_timeout)$", "an empty group id is refused as it is in a heartbeat; Kafka opens a session for it"),
)
def session_null_ids(s):
    for group, member in ((None, "m"), (s.group, None), ("", "m"), (s.group, ""), (s.group, "m" * 37)):
        s.ask("ShareFetch", 0, group=group, member=member, session_epoch=0)
        s.ask("ShareAcknowledge", 0, group=group, member=member, session_epoch=1)


@sequence()
def session_negative_epochs(s):
    t = s.start(s.topic(records=5))
    m = Member(s, "m")
    m.get(t)
    m.fetch(t, epoch=-2)
    m.fetch(t, epoch=-2147483648)
    m.ack(t, {0: [(0, 4, ACCEPT)]}, epoch=-2)


@sequence()
def session_of_unknown_group(s):
    t = s.topic(records=5)
    s.start(t, group=s.group + "-other")  # by now the topic is known
    Member(s, "m").fetch(t, wait=1000)


@sequence()
def session_first_answer_lists_all(s):
    t = s.start(s.topic(partitions=1))
    m = Member(s, "m")
    m.fetch(t)
    m.fetch(t)
    m.fetch()
    s.produce(t, 4)
    m.get(None, node=0)


@sequence()
def session_version_one(s):
    t = s.start(s.topic(records=5))
    m = Member(s, "m")
    m.get(t, version=1)
    m.ack(t, {0: [(0, 4, ACCEPT)]}, version=1)
    m.fetch(t, version=1)


@sequence()
def session_final_epoch_keeps_forgotten(s):
    t = s.start(s.topic(records=5))
    m, other = Member(s, "m"), Member(s, "n")
    other.fetch(node=0)
    m.get(t)
    m.fetch(node=0, forgotten=[{"topic": t.id, "partitions": [0]}])
    m.finish()
    other.fetch(t, wait=1000)


@sequence()
def session_max_wait_is_kept(s):
    t = s.start(s.topic())
    begin = time.monotonic()
    Member(s, "m").fetch(t, wait=1500)
    s.record("waited", {"at least 1.4 s": time.monotonic() - begin >= 1.4})


@sequence()
def session_wait_ends_with_records(s):
    t = s.start(s.topic())
    m = Member(s, "m")
    m.fetch(t)
    sent = s.send("ShareFetch", 0, group=s.group, member=m.id, session_epoch=1, max_wait=30000)
    s.produce(t, 3)
    begin = time.monotonic()
    s.record("woken", s.receive(sent))
    s.record("waited", {"less than 20 s": time.monotonic() - begin < 20})


@sequence()
def session_max_wait_zero(s):
    t = s.start(s.topic(records=3))
    m = Member(s, "m")
    m.get(t)
    m.fetch(t, wait=0)
    m.fetch(t, max_bytes=0)
    m.fetch(t, max_records=0, batch_size=0)


@sequence()
def session_first_answer_partly_empty(s):
    t = s.topic(partitions=4)
    s.produce(t, 5)
    s.start(t)
    m = Member(s, "m")
    m.get(t, partitions=(0, 3), node=0)
    s.produce(t, 5, partition=3)
    m.get(None, node=0)
