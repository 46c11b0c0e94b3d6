# SPDX-License-Identifier: Apache-2.0
"""Heartbeats and descriptions: the order of checks, epochs, leaving, expiring, subscriptions."""

from compare import Differs, sequence
from script import Member

# Kafka initialises a share-partition after its first heartbeat; sluice does it before it answers.
AT_ONCE = Differs(r"assignment", "partitions in the first heartbeat's answer, one interval sooner")


@sequence()
def heartbeat_no_group_id(s):
    Member(s, "m", group="").heartbeat(0, ["t"])


@sequence()
def heartbeat_no_member_id(s):
    Member(s, "").heartbeat(0, ["t"])


@sequence(AT_ONCE)
def heartbeat_member_id_36(s):
    Member(s, "m" * 36).heartbeat(0, [s.topic()])


@sequence()
def heartbeat_member_id_37(s):
    Member(s, "m" * 37).heartbeat(0, ["t"])


@sequence()
def heartbeat_join_without_topics(s):
    Member(s, "m").heartbeat(0)
    Member(s, "m").heartbeat(0, [])


@sequence()
def heartbeat_epoch_below_minus_one(s):
    Member(s, "m").heartbeat(-2, ["t"])
    Member(s, "m").heartbeat(-2147483648, ["t"])


@sequence()
def heartbeat_empty_rack(s):
    Member(s, "m").heartbeat(0, ["t"], rack="")


@sequence()
def heartbeat_rack(s):
    t = s.topic()
    m = Member(s, "m").join(t)
    m.heartbeat(0, [t], rack="r1")
    s.ask("ShareGroupDescribe", groups=[s.group])


@sequence()
def heartbeat_unknown_group(s):
    Member(s, "m").heartbeat(1)
    Member(s, "m").heartbeat(-1)


@sequence()
def heartbeat_unknown_member(s):
    t = s.topic()
    Member(s, "m").join(t)
    Member(s, "other").heartbeat(1)
    Member(s, "other").heartbeat(-1)


@sequence(
    Differs(r"message$", "names the member's epoch, which is higher where assignment takes Kafka one more", always=False),
)
def heartbeat_epoch_too_high(s):
    m = Member(s, "m").join(s.topic())
    m.heartbeat(m.epoch + 1)
    m.heartbeat(m.epoch + 1000)
    m.heartbeat(m.epoch)


@sequence()
def heartbeat_rejoin_keeps_assignment(s):
    t = s.topic(partitions=3)
    m = Member(s, "m").join(t)
    m.heartbeat(0, [t])
    s.ask("ShareGroupDescribe", groups=[s.group])


@sequence()
def heartbeat_steady_has_no_assignment(s):
    t = s.topic()
    m = Member(s, "m").join(t)
    m.heartbeat(m.epoch)
    m.heartbeat(m.epoch, [t])


@sequence()
def heartbeat_leave(s):
    m = Member(s, "m").join(s.topic())
    m.heartbeat(-1)
    m.heartbeat(-1)
    m.heartbeat(m.epoch)
    s.ask("ShareGroupDescribe", groups=[s.group])


@sequence()
def heartbeat_leave_with_empty_topics(s):
    m = Member(s, "m").join(s.topic())
    m.heartbeat(-1, [])
    s.ask("ShareGroupDescribe", groups=[s.group])


@sequence(AT_ONCE)
def heartbeat_group_full(s):
    t = s.topic()
    for name in ("a", "b", "c"):
        Member(s, name).heartbeat(0, [t])
    Member(s, "d").heartbeat(0, [t])
    Member(s, "a").heartbeat(0, [t])
    Member(s, "a").heartbeat(-1)
    Member(s, "d").heartbeat(0, [t])


@sequence()
def heartbeat_unknown_topic_is_taken(s):
    m = Member(s, "m")
    m.heartbeat(0, [s.name + "-nowhere"])
    s.ask("ShareGroupDescribe", groups=[s.group])


@sequence()
def describe_unknown(s):
    s.ask("ShareGroupDescribe", groups=[s.group])
    s.ask("ShareGroupDescribe", node=s.coordinator(""), groups=[""])
    s.ask("ShareGroupDescribe", node=0, groups=[])


@sequence(
    Differs(r"operations$", "gap: authorised operations are not answered"),
)
def describe_with_operations(s):
    Member(s, "m").join(s.topic())
    s.ask("ShareGroupDescribe", groups=[s.group], operations=True)


@sequence()
def describe_twice_the_same(s):
    Member(s, "m").join(s.topic())
    s.ask("ShareGroupDescribe", groups=[s.group, s.group])


@sequence()
def heartbeat_grow_then_rejoin(s):
    t = s.topic()
    m = Member(s, "m").join(t)
    before = m.epoch
    s.topic("b")
    m.heartbeat(before, [t.name, s.name + "-b"], record=False)
    m.wait_assigned(2)
    m.heartbeat(m.epoch)
    m.heartbeat(0, [t.name])


@sequence()
def heartbeat_subscription_grows(s):
    a, b = s.topic("a"), s.topic("b", partitions=2)
    m = Member(s, "m").join(a)
    m.heartbeat(m.epoch, [a, b], record=False)
    m.wait_assigned(3)


@sequence()
def heartbeat_subscription_shrinks(s):
    a, b = s.topic("a"), s.topic("b", partitions=2)
    m = Member(s, "m").join(a, b)
    m.heartbeat(m.epoch, [a], record=False)
    m.wait_assigned(1)
    s.ask("ShareGroupDescribe", groups=[s.group])


@sequence()
def heartbeat_subscription_to_nothing(s):
    a = s.topic("a")
    m = Member(s, "m").join(a)
    m.heartbeat(m.epoch, [], record=False)
    m.wait_assigned(0)
    s.ask("ShareGroupDescribe", groups=[s.group])


@sequence()
def heartbeat_topic_appears(s):
    a = s.topic("a")
    m = Member(s, "m")
    m.join(a, names=[a.name, s.name + "-b"])
    s.topic("b")
    m.wait_assigned(2)


@sequence()
def heartbeat_topic_grows(s):
    a = s.topic("a")
    m = Member(s, "m").join(a)
    s.grow(a, 3)
    m.wait_assigned(3)


@sequence()
def heartbeat_topic_deleted(s):
    a, b = s.topic("a"), s.topic("b")
    m = Member(s, "m").join(a, b)
    s.delete(b)
    m.wait_assigned(1)
    s.ask("ShareGroupDescribe", groups=[s.group])


@sequence()
def heartbeat_topic_made_again(s):
    a = s.topic("a")
    m = Member(s, "m").join(a)
    s.delete(a)
    m.wait_assigned(0)
    s.topic("a")
    m.wait_assigned(1)


@sequence()
def heartbeat_expires(s):
    s.config(share_session_timeout_ms=2000, share_heartbeat_interval_ms=500)
    m = Member(s, "m").join(s.topic())
    s.until("ShareGroupDescribe", lambda a: a["groups"][0]["state"] == "Empty", groups=[s.group], record="expired")
    m.heartbeat(m.epoch)


@sequence()
def heartbeat_interval_of_the_group(s):
    s.config(share_heartbeat_interval_ms=700)
    t = s.topic()
    m = Member(s, "m").join(t)
    m.heartbeat(m.epoch)


@sequence()
def heartbeat_duplicate_topics(s):
    t = s.topic()
    m = Member(s, "m").join(t, names=[t.name, t.name])
    s.ask("ShareGroupDescribe", groups=[s.group])
    m.heartbeat(m.epoch)


@sequence()
def assignment_two_members_share_four(s):
    t = s.topic(partitions=4)
    a = Member(s, "a").join(t)
    b = Member(s, "b").join(t, partitions=2, record=None)
    a.wait_assigned(2, record=None)
    s.record("together", sorted(a.partitions() + b.partitions()))


@sequence()
def assignment_more_members_than_partitions(s):
    t = s.topic()
    a = Member(s, "a").join(t)
    b = Member(s, "b").join(t)
    a.heartbeat(a.epoch, record=False)
    s.record("both", [a.partitions(), b.partitions()])


@sequence()
def assignment_after_leave(s):
    t = s.topic(partitions=2)
    a = Member(s, "a").join(t)
    b = Member(s, "b").join(t, partitions=1, record=None)
    a.wait_assigned(1, record=None)
    b.heartbeat(-1)
    a.wait_assigned(2)


@sequence()
def assignment_different_topics(s):
    a, b = s.topic("a"), s.topic("b")
    Member(s, "m").join(a)
    Member(s, "n").join(b)
    s.ask("ShareGroupDescribe", groups=[s.group])


@sequence(
    Differs(r"operations$", "gap: authorised operations are not answered"),
)
def describe_empty_group(s):
    s.start(s.topic())
    s.ask("ShareGroupDescribe", groups=[s.group])
    s.ask("ShareGroupDescribe", groups=[s.group], operations=True)


@sequence()
def describe_before_assignment(s):
    Member(s, "m").join(s.topic(), partitions=0, names=[s.name + "-none"])
    s.ask("ShareGroupDescribe", groups=[s.group])


@sequence()
def heartbeat_long_group_id(s):
    Member(s, "m", group=s.name + "g" * 300).heartbeat(0, [s.name + "-none"])


@sequence()
def heartbeat_strange_group_id(s):
    group = s.name + ": /\u00e9\u4e2d"
    Member(s, "m", group=group).heartbeat(0, [s.name + "-none"])
    s.ask("ShareGroupDescribe", groups=[group])


@sequence()
def heartbeat_strange_topic_names(s):
    Member(s, "m").heartbeat(0, ["a b", "..", "x" * 300])
    s.ask("ShareGroupDescribe", groups=[s.group])


@sequence()
def heartbeat_leave_unknown_in_group(s):
    Member(s, "m").join(s.topic())
    Member(s, "n").heartbeat(-1, [])
