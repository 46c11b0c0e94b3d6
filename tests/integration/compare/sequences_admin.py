# SPDX-License-Identifier: Apache-2.0
"""Offsets of share groups, their configs, lists and deletions."""

from compare import Differs, sequence
from script import ACCEPT, GROUP, Member

UNKNOWN = "-none"
VERSION_3 = Differs(r"DeleteGroups", "gap: DeleteGroups v3 is not offered in front of a cluster that does not have it")
SHARE_KEYS = [
    "share.assignment.interval.ms",
    "share.auto.offset.reset",
    "share.delivery.count.limit",
    "share.heartbeat.interval.ms",
    "share.isolation.level",
    "share.partition.max.record.locks",
    "share.record.lock.duration.ms",
    "share.renew.acknowledge.enable",
    "share.session.timeout.ms",
]


def offsets(s, topics=None, group=None, **fields):
    return s.ask("DescribeShareGroupOffsets", groups=[{"group": group or s.group, "topics": topics}], **fields)


def alter(s, *topics, **fields):
    named = [{"name": n, "partitions": [{"index": p, "start": o} for p, o in parts.items()]} for n, parts in topics]
    return s.ask("AlterShareGroupOffsets", **{"group": s.group, "topics": named, **fields})


def delete(s, *names, **fields):
    return s.ask("DeleteShareGroupOffsets", **{"group": s.group, "topics": [{"name": n} for n in names], **fields})


@sequence()
def offsets_of_unknown_group(s):
    t = s.start(s.topic(), group=s.group + "-other")  # by now the topic is known
    offsets(s)
    offsets(s, [{"name": t.name, "partitions": [0]}])
    offsets(s, [])


@sequence()
def offsets_of_empty_group_id(s):
    s.ask("DescribeShareGroupOffsets", node=s.coordinator(""), groups=[{"group": "", "topics": None}])


@sequence()
def offsets_described(s):
    t = s.start(s.topic(records=10), offset=3)
    offsets(s)
    offsets(s, [{"name": t.name, "partitions": [0, 1]}])
    offsets(s, version=0)
    offsets(s, [])


@sequence(
    Differs(r"topics|error|message", "Kafka fails with -1 when one of the topics does not exist"),
)
def offsets_of_unknown_topic(s):
    t = s.start(s.topic())
    offsets(s, [{"name": s.name + UNKNOWN, "partitions": [0]}, {"name": t.name, "partitions": []}])


@sequence()
def offsets_of_no_group(s):
    s.ask("DescribeShareGroupOffsets", node=0, groups=[])


@sequence()
def offsets_lag_after_acknowledgements(s):
    t = s.start(s.topic(records=10))
    m = Member(s, "m")
    m.get(t)
    m.ack(t, {0: [(0, 4, ACCEPT)]})
    m.ack(t, {0: [(8, 9, ACCEPT)]})
    offsets(s)


@sequence(
    Differs(r"start|lag", "a start offset is found at once, Kafka finds it when somebody fetches", always=False),
)
def offsets_with_members(s):
    t = s.topic(records=4)
    m = Member(s, "m").join(t)
    offsets(s, [{"name": t.name, "partitions": [0]}])
    alter(s, (t.name, {0: 1}))
    delete(s, t.name)
    m.heartbeat(-1)
    alter(s, (t.name, {0: 1}))
    delete(s, t.name)
    offsets(s)


@sequence()
def alter_makes_the_group(s):
    t = s.topic(records=4)
    s.start(t, group=s.group + "-other")  # by now the topic is known
    alter(s, (t.name, {0: 2}))
    s.ask("ShareGroupDescribe", groups=[s.group])
    Member(s, "m").get(t)


@sequence()
def alter_unknown_topic(s):
    t = s.topic(records=4)
    s.start(t)
    alter(s, (s.name + UNKNOWN, {0: 2}), (t.name, {0: 1, 5: 1}))
    offsets(s)


@sequence()
def alter_empty(s):
    alter(s)
    s.ask("ShareGroupDescribe", groups=[s.group])
    s.start(s.topic())
    alter(s)


@sequence()
def alter_empty_group_id(s):
    alter(s, (s.name, {0: 0}), group="", node=s.coordinator(""))
    delete(s, s.name, group="", node=s.coordinator(""))


@sequence(
    Differs(r"error$|start$|lag$|message$", "a negative offset is refused; Kafka forgets the start offset for it"),
)
def alter_negative_offset(s):
    t = s.start(s.topic(records=4))
    alter(s, (t.name, {0: -1}))
    offsets(s)
    alter(s, (t.name, {0: -5}))


@sequence(
    Differs(r"lag$", "a lag is never negative"),
)
def alter_beyond_the_end(s):
    t = s.start(s.topic(records=4))
    alter(s, (t.name, {0: 100}))
    offsets(s)


@sequence(
    Differs(r"records|acquired", "Kafka answers this fetch after MaxWaitMs only, and empty", always=False),
)
def alter_back(s):
    t = s.start(s.topic(records=10))
    m = Member(s, "m")
    m.get(t)
    m.ack(t, {0: [(0, 9, ACCEPT)]})
    m.finish()
    alter(s, (t.name, {0: 4}))
    Member(s, "n").fetch(t, wait=3000)


@sequence()
def alter_the_same_partition_twice(s):
    t = s.start(s.topic(records=10))
    twice = [{"index": 0, "start": 3}, {"index": 0, "start": 5}]
    s.ask("AlterShareGroupOffsets", group=s.group, topics=[{"name": t.name, "partitions": twice}])
    offsets(s)


@sequence()
def delete_offsets(s):
    t = s.start(s.topic(records=10, partitions=2), offset=5)
    delete(s, t.name, s.name + UNKNOWN)
    offsets(s)
    offsets(s, [{"name": t.name, "partitions": [0]}])
    delete(s, t.name)
    s.ask("ShareGroupDescribe", groups=[s.group])


@sequence()
def delete_offsets_of_unknown_group(s):
    delete(s, s.topic().name)


@sequence()
def delete_no_offsets(s):
    s.start(s.topic())
    delete(s)


@sequence(
    VERSION_3,
)
def delete_groups(s):
    t = s.start(s.topic(records=3))
    for version in (0, 1, 2, 3):
        s.ask("DeleteGroups", groups=[s.group + UNKNOWN], node=s.coordinator(s.group + UNKNOWN), version=version)
    s.ask("DeleteGroups", groups=[s.group])
    s.ask("DeleteGroups", groups=[s.group])
    s.ask("ShareGroupDescribe", groups=[s.group])
    offsets(s, [{"name": t.name, "partitions": [0]}])


@sequence()
def delete_group_with_members(s):
    m = Member(s, "m").join(s.topic())
    for version in (0, 1, 2):
        s.ask("DeleteGroups", groups=[s.group], version=version)
    m.heartbeat(-1)
    s.ask("DeleteGroups", groups=[s.group])


@sequence(
    VERSION_3,
)
def delete_group_in_version_three(s):
    Member(s, "m").join(s.topic())
    s.ask("DeleteGroups", groups=[s.group], version=3)


@sequence()
def delete_group_made_again(s):
    t = s.start(s.topic(records=5), offset=2)
    s.ask("DeleteGroups", groups=[s.group])
    s.start(t, offset=1)
    Member(s, "m").get(t)


def mine(s, label, **fields):
    """The groups of this sequence in the lists of all nodes: a broker lists its own, sluice may list all."""
    found = {}
    for node in s.side.ports:
        a = s.raw("ListGroups", node, **fields)
        found.update({g["group"]: g for g in a["groups"] if g["group"].startswith(s.group)})
        error = a["error"]
    s.record(label, {"error": error, "groups": list(found.values())})


@sequence()
def list_groups_in_all_versions(s):
    s.start(s.topic())
    Member(s, "m", group=s.group + "-b").join(s.topic("b"), record=None)
    for version in range(6):
        mine(s, f"v{version}", version=version)


@sequence()
def list_groups_filtered(s):
    s.start(s.topic())
    Member(s, "m", group=s.group + "-b").join(s.topic("b"), record=None)
    for states in (["Empty"], ["Stable"], ["empty"], ["Dead"], ["Nonsense"], ["Empty", "Stable"]):
        mine(s, f"states {states}", states=states)
    for types in (["share"], ["Share"], ["SHARE"], ["classic"], ["consumer"], ["share", "consumer"], ["nonsense"]):
        mine(s, f"types {types}", types=types)
    mine(s, "both", types=["share"], states=["Empty"])


@sequence(
    Differs(r"message$", "gap: the backing cluster's text, which does not know of share groups"),
)
def classic_requests_on_a_share_group(s):
    s.start(s.topic())
    s.ask("DescribeGroups", groups=[s.group])
    s.ask("DescribeGroups", groups=[s.group], version=5)
    s.ask("ConsumerGroupDescribe", groups=[s.group])


@sequence()
def find_coordinator(s):
    s.start(s.topic())
    for version in (0, 1, 2, 3):
        s.ask("FindCoordinator", version=version, key=s.group, label=f"v{version}")
    for version in (4, 5, 6):
        s.ask("FindCoordinator", version=version, keys=[s.group, s.group + "-b"], label=f"v{version}")
    s.ask("FindCoordinator", keys=[""])
    s.ask("FindCoordinator", keys=[])


@sequence()
def find_share_coordinator(s):
    t = s.start(s.topic())
    del t
    for version in (4, 5):
        s.ask("FindCoordinator", version=version, type=2, keys=[s.group + ":AAAAAAAAAAAAAAAAAAAAAQ:0"])
    s.ask("FindCoordinator", version=6, type=3, keys=[s.group])


def describe_configs(s, keys=None, name=None, **fields):
    wanted = [{"type": GROUP, "name": s.group if name is None else name, "keys": keys}]
    return s.ask("DescribeConfigs", resources=wanted, **fields)


def describe_until(s, source, name=None):
    """The heartbeat interval once it comes from there: other nodes learn of a change later."""
    wanted = [{"type": GROUP, "name": s.group if name is None else name, "keys": ["share.heartbeat.interval.ms"]}]
    found = lambda a: a["results"][0]["configs"][0]["source"] == source  # noqa: E731
    s.until("DescribeConfigs", found, node=0, record=f"from {source}", resources=wanted)


def set_config(s, name, value, operation=0, group=None, **fields):
    change = {"name": name, "operation": operation, "value": value}
    wanted = [{"type": GROUP, "name": s.group if group is None else group, "configs": [change]}]
    return s.ask("IncrementalAlterConfigs", resources=wanted, **fields)


@sequence()
def configs_described(s):
    describe_configs(s, SHARE_KEYS)


@sequence()
def configs_described_with_documentation(s):
    a = s.raw("DescribeConfigs", 0, resources=[{"type": GROUP, "name": s.group, "keys": SHARE_KEYS}], documentation=True)
    found = {c["name"]: bool(c["documentation"]) for r in a["results"] for c in r["configs"]}
    s.record("documented", found)


@sequence()
def configs_described_in_all_versions(s):
    for version in (1, 2, 3, 4):
        describe_configs(s, SHARE_KEYS, version=version, synonyms=False)


@sequence()
def configs_described_by_key(s):
    describe_configs(s, ["share.heartbeat.interval.ms", "no.such.key", "share.auto.offset.reset"])
    describe_configs(s, ["no.such.key"])


@sequence()
def configs_of_empty_name(s):
    describe_configs(s, name="")
    set_config(s, "share.heartbeat.interval.ms", "1000", group="")


@sequence()
def configs_set(s):
    set_config(s, "share.heartbeat.interval.ms", "1500")
    s.config(share_session_timeout_ms=50000)
    describe_configs(s, ["share.heartbeat.interval.ms", "share.session.timeout.ms"])
    set_config(s, "share.heartbeat.interval.ms", None, operation=1)
    set_config(s, "share.isolation.level", "read_committed")


def refused(name, key, *values, differs=()):
    def run(s):
        for value in values:
            set_config(s, key, value, label=f"{key}={value}")

    run.__name__ = name
    return sequence(*differs)(run)


refused("config_session_timeout", "share.session.timeout.ms", "1", "1999", "60001", "0", "-1", "abc", "", "99999999999")
refused("config_heartbeat_interval", "share.heartbeat.interval.ms", "1", "499", "15001", "abc", None)
refused("config_lock_duration", "share.record.lock.duration.ms", "999", "60001", "1000.5", "x")
refused("config_delivery_limit", "share.delivery.count.limit", "1", "11", "0", "2")
refused("config_record_locks", "share.partition.max.record.locks", "99", "4001", "100", "4000")
refused("config_offset_reset", "share.auto.offset.reset", "none", "EARLIEST", "by_duration:", "by_duration:-PT1H", "by_duration:P1D", "")
refused("config_isolation_level", "share.isolation.level", "serializable", "READ_COMMITTED", "")
refused("config_renew_enable", "share.renew.acknowledge.enable", "yes", "TRUE", "1", "")
refused("config_unknown_key", "share.no.such.key", "1", None)
BACKING = Differs(r"message$", "what is not for share groups is the backing cluster's, in the words of its version")
refused("config_consumer_key", "consumer.session.timeout.ms", "1", "45000", differs=[BACKING])


@sequence(
    Differs(r"error$", "an unknown operation is an invalid request; Kafka fails with -1"),
)
def config_operations(s):
    for operation in (0, 1, 2, 3, 4, -1):
        set_config(s, "share.heartbeat.interval.ms", "1000", operation=operation, label=f"operation {operation}")


@sequence()
def config_validate_only(s):
    set_config(s, "share.heartbeat.interval.ms", "1700", validate_only=True)
    set_config(s, "share.heartbeat.interval.ms", "1", validate_only=True)
    describe_configs(s, ["share.heartbeat.interval.ms"])


@sequence()
def config_twice_in_one_request(s):
    twice = [{"name": "share.heartbeat.interval.ms", "operation": 0, "value": v} for v in ("1000", "1500")]
    s.ask("IncrementalAlterConfigs", resources=[{"type": GROUP, "name": s.group, "configs": twice}])
    resource = {"type": GROUP, "name": s.group, "configs": twice[:1]}
    s.ask("IncrementalAlterConfigs", resources=[resource, resource])


@sequence()
def config_session_below_heartbeat(s):
    s.config(share_session_timeout_ms=3000)
    set_config(s, "share.heartbeat.interval.ms", "3000")
    set_config(s, "share.heartbeat.interval.ms", "4000")


@sequence(
    Differs(r"listed", "gap: GROUP resources are not listed in front of a cluster that does not have them"),
)
def config_resources_listed(s):
    s.config(share_heartbeat_interval_ms=1234)
    try:
        a = s.raw("ListConfigResources", 0, types=[GROUP])
        s.record("listed", {"error": a["error"], "mine": [r for r in a["resources"] if r["name"] == s.group]})
    except ConnectionError:
        s.record("listed", "closed")


@sequence()
def configs_mixed_with_a_topic(s):
    t = s.topic()
    group = {"type": GROUP, "name": s.group, "keys": ["share.heartbeat.interval.ms"]}
    topic = {"type": 2, "name": t.name, "keys": ["retention.bytes"]}
    s.ask("DescribeConfigs", resources=[topic, group, {**topic, "name": s.name + UNKNOWN}])
    change = [{"name": "share.heartbeat.interval.ms", "operation": 0, "value": "1"}]
    other = [{"name": "retention.bytes", "operation": 0, "value": "77"}]
    wanted = [{"type": 2, "name": t.name, "configs": other}, {"type": GROUP, "name": s.group, "configs": change}]
    s.ask("IncrementalAlterConfigs", resources=wanted)


@sequence()
def config_resource_twice_among_others(s):
    """What comes once is done."""
    change = [{"name": "share.heartbeat.interval.ms", "operation": 0, "value": "1500"}]
    once = {"type": GROUP, "name": s.group + "-once", "configs": change}
    twice = {"type": GROUP, "name": s.group, "configs": change}
    a = s.raw("IncrementalAlterConfigs", 0, resources=[twice, once, twice])
    s.record("altered", {**a, "responses": sorted(a["responses"], key=lambda r: r["name"])})
    describe_until(s, 8, name=s.group + "-once")
    describe_until(s, 4)


@sequence()
def configs_altered_the_old_way(s):
    change = [{"name": "share.heartbeat.interval.ms", "value": "1000"}]
    resource = {"type": GROUP, "name": s.group, "configs": change}
    s.ask("AlterConfigs", resources=[resource])
    s.ask("AlterConfigs", resources=[{**resource, "configs": [{"name": "share.session.timeout.ms", "value": "7"}]}])
    describe_until(s, 8)
    s.ask("AlterConfigs", resources=[{**resource, "configs": []}])
    describe_until(s, 4)


@sequence()
def share_versions_are_offered(s):
    a = s.raw("ApiVersions", 0, version=3, software="compare", software_version="1")
    s.record("versions", [(k["key"], k["min"], k["max"]) for k in a["apis"] if k["key"] in (76, 77, 78, 79, 90, 91, 92)])
