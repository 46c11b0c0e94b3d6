# SPDX-License-Identifier: Apache-2.0
"""Share groups beside groups of other kinds, and what is offered in ApiVersions."""

from codec import KEYS, decode
from compare import Differs, sequence
from script import Failed, Member

SHARE_APIS = (76, 77, 78, 79, 90, 91, 92)


def commit(s, topic, group=None):
    """An ordinary group without members that has an offset."""
    wanted = [{"name": topic.name, "partitions": [{"index": 0, "offset": 1, "leader_epoch": -1, "metadata": ""}]}]
    done = lambda a: all(p["error"] == 0 for t in a["topics"] for p in t["partitions"])  # noqa: E731
    s.until("OffsetCommit", done, group=group or s.group, generation=-1, member="", instance=None, topics=wanted)


def classic_member(s):
    """A member of a classic group: joined, its leader."""
    fields = {
        "group": s.group,
        "session_timeout": 45000,
        "rebalance_timeout": 60000,
        "type": "consumer",
        "protocols": [{"name": "range", "metadata": b"\0\0\0\0\0\0\0\0\0\0"}],
    }
    joined = lambda a: a["error"] == 0  # noqa: E731
    return s.until("JoinGroup", joined, version=3, member="", **fields)["member"]


def consumer_heartbeat(s, topic, epoch=0, member="c"):
    fields = {"instance": None, "rack": None, "rebalance_timeout": 60000, "assignor": None, "owned": []}
    done = lambda a: a["error"] not in (14, 15, 16)  # noqa: E731
    wanted = {"group": s.group, "member": member, "member_epoch": epoch, "topics": [topic.name], **fields}
    return s.until("ConsumerGroupHeartbeat", done, **wanted)


# The cluster is asked for its groups where that decides what happens, not for a text.
NOT_SHARE = Differs(r"(ShareGroupDescribe|DeleteShareGroupOffsets).*message$", "not found, where Kafka says of what kind it is not")


def known_topic(s):
    """A topic that sluice has seen."""
    return s.start(s.topic(), group=s.group + "-other")


def share_requests(s, topic):
    """Everything that names a share group."""
    Member(s, "m").heartbeat(0, [topic])
    Member(s, "m").heartbeat(1)
    s.ask("ShareGroupDescribe", groups=[s.group])
    s.ask("DescribeShareGroupOffsets", groups=[{"group": s.group, "topics": None}])
    s.ask("DescribeShareGroupOffsets", groups=[{"group": s.group, "topics": [{"name": topic.name, "partitions": [0]}]}])
    wanted = [{"name": topic.name, "partitions": [{"index": 0, "start": 1}]}]
    s.ask("AlterShareGroupOffsets", group=s.group, topics=wanted)
    s.ask("DeleteShareGroupOffsets", group=s.group, topics=[{"name": topic.name}])


@sequence(NOT_SHARE)
def share_requests_on_a_classic_group(s):
    t = known_topic(s)
    classic_member(s)
    share_requests(s, t)


@sequence(NOT_SHARE)
def share_requests_on_an_empty_classic_group(s):
    t = known_topic(s)
    commit(s, t)
    share_requests(s, t)


@sequence(NOT_SHARE)
def share_requests_on_a_consumer_group(s):
    t = known_topic(s)
    consumer_heartbeat(s, t)
    share_requests(s, t)


@sequence(NOT_SHARE)
def share_requests_on_an_empty_consumer_group(s):
    t = known_topic(s)
    a = consumer_heartbeat(s, t)
    if a["error"]:
        raise Failed("no consumer group", a["error"])
    consumer_heartbeat(s, t, epoch=-1)
    share_requests(s, t)


@sequence()
def other_kinds_on_a_share_group(s):
    t = s.topic()
    Member(s, "m").join(t)
    s.record("consumer", consumer_heartbeat(s, t))
    s.ask("ConsumerGroupDescribe", groups=[s.group])
    s.ask("DescribeGroups", groups=[s.group])


@sequence(
    Differs(r"v5", "the cluster's own: one that does not know this version says so, in version 0"),
)
def offered_in_all_versions(s):
    for version in range(6):
        fields = {"software": "compare", "software_version": "1", "cluster": None, "broker": -1}
        fields = {k: v for k, v in fields.items() if version >= (5 if k in ("cluster", "broker") else 3)}
        sent = s.send("ApiVersions", 0, version=version, connection=f"v{version}", **fields)
        answer = sent[2].receive()[1]
        error = answer.i16()
        answer.at -= 2
        a = decode(KEYS["ApiVersions"], 0 if error == 35 else version, answer)
        s.record(f"v{version}", [(k["key"], k["min"], k["max"]) for k in a["apis"] if k["key"] in SHARE_APIS])


@sequence(
    Differs(r"versions", "gap: DeleteGroups v3 and ListConfigResources v1 are not offered in front of a cluster that does not have them"),
)
def offered_for_groups(s):
    """What tools need of the APIs that are for all kinds of groups."""
    a = s.raw("ApiVersions", 0, version=3, software="compare", software_version="1")
    s.record("versions", {k["key"]: k["max"] for k in a["apis"] if k["key"] in (16, 42, 74)})
