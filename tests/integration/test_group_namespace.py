# SPDX-License-Identifier: Apache-2.0
"""One namespace of group ids: what ordinary groups' requests get on a share group's id. The answers are those that a
native 4.4.0 broker gives; every version that the cluster offers is asked."""

import time

import pytest

import kschema
from harness import kafka_tool, wait_until

MEMBER = "AAAAAAAAAAAAAAAAAAAAAA"
RETRIABLE = {7, 14, 15, 16}


def share_heartbeat(connection, group, topic, epoch=0):
    def joined():
        answer = connection.ask(
            "ShareGroupHeartbeat", 1, GroupId=group, MemberId=MEMBER, MemberEpoch=epoch, SubscribedTopicNames=[topic]
        )
        assert answer["ErrorCode"] in {0, *RETRIABLE}, answer
        return answer["ErrorCode"] == 0

    wait_until(joined, 30, f"a member in share group {group}", every=0.2)


@pytest.fixture
def raw(sluice, cluster, name):
    cluster.create_topic(name)
    with kschema.Connection(sluice.broker_port(1)) as connection:
        share_heartbeat(connection, name, name)
        yield connection


def each_version(raw, api, low=0):
    lowest, highest = raw.versions()[kschema.APIS[api].key]
    return range(max(low, lowest), highest + 1)


def test_membership(raw, name):
    for version in each_version(raw, "JoinGroup"):
        answer = raw.ask(
            "JoinGroup", version, GroupId=name, SessionTimeoutMs=30000, RebalanceTimeoutMs=30000, ProtocolType="consumer",
            Protocols=[{"Name": "range"}],
        ) if version else raw.ask("JoinGroup", 0, GroupId=name, SessionTimeoutMs=30000, ProtocolType="consumer", Protocols=[{"Name": "range"}])
        assert (answer["ErrorCode"], answer["GenerationId"], answer["Members"]) == (23, -1, []), answer
        assert answer["ProtocolName"] == (None if version >= 7 else ""), answer
    for version in each_version(raw, "SyncGroup"):
        answer = raw.ask("SyncGroup", version, GroupId=name, GenerationId=1, MemberId="m")
        assert answer["ErrorCode"] == 25, answer
    for version in each_version(raw, "Heartbeat"):
        assert raw.ask("Heartbeat", version, GroupId=name, GenerationId=1, MemberId="m")["ErrorCode"] == 25
    for version in each_version(raw, "LeaveGroup"):
        if version < 3:
            assert raw.ask("LeaveGroup", version, GroupId=name, MemberId="m")["ErrorCode"] == 25
            continue
        members = [{"MemberId": "m"}, {"MemberId": "", "GroupInstanceId": "i"}]
        answer = raw.ask("LeaveGroup", version, GroupId=name, Members=members)
        got = [(m["MemberId"], m["GroupInstanceId"], m["ErrorCode"]) for m in answer["Members"]]
        assert (answer["ErrorCode"], got) == (0, [("m", None, 25), ("", "i", 25)]), answer
    for version in each_version(raw, "ConsumerGroupHeartbeat"):
        answer = raw.ask(
            "ConsumerGroupHeartbeat", version, GroupId=name, MemberId=MEMBER, MemberEpoch=0, RebalanceTimeoutMs=10000,
            SubscribedTopicNames=[name], TopicPartitions=[],
        )
        assert answer == {
            "ThrottleTimeMs": 0, "ErrorCode": 69, "ErrorMessage": f"Group {name} is not a consumer group.", "MemberId": None,
            "MemberEpoch": 0, "HeartbeatIntervalMs": 0, "Assignment": None,
        }


def test_offsets(raw, name):
    topics = [{"Name": name, "Partitions": [{"PartitionIndex": p, "CommittedOffset": 3} for p in (0, 7)]}]
    want = {0: 69, 7: 3}

    def knows_topic():
        answer = raw.ask("OffsetCommit", 8, GroupId=name, Topics=topics)
        return answer["Topics"][0]["Partitions"][0]["ErrorCode"] == 69

    wait_until(knows_topic, 30, "the new topic is known", every=0.2)
    for version in range(each_version(raw, "OffsetCommit").start, 10):
        answer = raw.ask("OffsetCommit", version, GroupId=name, Topics=topics)
        assert {p["PartitionIndex"]: p["ErrorCode"] for p in answer["Topics"][0]["Partitions"]} == want, answer
    for version in range(each_version(raw, "TxnOffsetCommit").start, 6):
        answer = raw.ask(
            "TxnOffsetCommit", version, TransactionalId="t", GroupId=name, ProducerId=1, ProducerEpoch=0, Topics=topics
        )
        assert {p["PartitionIndex"]: p["ErrorCode"] for p in answer["Topics"][0]["Partitions"]} == want, answer
    answer = raw.ask("OffsetDelete", 0, GroupId=name, Topics=[{"Name": name, "Partitions": [{"PartitionIndex": 0}]}])
    assert (answer["ErrorCode"], answer["Topics"]) == (69, [])


def test_offset_fetch(raw, name):
    """No committed offsets, and other groups in the same request are the broker's."""
    other = name + "-other"
    topics = [{"Name": name, "PartitionIndexes": [0]}]

    def committed():
        commit = [{"Name": name, "Partitions": [{"PartitionIndex": 0, "CommittedOffset": 42}]}]
        answer = raw.ask("OffsetCommit", 8, GroupId=other, Topics=commit)
        return answer["Topics"][0]["Partitions"][0]["ErrorCode"] == 0

    wait_until(committed, 30, "an offset of an ordinary group", every=0.2)
    for version in range(each_version(raw, "OffsetFetch").start, 8):
        answer = raw.ask("OffsetFetch", version, GroupId=name, Topics=topics)
        (partition,) = answer["Topics"][0]["Partitions"]
        assert (partition["CommittedOffset"], partition["Metadata"], partition["ErrorCode"]) == (-1, "", 0)
        assert raw.ask("OffsetFetch", version, GroupId=other, Topics=topics)["Topics"][0]["Partitions"][0]["CommittedOffset"] == 42
    for version in range(8, min(9, each_version(raw, "OffsetFetch").stop - 1) + 1):
        for asked in ([name], [other], [name, other], [other, name, other]):
            answer = raw.ask("OffsetFetch", version, Groups=[{"GroupId": g, "Topics": topics} for g in asked])
            got = sorted((g["GroupId"], g["ErrorCode"], g["Topics"][0]["Partitions"][0]["CommittedOffset"]) for g in answer["Groups"])
            assert got == sorted((g, 0, -1 if g == name else 42) for g in asked), answer
        answer = raw.ask("OffsetFetch", version, Groups=[{"GroupId": name, "Topics": None}])
        assert answer["Groups"] == [{"GroupId": name, "Topics": [], "ErrorCode": 0}]


def test_describe(raw, name):
    for version in each_version(raw, "DescribeGroups"):
        answer = raw.ask("DescribeGroups", version, Groups=[name, name + "-none"])
        ours, other = sorted(answer["Groups"], key=lambda g: g["GroupId"])
        assert (ours["GroupState"], other["GroupState"]) == ("Dead", "Dead"), answer
        if version >= 6:
            assert (ours["ErrorCode"], ours["ErrorMessage"]) == (69, f"Group {name} is not a classic group."), answer
            assert other["ErrorCode"] == 69, answer
        else:
            assert ours["ErrorCode"] == other["ErrorCode"] == 0, answer
    for version in each_version(raw, "ConsumerGroupDescribe"):
        for asked in ([name], [name, name + "-none"]):
            answer = raw.ask("ConsumerGroupDescribe", version, GroupIds=asked)
            assert sorted(g["GroupId"] for g in answer["Groups"]) == asked
            (ours,) = [g for g in answer["Groups"] if g["GroupId"] == name]
            assert (ours["ErrorCode"], ours["ErrorMessage"]) == (69, f"Group {name} is not a consumer group."), ours
            assert ours["Members"] == [] and ours["AuthorizedOperations"] == -(2**31), ours


def test_order_of_pipelined_requests(raw, name):
    """Requests for a share group and for others in one write are answered in order."""
    other = name + "-other"
    wait_until(
        lambda: raw.ask("Heartbeat", 4, GroupId=other, GenerationId=1, MemberId="m")["ErrorCode"] == 25, 30, "a coordinator"
    )
    asked = [name, other, other, name, name, other] * 20
    data = b"".join(raw.encode("Heartbeat", 4, GroupId=g, GenerationId=1, MemberId="m") for g in asked)
    data += raw.encode("OffsetFetch", 8, Groups=[{"GroupId": g, "Topics": None} for g in (name, other)])
    for at in range(0, len(data), 701):  # also cut inside of headers and group ids
        raw.socket.sendall(data[at : at + 701])
        time.sleep(0.002)
    for _ in asked:
        assert raw.receive()["ErrorCode"] == 25
    assert sorted(g["GroupId"] for g in raw.receive()["Groups"]) == sorted([name, other])


def test_lists(raw, kafka, name):
    """A group of that id on the cluster is hidden behind the share group."""
    other = name + "-ordinary"
    topics = [{"Name": name, "Partitions": [{"PartitionIndex": 0, "CommittedOffset": 1}]}]
    # Made past sluice, since the id is a share group's by now: the cluster has it, and sluice a share group of its id.
    share_heartbeat(raw, other, name)
    with kschema.Connection(kafka.port_of(1)) as direct:
        wait_until(
            lambda: direct.ask("OffsetCommit", 8, GroupId=other, Topics=topics)["Topics"][0]["Partitions"][0]["ErrorCode"] == 0,
            30, "an offset of an ordinary group",
        )
        assert other in [g["GroupId"] for g in direct.ask("ListGroups", 4)["Groups"]]
    for version in each_version(raw, "ListGroups"):
        groups = [g for g in raw.ask("ListGroups", version)["Groups"] if g["GroupId"] in (name, other)]
        assert sorted(g["GroupId"] for g in groups) == [name, other], groups
        assert {g["ProtocolType"] for g in groups} == {"share"}, groups
        if version >= 5:
            assert {g["GroupType"] for g in groups} == {"share"}, groups
    assert raw.ask("OffsetFetch", 8, Groups=[{"GroupId": other, "Topics": None}])["Groups"][0]["Topics"] == []


def test_tools(raw, sluice, name):
    """Kafka's own tools say what they say to a native broker."""
    text = kafka_tool("consumer.group.ConsumerGroupCommand", "--bootstrap-server", sluice.bootstrap, "--list").stdout
    assert name not in text.split(), text
    result = kafka_tool(
        "consumer.group.ConsumerGroupCommand", "--bootstrap-server", sluice.bootstrap, "--describe", "--group", name, check=False
    )
    assert f"Group {name} is not a consumer group." in result.stdout + result.stderr, result
    text = kafka_tool("GroupsCommand", "--bootstrap-server", sluice.bootstrap, "--list").stdout
    assert [line.split()[1:] for line in text.splitlines() if line.split()[:1] == [name]] == [["Share", "share"]], text
