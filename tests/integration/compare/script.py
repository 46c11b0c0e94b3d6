# SPDX-License-Identifier: Apache-2.0
"""One scripted sequence on one side: steps send requests, every answer is recorded, rules say what may differ.

A sequence is a function of one argument, the Script, and is run once on the native cluster and once on sluice. It asks the
same things there; what was answered is compared field by field afterwards. Names and member ids are the same on both sides,
so only these are masked, each by its rule: topic ids (by the topic's name), ports (by the node's number), positive member, group
and assignment epochs (0 and -1 stay), the coordinator's node (any of the cluster's), the order of topics, partitions and groups.
"""

import base64
import re
import time
import uuid

from codec import KEYS, ZERO, batches, decode, encode
from kraw import FETCH, PRODUCE, Connection, Failed, Writer, fetch_body, read_fetch, read_produce, record_batch

VERSIONS = {
    "OffsetCommit": 8,
    "ConsumerGroupHeartbeat": 0,
    "FindCoordinator": 4,
    "JoinGroup": 9,
    "DescribeGroups": 6,
    "ListGroups": 5,
    "ApiVersions": 4,
    "DeleteTopics": 6,
    "InitProducerId": 4,
    "AddPartitionsToTxn": 3,
    "EndTxn": 3,
    "DescribeConfigs": 4,
    "AlterConfigs": 2,
    "CreatePartitions": 3,
    "DeleteGroups": 2,
    "IncrementalAlterConfigs": 1,
    "ConsumerGroupDescribe": 0,
    "ListConfigResources": 1,
    "ShareGroupHeartbeat": 1,
    "ShareGroupDescribe": 1,
    "ShareFetch": 2,
    "ShareAcknowledge": 2,
    "DescribeShareGroupOffsets": 1,
    "AlterShareGroupOffsets": 0,
    "DeleteShareGroupOffsets": 0,
}
DEFAULTS = {
    "ShareGroupHeartbeat": {"rack": None, "topics": None},
    "ShareGroupDescribe": {"operations": False},
    "DescribeGroups": {"operations": False},
    "ConsumerGroupDescribe": {"operations": False},
    "ListGroups": {"states": [], "types": []},
    "ShareFetch": {
        "max_wait": 200,
        "min_bytes": 1,
        "max_bytes": 1 << 20,
        "max_records": 500,
        "batch_size": 500,
        "mode": 0,
        "renew": False,
        "topics": [],
        "forgotten": [],
    },
    "ShareAcknowledge": {"renew": False, "topics": []},
    "DescribeConfigs": {"synonyms": True, "documentation": False},
    "AlterConfigs": {"validate_only": False},
    "IncrementalAlterConfigs": {"validate_only": False},
    "ListConfigResources": {"types": [32]},
    "FindCoordinator": {"type": 0, "key": None, "keys": None},
}
RETRIABLE = {3, 5, 6, 7, 14, 15, 16, 41, 51, 100}
GAP, ACCEPT, RELEASE, REJECT, RENEW = 0, 1, 2, 3, 4
BATCH, LIMIT = 0, 1
GROUP = 32


class Topic:
    def __init__(self, name, topic_id, nodes):
        self.name, self.id, self.nodes = name, topic_id, nodes


class Side:
    """A cluster with share groups: native, or sluice in front of one without."""

    def __init__(self, label, ports):
        self.label = label
        self.ports = ports  # node -> port
        self.nodes = {port: node for node, port in ports.items()}


class Script:
    def __init__(self, side, name, cluster):
        self.side, self.name, self.cluster = side, name, cluster
        self.group = name
        self.records = []
        self.topics = {}
        self.connections = {}
        self.coordinators = {}

    def close(self):
        for one in self.connections.values():
            one.close()
        self.cluster.__exit__()

    # --- set-up: asked until it is done, not recorded

    def topic(self, suffix="t", partitions=1, first_node=0, records=0, batch=10, **configs):
        """Partition p is led by node (first_node + p) % 3, its only replica; records go to every partition."""
        name = f"{self.name}-{suffix}"
        placed = {p: [(first_node + p) % len(self.side.ports)] for p in range(partitions)}
        configs = {key.replace("_", "."): str(value) for key, value in configs.items()}
        topic_id = self.cluster.create_topic(name, assignment=placed, configs=configs)
        one = Topic(name, topic_id, {p: nodes[0] for p, nodes in placed.items()})
        self.topics[topic_id] = suffix if suffix not in self.topics.values() else suffix + "-again"
        for p in range(partitions):
            self.produce(one, records, batch, p)
        return one

    def grow(self, topic, count):
        """More partitions, in turn on the nodes."""
        first = max(topic.nodes) + 1
        nodes = {p: (topic.nodes[0] + p) % len(self.side.ports) for p in range(first, count)}
        wanted = [{"name": topic.name, "count": count, "assignments": [{"brokers": [n]} for n in nodes.values()]}]
        done = lambda a: a["results"][0]["error"] in (0, 37)  # noqa: E731
        self.until("CreatePartitions", done, topics=wanted, timeout=20000, validate_only=False)
        topic.nodes.update(nodes)
        self.cluster.wait_leaders(topic.name, count)

    def delete(self, topic):
        """Deletes a topic and waits until no node knows it."""
        gone = lambda a: a["responses"][0]["error"] in (0, 3)  # noqa: E731
        self.until("DeleteTopics", gone, topics=[{"name": topic.name, "topic": ZERO}], timeout=20000)
        end = time.monotonic() + 30
        for port in self.side.ports.values():
            while self.cluster.metadata([topic.name], port).topics[topic.name][0] == 0:
                if time.monotonic() > end:
                    raise Failed(f"{topic.name} is still there", -1)
                time.sleep(0.1)

    def produce(self, topic, count, batch=10, partition=0, size=20):
        for at in range(0, count, batch):
            values = [b"%d" % i + b"." * size for i in range(at, min(at + batch, count))]
            self.cluster._produce_one(topic.name, partition, record_batch(values), 30)

    def high_watermark(self, topic):
        """Of partition 0."""
        port = self.cluster.leader_port(topic.name, 0)
        answer = read_fetch(self.cluster.request(FETCH, 15, fetch_body(topic.id, 0, 0, 0), port))
        return answer[1][0][1]

    def produce_transactional(self, topic, transactional_id, batch):
        """One batch of a transaction to partition 0."""
        body = Writer().string(transactional_id).i16(-1).i32(30000)
        body.array([topic], lambda w, t: w.string(t.name).array([0], lambda w, p: w.i32(p).bytes(batch).tags()).tags()).tags()
        port = self.cluster.leader_port(topic.name, 0)
        error = read_produce(self.cluster.request(PRODUCE, 9, body, port), 9)[0][0][0]
        if error:
            raise Failed(f"transactional produce to {topic.name}", error)

    def start(self, topic, offset=0, group=None, partitions=None):
        """Makes the group and puts its start offset: no member is needed to fetch."""
        wanted = [{"index": p, "start": offset} for p in (topic.nodes if partitions is None else partitions)]
        group = group or self.group

        def ok(a):
            return a["error"] == 0 and all(p["error"] == 0 for t in a["responses"] for p in t["partitions"])

        self.until("AlterShareGroupOffsets", ok, group=group, topics=[{"name": topic.name, "partitions": wanted}])
        return topic

    def config(self, group=None, **configs):
        """Group configs, until DescribeConfigs shows them on every node."""
        group = group or self.group
        self.cluster.group_config(group, **configs)
        wanted = {key.replace("_", "."): str(value) for key, value in configs.items()}
        for node in self.side.ports:

            def shown(a):
                found = {c["name"]: c["value"] for r in a["results"] for c in r["configs"]}
                return all(found.get(key) == value for key, value in wanted.items())

            self.until("DescribeConfigs", shown, node=node, resources=[{"type": GROUP, "name": group, "keys": list(wanted)}])

    # --- asking

    def coordinator(self, group):
        if group not in self.coordinators:
            port = self.cluster.coordinator_port(group)
            self.coordinators[group] = self.side.nodes[port]
        return self.coordinators[group]

    def raw(self, name, node, version=None, connection="", **fields):
        """One request, one answer, nothing recorded."""
        return self.receive(self.send(name, node, version, connection, **fields))

    def send(self, name, node, version=None, connection="", **fields):
        """Only sends; receive() with what this returned gets the answer. One at a time on a connection, or in order."""
        version = VERSIONS[name] if version is None else version
        values = {**DEFAULTS.get(name, {}), **fields}
        body = encode(KEYS[name], version, values)
        place = (node, connection)
        if place not in self.connections:
            self.connections[place] = Connection(self.side.ports[node], timeout=45)
        self.connections[place].send(KEYS[name], version, body)
        return name, version, self.connections[place]

    @staticmethod
    def receive(sent):
        name, version, connection = sent
        return decode(KEYS[name], version, connection.receive()[1])

    def drop(self, node, connection=""):
        self.connections.pop((node, connection)).close()

    def where(self, name, node, fields):
        if node is not None:
            return node
        group = fields.get("group") or next(iter(fields.get("groups") or [""]), "")
        if isinstance(group, dict):
            group = group["group"]
        if name in COORDINATED and group:
            return self.coordinator(group)
        return 0

    def ask(self, name, node=None, label=None, **fields):
        """Asks once and records the answer; to the group's coordinator if it is such a request."""
        try:
            answer = self.raw(name, self.where(name, node, fields), **fields)
        except (ConnectionError, TimeoutError) as error:
            answer = {"connection": type(error).__name__}
            self.connections = {}
        return self.record(label or name, answer)

    def until(self, name, condition, node=None, seconds=40, record=None, **fields):
        """Asks until the condition holds of the answer, or fails; recorded only if a label is given."""
        end = time.monotonic() + seconds
        while True:
            answer = self.raw(name, self.where(name, node, fields), **fields)
            if condition(answer):
                return self.record(record, answer) if record else answer
            if time.monotonic() > end:
                raise Failed(f"{self.side.label}: {name} {fields}: {answer}", -1)
            self.coordinators.clear()
            time.sleep(0.1)

    def record(self, label, value):
        self.records.append((f"{len(self.records)} {label}", self.mask(value)))
        return value

    # --- masks

    def mask(self, value, key=""):
        if isinstance(value, dict):
            found = {k: self.mask(v, k) for k, v in value.items()}
            if "port" in found and "node" in found:
                coordinator = "key" in value or "error" in value
                found["host"] = "host" if value["host"] in ("localhost", "127.0.0.1") else value["host"]
                if value["node"] >= 0:
                    found["port"] = f"of {value['node']}" if self.side.ports.get(value["node"]) == value["port"] else value["port"]
                    found["node"] = "a node" if coordinator else value["node"]
                    found["port"] = "its" if coordinator and "of" in str(found["port"]) else found["port"]
            return found
        if isinstance(value, list):
            return sorted((self.mask(v, key) for v in value), key=order) if key in UNORDERED else [self.mask(v, key) for v in value]
        if isinstance(value, uuid.UUID):
            return "zero" if value == ZERO else self.topics.get(value, "unknown id")
        if key == "records":
            return batches(value) if value is not None else None
        if key in EPOCHS and value > 0:
            return "positive"
        if isinstance(value, str):
            for topic_id, name in self.topics.items():
                short = base64.urlsafe_b64encode(topic_id.bytes).decode().rstrip("=")
                value = value.replace(short, f"<id of {name}>").replace(str(topic_id), f"<id of {name}>")
            return re.sub(r"127\.0\.0\.1:\d+", "127.0.0.1:port", value)
        return value


COORDINATED = {
    "OffsetCommit",
    "ConsumerGroupHeartbeat",
    "JoinGroup",
    "DescribeGroups",
    "DeleteGroups",
    "ConsumerGroupDescribe",
    "ShareGroupHeartbeat",
    "ShareGroupDescribe",
    "DescribeShareGroupOffsets",
    "AlterShareGroupOffsets",
    "DeleteShareGroupOffsets",
}
EPOCHS = {"member_epoch", "group_epoch", "assignment_epoch"}
UNORDERED = {"topics", "partitions", "responses", "groups", "members", "endpoints", "configs", "results", "subscribed", "resources"}


def order(value):
    if isinstance(value, dict):
        return [str(value.get(k)) for k in ("topic", "name", "group", "member", "node", "key")] + [value.get("index", 0)]
    return [str(value)]


class Member:
    """Fetches and acknowledges with one session a node, counting its epochs as a client does."""

    def __init__(self, script, name, group=None, connection=""):
        self.s, self.id, self.group = script, name, group or script.group
        self.connection = connection
        self.epochs = {}
        self.epoch, self.held = 0, None

    def heartbeat(self, epoch, topics=None, record=True, **fields):
        names = None if topics is None else [t if isinstance(t, str) else t.name for t in topics]
        fields = {"group": self.group, "member": self.id, "member_epoch": epoch, "topics": names, **fields}
        if record:
            return self.s.ask("ShareGroupHeartbeat", **fields)
        a = self.s.raw("ShareGroupHeartbeat", self.s.coordinator(self.group), **fields)
        self.epoch, self.held = a["member_epoch"], a["assignment"] or self.held
        return a

    def partitions(self):
        """[(topic, partition)] that are assigned."""
        found = [(self.s.mask(t["topic"]), p) for t in (self.held or {"topics": []})["topics"] for p in t["partitions"]]
        return sorted(found)

    def join(self, *topics, partitions=None, record="joined", names=None):
        """Heartbeats until so many partitions are assigned; how many heartbeats that takes is not compared."""
        wanted = sum(len(t.nodes) for t in topics) if partitions is None else partitions
        return self._wait(wanted, record, 0, names or [t.name for t in topics], None)

    def wait_assigned(self, wanted, record="assigned"):
        return self._wait(wanted, record, self.epoch, None, self.held)

    def _wait(self, wanted, record, epoch, names, held):
        fields = {"group": self.group, "member": self.id, "member_epoch": epoch, "topics": names}
        end = time.monotonic() + 60
        while True:
            a = self.s.raw("ShareGroupHeartbeat", self.s.coordinator(self.group), rack=None, **fields)
            if a["error"] in (14, 15, 16):
                self.s.coordinators.clear()
            elif a["error"]:
                break
            else:
                fields.update(member_epoch=a["member_epoch"], topics=None)
                held = a["assignment"] or held
            if held and sum(len(t["partitions"]) for t in held["topics"]) == wanted:
                break
            if time.monotonic() > end:
                raise Failed(f"{self.s.side.label}: {wanted} partitions for {self.id}: {a} {held}", -1)
            time.sleep(0.3)
        self.epoch, self.held = a["member_epoch"], held
        if record:
            self.s.record(record, {"error": a["error"], "message": a["message"], "assignment": held})
        return self

    def _topics(self, topic, acks, partitions):
        if topic is None:
            return []
        acks = acks or {}
        named = sorted(set(partitions) | set(acks))
        return [{"topic": topic.id, "partitions": [{"index": p, "acks": [ack(*a) for a in acks.get(p, ())]} for p in named]}]

    def _node(self, topic, acks, partitions, node):
        if node is not None:
            return node
        named = list(partitions) + list(acks or {})
        return topic.nodes.get(named[0], 0) if topic is not None and named else 0

    def _epoch(self, node, epoch, answer):
        """Counts on as a client does; a session that was closed or lost begins again."""
        if answer.get("error") == 0:
            self.epochs[node] = 0 if epoch == -1 else epoch + 1

    def fetch(self, topic=None, acks=None, partitions=(0,), epoch=None, node=None, label="ShareFetch", wait=None, **fields):
        """acks: {partition: [(first, last, type, ...)]}; wait: the longest that records may take to come."""
        node = self._node(topic, acks, partitions, node)
        epoch = self.epochs.get(node, 0) if epoch is None else epoch
        if wait is not None:
            fields["max_wait"] = wait
        sent = {"group": self.group, "member": self.id, "session_epoch": epoch, "connection": self.connection}
        a = self.s.ask("ShareFetch", node, label, **{**sent, "topics": self._topics(topic, acks, partitions), **fields})
        self._epoch(node, epoch, a)
        return a

    def get(self, topic, partitions=(0,), acks=None, **fields):
        """A fetch that expects records; one that is answered without any before the end of its wait is sent again."""
        end = time.monotonic() + 20
        while True:
            a = self.fetch(topic, acks, partitions, wait=20000, **fields)
            parts = [p for t in a.get("topics", ()) for p in t["partitions"]]
            if acquired(a) or a.get("error") or any(p["error"] for p in parts) or acks or time.monotonic() > end:
                return a
            self.s.records.pop()
            node = self._node(topic, acks, partitions, fields.get("node"))
            topic, fields = None, {**fields, "node": node}
            fields.pop("epoch", None)

    def ack(self, topic, acks, epoch=None, node=None, label="ShareAcknowledge", **fields):
        node = self._node(topic, acks, (), node)
        epoch = self.epochs.get(node, 0) if epoch is None else epoch
        sent = {"group": self.group, "member": self.id, "session_epoch": epoch, "connection": self.connection}
        a = self.s.ask("ShareAcknowledge", node, label, **{**sent, "topics": self._topics(topic, acks, ()), **fields})
        self._epoch(node, epoch, a)
        return a

    def gather(self, topic, wanted, partition=0, seconds=30, up_to=None):
        """Fetches until so many offsets are acquired in all, or up_to is; only what was acquired is compared, not in how
        many answers."""
        found, node, end = [], topic.nodes[partition], time.monotonic() + seconds

        def enough():
            if up_to is not None:
                return any(last >= up_to for _, last, _ in found)
            return sum(last - first + 1 for first, last, _ in found) >= wanted

        while not enough() and time.monotonic() < end:
            epoch = self.epochs.get(node, 0)
            parts = self._topics(topic, {}, (partition,)) if epoch == 0 else []
            sent = {"group": self.group, "member": self.id, "session_epoch": epoch, "connection": self.connection}
            a = self.s.raw("ShareFetch", node, topics=parts, **{"max_wait": 1000, **sent})
            self._epoch(node, epoch, a)
            if a["error"]:
                break
            found += acquired(a)
        merged = []
        for first, last, count in sorted(found):
            if merged and merged[-1][1] == first - 1 and merged[-1][2] == count:
                merged[-1] = (merged[-1][0], last, count)
            else:
                merged.append((first, last, count))
        self.s.record("gathered", {"error": a["error"], "acquired": merged})

    def finish(self, node=0, **fields):
        return self.fetch(epoch=-1, node=node, label="final epoch", **fields)


def ack(first, last, *types):
    return {"first": first, "last": last, "types": list(types)}


def acquired(answer):
    """[(first, last, delivery count)] of all partitions."""
    parts = [p for t in answer.get("topics", ()) for p in t["partitions"]]
    return [(r["first"], r["last"], r["count"]) for p in parts for r in p["acquired"]]
