# SPDX-License-Identifier: Apache-2.0
"""What a fetch acquires, and what acknowledgements do to it."""

import time
import uuid

from compare import Differs, sequence
from script import ACCEPT, GAP, LIMIT, REJECT, RELEASE, RENEW, Member, ack


@sequence()
def acquire_all(s):
    t = s.start(s.topic(records=30, batch=10))
    m = Member(s, "m")
    m.get(t)
    m.fetch()


@sequence()
def acquire_batch_size(s):
    t = s.start(s.topic(records=30, batch=5))
    Member(s, "m").get(t, batch_size=7)


@sequence()
def acquire_max_records_in_batches(s):
    t = s.start(s.topic(records=30, batch=10))
    m = Member(s, "m")
    m.get(t, max_records=12, batch_size=12)
    m.get(t, partitions=(), node=0, max_records=5, batch_size=5)


@sequence()
def acquire_record_limit(s):
    t = s.start(s.topic(records=30, batch=10))
    m = Member(s, "m")
    m.get(t, max_records=12, batch_size=12, mode=LIMIT)
    m.get(t, max_records=3, batch_size=3, mode=LIMIT)


@sequence()
def acknowledge_accept(s):
    t = s.start(s.topic(records=10))
    m = Member(s, "m")
    m.get(t)
    m.ack(t, {0: [(0, 9, ACCEPT)]})
    m.ack(t, {0: [(0, 9, ACCEPT)]})
    m.fetch(t)


@sequence()
def acknowledge_each_type(s):
    t = s.start(s.topic(records=10))
    m = Member(s, "m")
    m.get(t)
    m.ack(t, {0: [(0, 9, ACCEPT, RELEASE, REJECT, GAP, ACCEPT, RELEASE, RELEASE, REJECT, GAP, ACCEPT)]})
    m.get(t)


@sequence()
def acknowledge_range_backward(s):
    t = s.start(s.topic(records=10))
    m = Member(s, "m")
    m.get(t)
    m.ack(t, {0: [(5, 3, ACCEPT)]})
    m.ack(t, {0: [(5, 6, ACCEPT), (3, 4, ACCEPT)]})
    m.ack(t, {0: [(0, 9, ACCEPT)]})


@sequence()
def acquire_max_records_exact_batch(s):
    t = s.start(s.topic(records=30, batch=10))
    m = Member(s, "m")
    for _ in range(3):
        m.get(t, max_records=10, batch_size=10)
    m.fetch(t, wait=2000, max_records=10, batch_size=10)


@sequence()
def acquire_record_limit_one_by_one(s):
    t = s.start(s.topic(records=5, batch=5))
    m = Member(s, "m")
    for _ in range(5):
        m.get(t, max_records=1, batch_size=1, mode=LIMIT)
    m.fetch(t, wait=1000, max_records=1, batch_size=1, mode=LIMIT)


@sequence(
    Differs(r"acquired", "one range where Kafka has two neighbours: the same offsets and count"),
)
def acquire_record_limit_then_batches(s):
    t = s.start(s.topic(records=20, batch=10))
    m = Member(s, "m")
    m.get(t, max_records=4, mode=LIMIT)
    m.get(t)
    m.fetch(t)


@sequence()
def acquire_batch_size_one(s):
    t = s.start(s.topic(records=9, batch=3))
    Member(s, "m").get(t, batch_size=1)


@sequence()
def acquire_batch_size_exact(s):
    t = s.start(s.topic(records=30, batch=10))
    Member(s, "m").get(t, batch_size=10)


@sequence()
def acquire_batch_size_in_record_limit(s):
    t = s.start(s.topic(records=30, batch=5))
    Member(s, "m").get(t, batch_size=5, mode=LIMIT)


@sequence(
    Differs(r"acquired", "Kafka sends a range that ends before it begins"),
)
def acquire_batch_size_zero(s):
    t = s.start(s.topic(records=6, batch=3))
    Member(s, "m").fetch(t, wait=1000, batch_size=0)


@sequence()
def acquire_unknown_mode(s):
    t = s.start(s.topic(records=6, batch=3))
    m = Member(s, "m")
    m.fetch(t, mode=2)
    m.fetch(t, mode=-1)


@sequence()
def acquire_max_bytes_one(s):
    t = s.start(s.topic(records=30, batch=10))
    m = Member(s, "m")
    for _ in range(3):
        m.get(t, max_bytes=1)
    m.fetch(t, wait=2000, max_bytes=1)


@sequence()
def acquire_max_bytes_two_batches(s):
    t = s.start(s.topic(records=30, batch=10))
    Member(s, "m").get(t, max_bytes=750)


@sequence()
def acquire_max_bytes_over_partitions(s):
    t = s.topic(partitions=4, records=20, batch=10)
    s.start(t)
    m = Member(s, "m")
    m.get(t, partitions=(0, 3), node=0, max_bytes=1)


@sequence()
def acquire_max_records_over_partitions(s):
    t = s.topic(partitions=4, records=10, batch=10)
    s.start(t)
    m = Member(s, "m")
    m.get(t, partitions=(0, 3), node=0, max_records=5)


@sequence()
def acquire_min_bytes(s):
    t = s.start(s.topic(records=2))
    m = Member(s, "m")
    m.fetch(t, wait=1500, min_bytes=100000)
    m.fetch(t, wait=100)


@sequence()
def acquire_locks_full(s):
    t = s.start(s.topic(records=260, batch=20))
    m = Member(s, "m")
    m.get(t)
    m.fetch(t)
    m.ack(t, {0: [(0, 39, ACCEPT)]})
    m.get(t)


@sequence()
def acquire_locks_full_by_one_big_batch(s):
    t = s.start(s.topic(records=400, batch=300))
    m = Member(s, "m")
    m.get(t)
    m.fetch(t)


@sequence()
def acquire_start_in_the_middle_of_a_batch(s):
    t = s.start(s.topic(records=20, batch=10), offset=4)
    m = Member(s, "m")
    m.get(t)
    m.ack(t, {0: [(0, 19, ACCEPT)]})
    m.ack(t, {0: [(4, 19, ACCEPT)]})


@sequence()
def acquire_two_members(s):
    t = s.start(s.topic(records=20, batch=10))
    Member(s, "a").get(t, max_records=10)
    Member(s, "b").get(t, max_records=10)
    Member(s, "c").fetch(t)


@sequence()
def acquire_two_groups(s):
    t = s.topic(records=10)
    s.start(t)
    s.start(t, group=s.group + "-other", offset=5)
    Member(s, "m").get(t)
    Member(s, "m", group=s.group + "-other", connection="other").get(t)


@sequence()
def released_is_acquired_again(s):
    t = s.start(s.topic(records=10))
    m = Member(s, "m")
    m.get(t)
    m.ack(t, {0: [(3, 5, RELEASE)]})
    m.get(t)
    m.ack(t, {0: [(4, 4, RELEASE)]})
    m.get(t)


@sequence()
def released_by_fetch(s):
    t = s.start(s.topic(records=10))
    m = Member(s, "m")
    m.get(t)
    m.fetch(t, {0: [(0, 9, RELEASE)]}, partitions=(), node=0, wait=0, max_bytes=0, max_records=0)
    m.get(t)


@sequence()
def delivery_limit_by_release(s):
    s.config(share_delivery_count_limit=2)
    t = s.start(s.topic(records=4))
    m = Member(s, "m")
    for _ in range(2):
        m.get(t)
        m.ack(t, {0: [(0, 3, RELEASE)]})
    m.fetch(t, wait=1000)
    s.produce(t, 1)
    m.get(t)


@sequence()
def delivery_limit_five(s):
    t = s.start(s.topic(records=1))
    m = Member(s, "m")
    for _ in range(5):
        m.get(t)
        m.ack(t, {0: [(0, 0, RELEASE)]})
    m.fetch(t, wait=1000)


@sequence()
def suspects_are_halved(s):
    t = s.start(s.topic(records=16, batch=16))
    m = Member(s, "m")
    for _ in range(3):
        m.get(t)
        m.ack(t, {0: [(0, 15, RELEASE)]})
    for _ in range(6):
        m.fetch(t, wait=2000)


@sequence()
def lock_timeout(s):
    s.config(share_record_lock_duration_ms=1000)
    t = s.start(s.topic(records=4))
    m = Member(s, "m")
    m.get(t)
    Member(s, "n").get(t)
    m.ack(t, {0: [(0, 3, ACCEPT)]})


@sequence()
def lock_timeout_to_the_same_member(s):
    s.config(share_record_lock_duration_ms=1000)
    t = s.start(s.topic(records=4))
    m = Member(s, "m")
    m.get(t)
    m.get(t)
    m.ack(t, {0: [(0, 3, ACCEPT)]})


@sequence()
def lock_timeout_to_the_limit(s):
    s.config(share_record_lock_duration_ms=1000, share_delivery_count_limit=2)
    t = s.start(s.topic(records=4))
    m = Member(s, "m")
    m.get(t)
    m.get(t)
    m.fetch(t, wait=2500)


@sequence()
def lock_renewed(s):
    s.config(share_record_lock_duration_ms=2000)
    t = s.start(s.topic(records=4))
    m = Member(s, "m")
    m.get(t)
    for _ in range(4):
        time.sleep(0.8)
        m.ack(t, {0: [(0, 3, RENEW)]}, renew=True)
    m.ack(t, {0: [(0, 3, ACCEPT)]})


@sequence()
def renew_by_fetch(s):
    t = s.start(s.topic(records=4))
    m = Member(s, "m")
    m.get(t)
    zero = {"max_wait": 0, "min_bytes": 0, "max_bytes": 0, "max_records": 0, "batch_size": 0}
    m.fetch(t, {0: [(0, 3, RENEW)]}, renew=True, **zero)
    m.fetch(t, {0: [(0, 3, RENEW)]}, renew=True)
    m.fetch(t, {0: [(0, 1, ACCEPT), (2, 3, RENEW)]}, renew=True, **zero)


@sequence()
def renew_without_flag(s):
    t = s.start(s.topic(records=4))
    m = Member(s, "m")
    m.get(t)
    m.ack(t, {0: [(0, 3, RENEW)]})
    m.ack(t, {0: [(0, 3, ACCEPT)]}, renew=True)


@sequence()
def renew_disabled(s):
    s.config(share_renew_acknowledge_enable="false")
    t = s.start(s.topic(records=4))
    m = Member(s, "m")
    m.get(t)
    m.ack(t, {0: [(0, 3, RENEW)]}, renew=True)
    m.ack(t, {0: [(0, 3, ACCEPT)]})


@sequence()
def renew_in_version_one(s):
    t = s.start(s.topic(records=4))
    m = Member(s, "m")
    m.get(t)
    m.ack(t, {0: [(0, 3, RENEW)]}, version=1)


@sequence()
def acknowledge_types_out_of_range(s):
    t = s.start(s.topic(records=4))
    m = Member(s, "m")
    m.get(t)
    m.ack(t, {0: [(0, 3, 5)]})
    m.ack(t, {0: [(0, 3, -1)]})
    m.ack(t, {0: [(0, 3)]})
    m.ack(t, {0: [(0, 3, 1, 1)]})
    m.ack(t, {0: [(0, 3, 1, 1, 1, 1, 1)]})
    m.ack(t, {0: [(0, 3, 1, 1, 1, 1)]})


@sequence()
def acknowledge_beyond_what_is_cached(s):
    t = s.start(s.topic(records=10))
    m = Member(s, "m")
    m.get(t)
    m.ack(t, {0: [(8, 12, ACCEPT)]})
    m.ack(t, {0: [(20, 22, ACCEPT)]})
    m.ack(t, {0: [(0, 9, ACCEPT)]})


@sequence()
def acknowledge_to_the_end_of_numbers(s):
    t = s.start(s.topic(records=10))
    m = Member(s, "m")
    m.get(t)
    m.ack(t, {0: [(0, 2**63 - 1, ACCEPT)]})
    m.ack(t, {0: [(-5, -1, ACCEPT)]})
    m.ack(t, {0: [(-(2**63), 2**63 - 1, ACCEPT)]})


@sequence(
    Differs(r"message$", "sluice's text names the mistake"),
)
def acknowledge_overlap_by_one(s):
    t = s.start(s.topic(records=10))
    m = Member(s, "m")
    m.get(t)
    m.ack(t, {0: [(0, 4, ACCEPT), (4, 9, ACCEPT)]})
    m.ack(t, {0: [(0, 9, ACCEPT)]})


@sequence()
def acknowledge_part_is_foreign(s):
    t = s.start(s.topic(records=20, batch=10))
    a, b = Member(s, "a"), Member(s, "b")
    a.get(t, max_records=10)
    b.get(t, max_records=10)
    a.ack(t, {0: [(0, 19, ACCEPT)]})
    b.ack(t, {0: [(0, 9, ACCEPT)]})
    a.ack(t, {0: [(0, 9, ACCEPT)]})
    b.ack(t, {0: [(10, 19, ACCEPT)]})


@sequence()
def acknowledge_out_of_order(s):
    t = s.start(s.topic(records=20, batch=5))
    m = Member(s, "m")
    m.get(t)
    m.ack(t, {0: [(15, 19, ACCEPT)]})
    m.ack(t, {0: [(5, 9, ACCEPT)]})
    m.ack(t, {0: [(0, 4, ACCEPT)]})
    m.ack(t, {0: [(0, 9, ACCEPT)]})
    m.ack(t, {0: [(10, 14, ACCEPT)]})


@sequence()
def acknowledge_across_ranges(s):
    t = s.start(s.topic(records=20, batch=5))
    m = Member(s, "m")
    m.get(t, batch_size=5)
    m.ack(t, {0: [(2, 17, ACCEPT)]})
    m.ack(t, {0: [(0, 1, REJECT), (18, 19, GAP)]})
    m.fetch(t)


@sequence()
def acknowledge_piggybacked(s):
    t = s.start(s.topic(records=10))
    m = Member(s, "m")
    m.get(t)
    m.fetch(t, {0: [(0, 4, ACCEPT)]})
    m.fetch(t, {0: [(0, 4, ACCEPT)]})
    m.fetch(t, {0: [(9, 5, ACCEPT)]})
    m.fetch(t, {0: [(5, 9, ACCEPT)]}, partitions=(), node=0)


@sequence()
def acknowledge_unknown_partition(s):
    t = s.start(s.topic(records=10))
    m = Member(s, "m")
    m.get(t)
    m.ack(t, {0: [(0, 4, ACCEPT)], 5: [(0, 0, ACCEPT)]}, node=0)
    m.fetch(t, {5: [(0, 0, ACCEPT)]}, partitions=(), node=0)


@sequence()
def acknowledge_unknown_topic(s):
    t = s.start(s.topic(records=10))
    m = Member(s, "m")
    m.get(t)
    wanted = {"topic": uuid.UUID(int=99 << 64 | 7), "partitions": [{"index": 0, "acks": [ack(0, 0, ACCEPT)]}]}
    s.ask("ShareAcknowledge", 0, group=s.group, member="m", session_epoch=1, topics=[wanted])


@sequence(
    Differs(r"topics$", "an entry without ranges is answered too; Kafka leaves it out"),
)
def acknowledge_empty_list(s):
    t = s.start(s.topic(records=10))
    m = Member(s, "m")
    m.get(t)
    m.ack(t, {0: []})
    m.ack(None, {}, node=0)


@sequence()
def acknowledge_never_fetched(s):
    a, b = s.start(s.topic("a", records=5)), s.start(s.topic("b", records=5))
    m = Member(s, "m")
    m.get(a)
    m.ack(b, {0: [(0, 0, ACCEPT)]})


@sequence(
    Differs(r"message$", "sluice has one text for records that nobody holds"),
)
def acknowledge_after_window_emptied(s):
    t = s.start(s.topic(records=10))
    m = Member(s, "m")
    m.get(t)
    m.ack(t, {0: [(0, 9, ACCEPT)]})
    m.ack(t, {0: [(3, 5, ACCEPT)]})
    m.ack(t, {0: [(10, 12, ACCEPT)]})


@sequence(
    Differs(r"start$", "Kafka tells the start of the last write, sluice the one that is true"),
)
def reject_everything(s):
    t = s.start(s.topic(records=10))
    m = Member(s, "m")
    m.get(t)
    m.ack(t, {0: [(0, 9, REJECT)]})
    m.fetch(t)
    s.ask("DescribeShareGroupOffsets", groups=[{"group": s.group, "topics": None}])


@sequence()
def one_failed_batch_fails_the_partition_only(s):
    t = s.topic(records=5, partitions=4)
    s.start(t)
    m = Member(s, "m")
    m.get(t, (0,), node=0)
    m.get(t, (0, 3), node=0)
    m.ack(t, {0: [(0, 1, ACCEPT), (3, 2, ACCEPT)], 3: [(0, 4, ACCEPT)]}, node=0)
    m.ack(t, {0: [(0, 4, ACCEPT)], 3: [(0, 4, ACCEPT)]}, node=0)
