# SPDX-License-Identifier: Apache-2.0
"""Where sluice does better than it has to: nobody waits while records are there, one slow record stops nothing, members take turns, and
a partition that hands out nothing says why."""

import threading
import time

import pytest

from harness import wait_until
from kraw import Cluster, Member

LONG_MS = 25000  # a fetch that was answered much earlier was not answered because its time was over
SOON = 12  # seconds, on a machine that has other things to do
LOCK_MS = 3000

pytestmark = pytest.mark.sluice_only


class Waiting:
    """A share fetch under way on its member's connection."""

    def __init__(self, member, port, epoch, topics, **options):
        self.answer, self.took, self.error = None, None, None
        self.thread = threading.Thread(target=self._run, args=(member, port, epoch, topics, options), daemon=True)
        self.begin = time.monotonic()
        self.thread.start()

    def _run(self, member, port, epoch, topics, options):
        try:
            self.answer = member.fetch(port, epoch, topics, max_wait_ms=LONG_MS, **options)
            self.took = time.monotonic() - self.begin
        except Exception as error:  # told in the test's own thread
            self.error = error

    def result(self):
        self.thread.join(LONG_MS / 1000 + 30)
        assert self.answer is not None, f"no answer: {self.error}"
        assert self.answer.error == 0, f"error {self.answer.error}: {self.answer.message}"
        return self.answer


class Group:
    """A group on a topic of one partition, read from its beginning, whose members are made by the test."""

    def __init__(self, cluster, sluice, name, **configs):
        self.cluster, self.sluice, self.name = cluster, sluice, name
        self.topic_id = cluster.create_topic(name)
        self.port = cluster.leader_port(name, 0)
        self.members = []
        cluster.group_config(name, share_auto_offset_reset="earliest", **configs)
        with Member(cluster, name, [name]) as one:
            one.join(1)  # from now on the partition has its start

    def produce(self, count, batch=10):
        self.cluster.produce(self.name, [f"{i}" for i in range(count)], batch=batch)

    def member(self):
        """A member whose session is open and has fetched nothing; its next epoch is 1."""
        one = Member(self.cluster, self.name, [self.name])
        self.members.append(one)
        answer = one.fetch(self.port, 0, self.parts(), max_records=0)
        assert answer.error == 0
        return one

    def parts(self, *acks):
        return {self.topic_id: {0: list(acks)}}

    def acquired(self, answer):
        part = answer.partitions.get((self.topic_id, 0))
        assert part is None or (part.error, part.acknowledge_error) == (0, 0), f"errors {part.error} {part.acknowledge_error}"
        return part.acquired if part else []

    def take(self, member, epoch, *acks, max_records=10, seconds=30):
        """Fetches until something came; (ranges, next epoch)."""
        end = time.monotonic() + seconds
        while True:
            answer = member.fetch(self.port, epoch, self.parts(*acks), max_records=max_records, max_wait_ms=2000)
            assert answer.error == 0, f"error {answer.error}: {answer.message}"
            epoch, acks = epoch + 1, ()
            if self.acquired(answer):
                return self.acquired(answer), epoch
            assert time.monotonic() < end, f"no records within {seconds} s"

    def wait_until_waiting(self, count=1):
        wait_until(lambda: self.sluice.metrics()["sluice_share_waiting_fetches"] == count, 30, f"{count} waiting fetches")

    def close(self):
        for one in self.members:
            one.__exit__()


@pytest.fixture
def make_group(sluice, cluster, name):
    made = []

    def make(**configs):
        made.append(Group(cluster, sluice, name, **configs))
        return made[-1]

    yield make
    for one in made:
        one.close()


@pytest.mark.parametrize("cause", ["record", "release", "expired lock", "closed session", "freed window"])
def test_a_waiting_fetch_is_answered_at_once(cause, make_group):
    group = make_group(share_record_lock_duration_ms=LOCK_MS if cause == "expired lock" else 60000, share_partition_max_record_locks=100)
    holder, waiter = group.member(), group.member()
    group.produce(120 if cause == "freed window" else 100, batch=100)
    ranges, epoch = group.take(holder, 1, max_records=100)
    assert ranges == [(0, 99, 1)]
    waiting = Waiting(waiter, group.port, 1, group.parts())
    if cause != "expired lock":  # which does not wait for us
        group.wait_until_waiting()
    start = time.monotonic()
    if cause == "record":
        holder.acknowledge(group.port, epoch, group.parts((0, 99, 1)))  # else the window is full
        group.produce(10)
    elif cause == "release":
        holder.acknowledge(group.port, epoch, group.parts((5, 9, 2)))
    elif cause == "closed session":
        holder.acknowledge(group.port, -1, {})
    elif cause == "freed window":
        holder.acknowledge(group.port, epoch, group.parts((90, 99, 1)))
    answer = waiting.result()
    took = time.monotonic() - start
    first = {"record": (100, 109, 1), "release": (5, 9, 2), "expired lock": (0, 99, 2), "closed session": (0, 99, 2), "freed window": (100, 119, 1)}
    assert group.acquired(answer) == [first[cause]]
    assert took < SOON, f"answered {took:.1f} s after there was something"


@pytest.mark.parametrize("span", [False, True])
def test_one_slow_record_does_not_stop_a_partition(span, kafka, make_sluice, name):
    options = {"group.share.partition.max.record.locks.span.enable": str(span).lower()}
    sluice = make_sluice(kafka.bootstrap, **options)
    with Cluster(sluice.bootstrap) as cluster:
        group = Group(cluster, sluice, name, share_partition_max_record_locks=100, share_record_lock_duration_ms=60000)
        slow, quick = group.member(), group.member()
        group.produce(600)
        assert group.take(slow, 1)[0] == [(0, 9, 1)]
        done, epoch, acks = 10, 1, ()
        while done < (100 if span else 600):
            ranges, epoch = group.take(quick, epoch, *acks)
            assert ranges == [(done, done + 9, 1)]
            acks = ((done, done + 9, 1),)
            done += 10
        if span:  # as far as the window reaches: 100 offsets from the slow ones on
            # The first one is answered at once with the result of its acknowledgement.
            for sent in (acks, ()):
                answer = quick.fetch(group.port, epoch, group.parts(*sent), max_records=10, max_wait_ms=1000)
                assert answer.error == 0 and group.acquired(answer) == []
                epoch += 1
            assert sluice.metrics()['sluice_share_stalled_fetches_total{reason="offset_span"}'] >= 1
        group.close()


def test_a_stalled_partition_says_why(make_group):
    group = make_group(share_partition_max_record_locks=100, share_record_lock_duration_ms=60000)
    holder, other = group.member(), group.member()
    group.produce(200, batch=100)
    assert group.take(holder, 1, max_records=100)[0] == [(0, 99, 1)]
    answer = other.fetch(group.port, 1, group.parts(), max_wait_ms=500)
    assert answer.error == 0 and group.acquired(answer) == []
    assert group.sluice.metrics()['sluice_share_stalled_fetches_total{reason="record_locks"}'] >= 1
    said = f"share group {group.name} hands out nothing from {group.name}-0: as many records as the group allows are held"
    wait_until(lambda: said in group.sluice.log(), 10, "a line in the log")


def test_who_waits_comes_before_who_gave_back(make_group):
    group = make_group(share_partition_max_record_locks=100, share_record_lock_duration_ms=60000)
    greedy, other = group.member(), group.member()
    group.produce(200)
    ranges, epoch = group.take(greedy, 1, max_records=100)
    assert ranges[0][0] == 0 and ranges[-1][1] == 99
    waiting = Waiting(other, group.port, 1, group.parts(), max_records=10)
    group.wait_until_waiting()
    # It gives ten back and asks for ten in one request: they are the other's. It is told at once what became of those that it gave
    # back: it holds more, and is not to wait until it can tell of them.
    again = Waiting(greedy, group.port, epoch, group.parts((0, 9, 1)), max_records=10)
    assert group.acquired(waiting.result()) == [(100, 109, 1)]
    assert waiting.took < SOON
    assert group.acquired(again.result()) == []
    assert again.took < SOON
    other.acknowledge(group.port, 2, group.parts((100, 109, 1)))
    assert group.take(greedy, epoch + 1)[0] == [(110, 119, 1)]


def test_a_suspect_batch_is_delivered_in_parts(make_group):
    group = make_group(share_record_lock_duration_ms=60000)
    one = group.member()
    group.produce(64, batch=64)
    epoch = 1
    for count in (1, 2, 3):
        ranges, epoch = group.take(one, epoch, max_records=500)
        assert ranges == [(0, 63, count)]
        one.acknowledge(group.port, epoch, group.parts((0, 63, 2)))
        epoch += 1
    ranges, epoch = group.take(one, epoch, max_records=500)
    assert ranges == [(0, 31, 4)]
    one.acknowledge(group.port, epoch, group.parts((0, 31, 2)))
    ranges, epoch = group.take(one, epoch + 1, max_records=500)
    assert ranges == [(0, 0, 5)]  # the last time alone
    ranges, epoch = group.take(one, epoch, (0, 0, 1), max_records=500)
    assert ranges == [(1, 1, 5)]
