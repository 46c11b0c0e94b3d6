# SPDX-License-Identifier: Apache-2.0
"""What a client may do to share groups is what the cluster's ACLs say of whoever it has logged in as."""

import time
import uuid

import pytest

import kraw
import kschema
from harness import wait_until
from kraw import Cluster
from secured import log_in, login_options

pytestmark = pytest.mark.sluice_only

CACHE_MS = 1000
TOPIC, GROUP, CLUSTER = 29, 30, 31
GROUP_RESOURCE = 32


@pytest.fixture
def front(secured, make_sluice, name):
    options = login_options("sluice") | {"state_topic": f"{name}-state", "authorization_cache_ms": CACHE_MS}
    return make_sluice(secured.secure, ready=60, protocol="SASL_PLAINTEXT", **options)


@pytest.fixture
def direct(secured):
    with Cluster(secured.bootstrap) as one:
        yield one


class User:
    """A connection to the broker's place at sluice that has logged in, and a share session there."""

    def __init__(self, front, user, group):
        self.one = kschema.Connection(front.broker_port(1))
        log_in(self.one, user)
        self.group, self.member, self.epoch = group, str(uuid.uuid4()), 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.one.socket.close()

    def ask(self, api, version, find, **values):
        """What find takes out of the answer; while that is a retriable error, the request is sent again."""
        end = time.monotonic() + 30
        while True:
            found = find(self.one.ask(api, version, **values))
            if not (isinstance(found, int) and found in kraw.RETRIABLE) or time.monotonic() > end:
                return found
            time.sleep(0.1)

    def heartbeat(self, topics, epoch=0):
        values = {"GroupId": self.group, "MemberId": self.member, "MemberEpoch": epoch, "SubscribedTopicNames": topics}
        return self.ask("ShareGroupHeartbeat", 1, lambda r: r["ErrorCode"], **values)

    def assigned(self, topics):
        values = {"GroupId": self.group, "MemberId": self.member, "MemberEpoch": 0, "SubscribedTopicNames": topics}
        assignment = self.one.ask("ShareGroupHeartbeat", 1, **values)["Assignment"]
        return assignment and assignment["TopicPartitions"]

    def fetch(self, topics=()):
        """(error, {topic id: (error, acquired)}); topics that the session is to have."""
        listed = [{"TopicId": t, "Partitions": [{"PartitionIndex": 0}]} for t in topics]
        answer = self.one.ask(
            "ShareFetch", 1, GroupId=self.group, MemberId=self.member, ShareSessionEpoch=self.epoch, MaxWaitMs=500,
            MinBytes=1, MaxBytes=1 << 20, MaxRecords=100, BatchSize=100, Topics=listed
        )  # fmt: skip
        if answer["ErrorCode"] == 0:
            self.epoch += 1
        return answer["ErrorCode"], {
            t["TopicId"]: (p["ErrorCode"], [(a["FirstOffset"], a["LastOffset"]) for a in p["AcquiredRecords"]])
            for t in answer["Responses"]
            for p in t["Partitions"]
        }

    def fetch_until(self, condition, topics=()):
        """Fetches until what came of all answers together satisfies the condition."""
        seen, answers = {}, []

        def there():
            error, found = self.fetch(topics if self.epoch == 0 else ())
            answers.append((error, found))
            seen.update({t: v for t, v in found.items() if v[0] or v[1]})
            return condition(error, seen)

        wait_until(there, 30, lambda: f"last seen {seen}, first answers {answers[:5]}")
        return seen

    def acknowledge(self, topics):
        batch = {"FirstOffset": 0, "LastOffset": 4, "AcknowledgeTypes": [1]}
        listed = [
            {"TopicId": t, "Partitions": [{"PartitionIndex": 0, "AcknowledgementBatches": [batch]}]} for t in topics
        ]
        answer = self.one.ask(
            "ShareAcknowledge", 1, GroupId=self.group, MemberId=self.member, ShareSessionEpoch=self.epoch, Topics=listed
        )
        if answer["ErrorCode"]:
            return answer["ErrorCode"]
        self.epoch += 1
        return {t["TopicId"]: p["ErrorCode"] for t in answer["Responses"] for p in t["Partitions"]}

    def set_earliest(self):
        config = {"Name": "share.auto.offset.reset", "ConfigOperation": 0, "Value": "earliest"}
        resource = {"ResourceType": GROUP_RESOURCE, "ResourceName": self.group, "Configs": [config]}
        return self.ask("IncrementalAlterConfigs", 1, lambda r: r["Responses"][0]["ErrorCode"], Resources=[resource])

    def configs(self):
        resource = {"ResourceType": GROUP_RESOURCE, "ResourceName": self.group, "ConfigurationKeys": None}
        return self.ask("DescribeConfigs", 4, lambda r: r["Results"][0]["ErrorCode"], Resources=[resource])

    def describe(self):
        found = self.ask(
            "ShareGroupDescribe", 1, lambda r: r["Groups"][0], GroupIds=[self.group], IncludeAuthorizedOperations=True
        )
        return found["ErrorCode"], len(found["Members"]), found["AuthorizedOperations"]

    def offsets(self, topics):
        """The group's error, or {topic: (error, start offset)}; topics None for all."""
        listed = topics and [{"TopicName": t, "Partitions": [0]} for t in topics]
        found = self.ask(
            "DescribeShareGroupOffsets", 1, lambda r: r["Groups"][0], Groups=[{"GroupId": self.group, "Topics": listed}]
        )
        if found["ErrorCode"]:
            return found["ErrorCode"]
        return {t["TopicName"]: (p["ErrorCode"], p["StartOffset"]) for t in found["Topics"] for p in t["Partitions"]}

    def alter(self, topics):
        listed = [{"TopicName": t, "Partitions": [{"PartitionIndex": 0, "StartOffset": 3}]} for t in topics]
        found = self.ask("AlterShareGroupOffsets", 0, lambda r: r["ErrorCode"] or r, GroupId=self.group, Topics=listed)
        if isinstance(found, int):
            return found
        return {t["TopicName"]: p["ErrorCode"] for t in found["Responses"] for p in t["Partitions"]}

    def delete_offsets(self, topics):
        listed = [{"TopicName": t} for t in topics]
        found = self.ask("DeleteShareGroupOffsets", 0, lambda r: r["ErrorCode"] or r, GroupId=self.group, Topics=listed)
        return found if isinstance(found, int) else {t["TopicName"]: t["ErrorCode"] for t in found["Responses"]}

    def listed(self):
        answer = self.one.ask("ListGroups", 5, StatesFilter=[], TypesFilter=[])
        assert answer["ErrorCode"] == 0
        return self.group in [g["GroupId"] for g in answer["Groups"]]

    def delete_group(self):
        return self.ask("DeleteGroups", 2, lambda r: r["Results"][0]["ErrorCode"], GroupsNames=[self.group])


def becomes(ask, expected):
    """A right that was given or taken away counts after the cache's time at the latest, and for each broker's own view."""
    seen = []

    def same():
        seen.append(ask())
        return seen[-1] == expected

    wait_until(same, 30, lambda: f"{expected}; last {seen[-1]}")


def test_heartbeat(secured, front, direct, name):
    seen, hidden = f"{name}-seen", f"{name}-hidden"
    for topic in (seen, hidden):
        direct.create_topic(topic)
    with User(front, "alice", name) as alice, User(front, "bob", name) as bob:
        assert alice.heartbeat([seen]) == GROUP
        secured.allow("alice", "READ", "GROUP", name)
        becomes(lambda: alice.heartbeat([seen]), TOPIC)
        secured.allow("alice", "DESCRIBE", "TOPIC", seen)
        becomes(lambda: alice.heartbeat([seen]), 0)
        assert alice.heartbeat([seen, hidden]) == TOPIC
        # No answer tells whether there is what may not be seen.
        assert alice.heartbeat([hidden]) == alice.heartbeat([f"{name}-nowhere"]) == TOPIC
        assert bob.heartbeat([seen]) == GROUP
        secured.forbid("alice", "READ", "GROUP", name)
        started = time.monotonic()
        becomes(lambda: alice.heartbeat([seen]), GROUP)
        assert time.monotonic() - started < 10 * CACHE_MS / 1000


def test_fetch(secured, front, direct, name):
    """One of three topics may not be read; then one more, while its records are held; then it may again."""
    topics = [f"{name}-{i}" for i in range(3)]
    ids = []
    for topic in topics:
        ids.append(direct.create_topic(topic))
        direct.produce(topic, [f"{topic}/{i}" for i in range(10)])
    with User(front, "alice", name) as alice:
        assert alice.fetch(ids)[0] == GROUP
        secured.allow("alice", "READ ALTER_CONFIGS", "GROUP", name)
        for topic in topics[:2]:
            secured.allow("alice", "READ", "TOPIC", topic)
        becomes(alice.set_earliest, 0)
        wait_until(lambda: len(alice.assigned(topics[:2]) or ()) == 2, 30, "two topics are assigned")
        got = alice.fetch_until(lambda _, seen: len(seen) == 3, ids)
        assert got == {ids[0]: (0, [(0, 9)]), ids[1]: (0, [(0, 9)]), ids[2]: (TOPIC, [])}
        assert alice.acknowledge(ids) == {ids[0]: 0, ids[1]: 0, ids[2]: TOPIC}
        secured.forbid("alice", "READ", "TOPIC", topics[1])
        alice.fetch_until(lambda _, seen: seen.get(ids[1]) == (TOPIC, []))
        assert alice.acknowledge(ids[1:2]) == {ids[1]: TOPIC}
        direct.produce(topics[0], ["more"])
        alice.fetch_until(lambda _, seen: seen.get(ids[0]) == (0, [(10, 10)]))
        secured.allow("alice", "READ", "TOPIC", topics[1])
        direct.produce(topics[1], ["more"])
        alice.fetch_until(lambda _, seen: seen.get(ids[1]) == (0, [(10, 10)]))
        secured.forbid("alice", "READ", "GROUP", name)
        wait_until(lambda: alice.fetch()[0] == GROUP, 30, "the group may not be read any more")
        assert alice.acknowledge(ids) == GROUP


def test_administration(secured, front, direct, name):
    """Each right on the group opens what it stands for and nothing else; topics that may not be seen stay unseen."""
    seen, hidden = f"{name}-seen", f"{name}-hidden"
    for topic in (seen, hidden):
        direct.create_topic(topic)
    with User(front, "sluice", name) as owner, User(front, "alice", name) as alice:
        becomes(lambda: owner.alter([seen, hidden]), {seen: 0, hidden: 0})
        assert owner.listed() and owner.configs() == 0

        assert (alice.configs(), alice.set_earliest(), alice.describe()[0], alice.delete_group()) == (GROUP,) * 4
        assert (alice.offsets(None), alice.alter([seen]), alice.delete_offsets([seen])) == (GROUP,) * 3
        assert not alice.listed()

        secured.allow("alice", "DESCRIBE", "GROUP", name)
        becomes(alice.describe, (0, 0, 1 << 8))
        becomes(alice.listed, True)
        becomes(lambda: alice.offsets([seen, hidden]), {seen: (TOPIC, -1), hidden: (TOPIC, -1)})
        assert alice.offsets(None) == {}
        secured.allow("alice", "READ", "TOPIC", seen)
        becomes(lambda: alice.offsets(None), {seen: (0, 3)})
        assert alice.offsets([seen, hidden]) == {seen: (0, 3), hidden: (TOPIC, -1)}
        assert (alice.alter([seen]), alice.delete_offsets([seen]), alice.set_earliest()) == (GROUP,) * 3

        secured.allow("alice", "ALTER_CONFIGS", "GROUP", name)
        becomes(alice.set_earliest, 0)
        secured.allow("alice", "READ", "GROUP", name)
        becomes(lambda: alice.alter([seen, hidden]), {seen: 0, hidden: TOPIC})
        assert alice.delete_group() == GROUP
        secured.allow("alice", "DELETE", "GROUP", name)
        becomes(lambda: alice.delete_offsets([hidden, seen]), {hidden: TOPIC, seen: 0})
        assert alice.delete_group() == 0
        assert not owner.listed()


def test_members_of_topics_that_may_not_be_seen(secured, front, direct, name):
    direct.create_topic(name)
    secured.allow("alice", "DESCRIBE", "GROUP", name)
    with User(front, "sluice", name) as owner, User(front, "alice", name) as alice:
        wait_until(lambda: owner.assigned([name]), 30, "the member has the topic")
        becomes(lambda: alice.describe()[:2], (TOPIC, 0))
        secured.allow("alice", "DESCRIBE", "TOPIC", name)
        becomes(lambda: alice.describe()[:2], (0, 1))
