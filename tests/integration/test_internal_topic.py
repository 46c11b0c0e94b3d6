# SPDX-License-Identifier: Apache-2.0
"""The topic in which sluice keeps its state is internal: clients see it as such and cannot change it."""

import uuid

import pytest

import kraw
import kschema
from harness import wait_until

TOPIC = "__individual_commit_offsets"


@pytest.fixture
def raw(sluice, cluster, name):
    cluster.create_topic(name)
    with kschema.Connection(sluice.broker_port(1)) as connection:
        yield connection


def metadata(raw, version, *names):
    answer = raw.ask("Metadata", version, Topics=[{"Name": n} for n in names])
    return {t["Name"]: t for t in answer["Topics"]}


def topic_id(raw, name):
    return metadata(raw, 12, name)[name]["TopicId"]


def versions(raw, api, low=0):
    lowest, highest = raw.versions()[kschema.APIS[api].key]
    return range(max(low, lowest), highest + 1)


def still_there(raw):
    found = metadata(raw, 12, TOPIC)[TOPIC]
    return found["ErrorCode"] == 0 and found["IsInternal"]


def test_is_internal(raw, name):
    for version in versions(raw, "Metadata", 1):
        topics = metadata(raw, version, TOPIC, name)
        assert (topics[TOPIC]["IsInternal"], topics[name]["IsInternal"]) == (True, False), version
    answer = raw.ask("DescribeTopicPartitions", 0, Topics=[{"Name": TOPIC}, {"Name": name}])
    assert {t["Name"]: t["IsInternal"] for t in answer["Topics"]} == {TOPIC: True, name: False}


def test_produce(raw, name):
    batch = kraw.record_batch([b"x"])
    ids = {TOPIC: topic_id(raw, TOPIC), name: topic_id(raw, name)}

    def topic(version, name):
        return {**({"TopicId": ids[name]} if version >= 13 else {"Name": name}), "PartitionData": [{"Index": 0, "Records": batch}]}

    for version in versions(raw, "Produce", 3):
        for order in ((TOPIC, name), (name, TOPIC), (TOPIC,), (name,)):
            answer = raw.ask("Produce", version, Acks=-1, TimeoutMs=10000, TopicData=[topic(version, n) for n in order])
            names = {v: k for k, v in ids.items()}
            got = {
                names[t["TopicId"]] if version >= 13 else t["Name"]: t["PartitionResponses"][0]["ErrorCode"]
                for t in answer["Responses"]
            }
            assert got == {n: 17 if n == TOPIC else 0 for n in order}, (version, answer)
    # A large request is not held: the topic is found behind megabytes of another's records.
    big = kraw.record_batch([b"y" * 900000])
    data = [{"Name": name, "PartitionData": [{"Index": 0, "Records": big}]}, topic(9, TOPIC)]
    answer = raw.ask("Produce", 9, Acks=-1, TimeoutMs=10000, TopicData=data)
    assert {t["Name"]: t["PartitionResponses"][0]["ErrorCode"] for t in answer["Responses"]} == {name: 0, TOPIC: 17}


def test_delete_records(raw, name):
    for version in versions(raw, "DeleteRecords"):
        topics = [{"Name": n, "Partitions": [{"PartitionIndex": 0, "Offset": 0}]} for n in (name, TOPIC)]
        answer = raw.ask("DeleteRecords", version, Topics=topics, TimeoutMs=10000)
        got = {t["Name"]: t["Partitions"] for t in answer["Topics"]}
        assert got[TOPIC] == [{"PartitionIndex": 0, "LowWatermark": -1, "ErrorCode": 17}], answer
        assert got[name][0]["ErrorCode"] == 0, answer


def test_delete_topics(raw, name, cluster):
    for version in range(versions(raw, "DeleteTopics").start, 6):
        answer = raw.ask("DeleteTopics", version, TopicNames=[TOPIC, name + "-none"], TimeoutMs=10000)
        assert {r["Name"]: r["ErrorCode"] for r in answer["Responses"]} == {TOPIC: 29, name + "-none": 3}, answer
    by_id = topic_id(raw, TOPIC)
    answer = raw.ask(
        "DeleteTopics", 6, Topics=[{"TopicId": by_id}, {"Name": TOPIC}, {"Name": name}, {"Name": None, "TopicId": uuid.UUID(int=5)}],
        TimeoutMs=10000,
    )
    got = {(r["Name"], r["TopicId"].int): r["ErrorCode"] for r in answer["Responses"]}
    assert got[(None, by_id.int)] == 29 and got[(TOPIC, 0)] == 29, answer
    assert [e for (n, _), e in got.items() if n == name] == [0] and got[(None, 5)] == 100, answer
    assert "state.topic.writable" in answer["Responses"][0]["ErrorMessage"], answer
    assert still_there(raw)


def test_partitions_and_configs(raw, name):
    count = len(metadata(raw, 12, TOPIC)[TOPIC]["Partitions"])
    for version in versions(raw, "CreatePartitions"):
        topics = [{"Name": TOPIC, "Count": 99, "Assignments": None}, {"Name": name, "Count": 2 + version, "Assignments": None}]
        answer = raw.ask("CreatePartitions", version, Topics=topics, TimeoutMs=10000)
        assert {r["Name"]: r["ErrorCode"] for r in answer["Results"]} == {TOPIC: 29, name: 0}, answer
    assert len(metadata(raw, 12, TOPIC)[TOPIC]["Partitions"]) == count
    for api, extra in (("AlterConfigs", {}), ("IncrementalAlterConfigs", {"ConfigOperation": 0})):
        for version in versions(raw, api):
            configs = [{"Name": "retention.ms", "Value": "7200000", **extra}]
            resources = [{"ResourceType": 2, "ResourceName": n, "Configs": configs} for n in (TOPIC, name)]
            answer = raw.ask(api, version, Resources=resources)
            assert {r["ResourceName"]: r["ErrorCode"] for r in answer["Responses"]} == {TOPIC: 29, name: 0}, answer
    answer = raw.ask("DescribeConfigs", 4, Resources=[{"ResourceType": 2, "ResourceName": n, "ConfigurationKeys": ["retention.ms"]} for n in (TOPIC, name)])
    got = {r["ResourceName"]: r["Configs"][0]["Value"] for r in answer["Results"]}
    assert got == {TOPIC: "-1", name: "7200000"}, got


def test_transactions(raw, name):
    """It cannot be added to a transaction, and then nothing of the request is."""
    for version in range(versions(raw, "AddPartitionsToTxn").start, 4):
        topics = [{"Name": TOPIC, "Partitions": [0, 1]}, {"Name": name, "Partitions": [0]}]
        answer = raw.ask(
            "AddPartitionsToTxn", version, V3AndBelowTransactionalId="t", V3AndBelowProducerId=1, V3AndBelowProducerEpoch=0,
            V3AndBelowTopics=topics,
        )
        got = {t["Name"]: [p["PartitionErrorCode"] for p in t["ResultsByPartition"]] for t in answer["ResultsByTopicV3AndBelow"]}
        assert got == {TOPIC: [29, 29], name: [55]}, answer


def test_writable(make_sluice, kafka):
    """state.topic.writable=true leaves it to the cluster. Another topic, so that the others' is not disturbed."""
    topic = "__writable_state"
    sluice = make_sluice(kafka.bootstrap, state_topic=topic, state_topic_writable="true")
    with kschema.Connection(sluice.broker_port(1)) as raw:
        answer = raw.ask("DeleteRecords", 2, Topics=[{"Name": topic, "Partitions": [{"PartitionIndex": 0, "Offset": 0}]}], TimeoutMs=10000)
        assert answer["Topics"][0]["Partitions"][0]["ErrorCode"] == 0, answer
        sluice.expected_exit = 0
        answer = raw.ask("DeleteTopics", 6, Topics=[{"Name": topic}], TimeoutMs=10000)
        assert answer["Responses"][0]["ErrorCode"] == 0, answer
        wait_until(lambda: metadata(raw, 12, topic)[topic]["ErrorCode"] != 0, 30, "the topic is gone", every=0.5)


def test_group_configs_replaced(raw, name):
    """AlterConfigs replaces all configs of a group: sluice's and the broker's."""
    def alter(*configs):
        resources = [{"ResourceType": 32, "ResourceName": name, "Configs": [{"Name": n, "Value": v} for n, v in configs]}]
        return raw.ask("AlterConfigs", 2, Resources=resources)["Responses"][0]

    def values():
        answer = raw.ask("DescribeConfigs", 4, Resources=[{"ResourceType": 32, "ResourceName": name, "ConfigurationKeys": None}])
        return {c["Name"]: c["Value"] for c in answer["Results"][0]["Configs"] if c["ConfigSource"] == 8}

    assert alter(("share.session.timeout.ms", "50000"), ("consumer.session.timeout.ms", "50000"))["ErrorCode"] == 0
    wait_until(lambda: values() == {"share.session.timeout.ms": "50000", "consumer.session.timeout.ms": "50000"}, 20, values)
    assert alter(("share.record.lock.duration.ms", "40000"))["ErrorCode"] == 0
    wait_until(lambda: values() == {"share.record.lock.duration.ms": "40000"}, 20, values)
    for config, error, text in (
        (("share.record.lock.duration.ms", None), 42, "Null value not supported for : share.record.lock.duration.ms"),
        (("share.session.timeout.ms", "x"), 40, None),
    ):
        answer = alter(config)
        assert answer["ErrorCode"] == error and (text is None or answer["ErrorMessage"] == text), answer
    same = ("share.session.timeout.ms", "50000")
    assert alter(same, same)["ErrorMessage"] == "Error due to duplicate config keys"
    assert values() == {"share.record.lock.duration.ms": "40000"}
