# SPDX-License-Identifier: Apache-2.0
"""Kafka requests written byte by byte, for what no client library sends: the few that the tests need, nothing more."""

import socket
import struct
import time
import uuid

PRODUCE, FETCH, METADATA, FIND_COORDINATOR, HEARTBEAT, API_VERSIONS, CREATE_TOPICS = 0, 1, 3, 10, 12, 18, 19
DELETE_RECORDS = 21
INCREMENTAL_ALTER_CONFIGS, DESCRIBE_CLUSTER = 44, 60
SHARE_GROUP_HEARTBEAT, SHARE_FETCH, SHARE_ACKNOWLEDGE = 76, 78, 79

# First flexible version of each.
FLEXIBLE = {
    PRODUCE: 9,
    FETCH: 12,
    METADATA: 9,
    FIND_COORDINATOR: 3,
    HEARTBEAT: 4,
    API_VERSIONS: 3,
    CREATE_TOPICS: 5,
    DELETE_RECORDS: 2,
    INCREMENTAL_ALTER_CONFIGS: 1,
    DESCRIBE_CLUSTER: 0,
    SHARE_GROUP_HEARTBEAT: 0,
    SHARE_FETCH: 0,
    SHARE_ACKNOWLEDGE: 0,
}

ACCEPT, RELEASE, REJECT = 1, 2, 3
RETRIABLE = {3, 5, 6, 7, 14, 15, 16, 41, 100}


class Failed(Exception):
    """An answer with an error code."""

    def __init__(self, what, code, message=None):
        super().__init__(f"{what}: error {code} {message or ''}")
        self.code = code


class Writer:
    def __init__(self):
        self.data = bytearray()

    def _pack(self, layout, value):
        self.data += struct.pack(layout, value)
        return self

    def i8(self, value):
        return self._pack(">b", value)

    def i16(self, value):
        return self._pack(">h", value)

    def i32(self, value):
        return self._pack(">i", value)

    def i64(self, value):
        return self._pack(">q", value)

    def raw(self, data):
        self.data += data
        return self

    def uvarint(self, value):
        while value >= 0x80:
            self.data.append(value & 0x7F | 0x80)
            value >>= 7
        self.data.append(value)
        return self

    def varint(self, value):
        return self.uvarint((value << 1) ^ (value >> 63) if value < 0 else value << 1)

    def string(self, text):
        """Compact, None for null."""
        return self.bytes(None if text is None else text.encode())

    def old_string(self, text):
        if text is None:
            return self.i16(-1)
        return self.i16(len(text.encode())).raw(text.encode())

    def bytes(self, data):
        if data is None:
            return self.uvarint(0)
        return self.uvarint(len(data) + 1).raw(data)

    def array(self, items, write):
        """Compact; write(writer, item) for each; None for null."""
        if items is None:
            return self.uvarint(0)
        self.uvarint(len(items) + 1)
        for item in items:
            write(self, item)
        return self

    def uuid(self, value):
        return self.raw(value.bytes)

    def tags(self):
        return self.uvarint(0)


class Reader:
    def __init__(self, data):
        self.data = data
        self.at = 0

    def take(self, count):
        piece = self.data[self.at : self.at + count]
        assert len(piece) == count, f"answer ends at {len(self.data)}, wanted {count} more bytes from {self.at}"
        self.at += count
        return piece

    def _unpack(self, layout, size):
        return struct.unpack(layout, self.take(size))[0]

    def i8(self):
        return self._unpack(">b", 1)

    def i16(self):
        return self._unpack(">h", 2)

    def i32(self):
        return self._unpack(">i", 4)

    def i64(self):
        return self._unpack(">q", 8)

    def uvarint(self):
        value = shift = 0
        while True:
            byte = self.take(1)[0]
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                return value
            shift += 7

    def bytes(self):
        size = self.uvarint()
        return None if size == 0 else bytes(self.take(size - 1))

    def string(self):
        data = self.bytes()
        return None if data is None else data.decode()

    def array(self, read):
        count = self.uvarint()
        return None if count == 0 else [read(self) for _ in range(count - 1)]

    def uuid(self):
        return uuid.UUID(bytes=bytes(self.take(16)))

    def tags(self):
        """Tag number -> its bytes."""
        found = {}
        for _ in range(self.uvarint()):
            number = self.uvarint()
            found[number] = bytes(self.take(self.uvarint()))
        return found


def frame(api, version, correlation, body, client_id="raw"):
    """A whole request with its length."""
    head = Writer().i16(api).i16(version).i32(correlation).old_string(client_id)
    if version >= FLEXIBLE[api]:
        head.tags()
    payload = bytes(head.data) + bytes(body.data)
    return struct.pack(">i", len(payload)) + payload


class Connection:
    """A TCP connection that sends requests and reads answers, in whatever order the test wants."""

    def __init__(self, port, host="127.0.0.1", timeout=30, tls=None):
        self.socket = socket.create_connection((host, port), timeout=timeout)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if tls:
            self.socket = tls.wrap_socket(self.socket, server_hostname=host)
        self.sent = {}
        self.last = 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self.socket.close()

    def encode(self, api, version, body):
        """Takes the next correlation id, remembers what it asks for; returns id and bytes."""
        self.last += 1
        self.sent[self.last] = (api, version)
        return self.last, frame(api, version, self.last, body)

    def send(self, api, version, body):
        number, data = self.encode(api, version, body)
        self.socket.sendall(data)
        return number

    def read_frame(self):
        return self._exactly(struct.unpack(">i", self._exactly(4))[0])

    def _exactly(self, count):
        data = bytearray()
        while len(data) < count:
            piece = self.socket.recv(count - len(data))
            if not piece:
                raise ConnectionResetError(f"closed after {len(data)} of {count} bytes")
            data += piece
        return bytes(data)

    def receive(self):
        """Correlation id and the body's reader, behind the response header."""
        reader = Reader(self.read_frame())
        number = reader.i32()
        api, version = self.sent.pop(number)
        if version >= FLEXIBLE[api] and api != API_VERSIONS:
            reader.tags()
        return number, reader

    def request(self, api, version, body):
        number = self.send(api, version, body)
        got, reader = self.receive()
        assert got == number, f"correlation id {got}, expected {number}"
        return reader


# CRC-32C, as record batches carry it.
_TABLE = []
for _value in range(256):
    for _ in range(8):
        _value = (_value >> 1) ^ 0x82F63B78 if _value & 1 else _value >> 1
    _TABLE.append(_value)


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc = _TABLE[(crc ^ byte) & 0xFF] ^ (crc >> 8)
    return crc ^ 0xFFFFFFFF


def record_batch(values, key=None):
    """A record batch (format 2) of records that all have this key, or none."""
    records = Writer()
    for delta, value in enumerate(values):
        one = Writer().i8(0).varint(0).varint(delta).varint(-1 if key is None else len(key)).raw(key or b"")
        one.varint(len(value)).raw(value).varint(0)
        records.varint(len(one.data)).raw(one.data)
    now = int(time.time() * 1000)
    body = Writer().i16(0).i32(len(values) - 1).i64(now).i64(now).i64(-1).i16(-1).i32(-1).i32(len(values)).raw(records.data)
    tail = Writer().i32(-1).i8(2).raw(struct.pack(">I", crc32c(body.data))).raw(body.data)
    return bytes(Writer().i64(0).i32(len(tail.data)).raw(tail.data).data)


def produce_body(topic, batches, acks=-1):
    """Produce v9-v12: batches is {partition: bytes}."""
    body = Writer().string(None).i16(acks).i32(30000)
    return body.array([topic], lambda w, t: w.string(t).array(list(batches.items()), _produce_partition).tags()).tags()


def _produce_partition(writer, item):
    writer.i32(item[0]).bytes(item[1]).tags()


def endpoints(data):
    """NodeEndpoints in a tagged field: {node id: (host, port)}."""
    return {} if data is None else dict(Reader(data).array(_endpoint))


def _endpoint(r):
    node, host, port = r.i32(), r.string(), r.i32()
    r.string()
    r.tags()
    return node, (host, port)


def read_produce(r, version):
    """({partition: (error, base offset, leader id or None)}, {node: (host, port)}) of the first topic."""

    def partition(r):
        index, error, base = r.i32(), r.i16(), r.i64()
        r.i64(), r.i64()
        r.array(lambda r: (r.i32(), r.string(), r.tags()))
        r.string()
        tags = r.tags()
        return index, (error, base, Reader(tags[0]).i32() if 0 in tags else None)

    def topic(r):
        r.uuid() if version >= 13 else r.string()
        found = dict(r.array(partition))
        r.tags()
        return found

    topics = r.array(topic)
    r.i32()
    return topics[0], endpoints(r.tags().get(0))


def fetch_body(topic_id, partition, offset, max_wait_ms, min_bytes=1):
    """Fetch v15-v17 of one partition, without a session."""
    body = Writer().i32(max_wait_ms).i32(min_bytes).i32(1 << 20).i8(0).i32(0).i32(-1)

    def topic(w, _):
        w.uuid(topic_id).array([partition], lambda w, p: w.i32(p).i32(-1).i64(offset).i32(-1).i64(-1).i32(1 << 20).tags()).tags()

    return body.array([topic_id], topic).array([], None).string("").tags()


def read_fetch(r):
    """(top error, {partition: (error, high watermark, records, leader id or None)}, {node: (host, port)})."""

    def partition(r):
        index, error, high = r.i32(), r.i16(), r.i64()
        r.i64(), r.i64()
        r.array(lambda r: (r.i64(), r.i64(), r.tags()))
        r.i32()
        records, tags = r.bytes(), r.tags()
        return index, (error, high, records, Reader(tags[1]).i32() if 1 in tags else None)

    r.i32()
    error = r.i16()
    r.i32()
    topics = r.array(lambda r: (r.uuid(), dict(r.array(partition)), r.tags()))
    return error, (topics[0][1] if topics else {}), endpoints(r.tags().get(0))


def metadata_body(topics):
    """Metadata v12 of topics by name; None for all, an empty list for brokers only."""
    body = Writer().array(topics, lambda w, name: w.uuid(uuid.UUID(int=0)).string(name).tags())
    return body.i8(0).i8(0).tags()


class Metadata:
    """Metadata v12 as read: brokers {id: (host, port)}, topics {name: (error, id, {partition: (error, leader)})}."""

    def __init__(self, r):
        r.i32()
        self.brokers = dict(r.array(_endpoint))
        self.cluster_id = r.string()
        self.controller = r.i32()
        self.topics = {}
        for error, name, topic_id, partitions in r.array(self._topic):
            self.topics[name] = (error, topic_id, dict(partitions))
        r.tags()

    def _topic(self, r):
        error, name, topic_id = r.i16(), r.string(), r.uuid()
        r.i8()
        partitions = r.array(self._partition)
        r.i32()
        r.tags()
        return error, name, topic_id, partitions

    @staticmethod
    def _partition(r):
        error, index, leader = r.i16(), r.i32(), r.i32()
        r.i32()
        for _ in range(3):
            r.array(Reader.i32)
        r.tags()
        return index, (error, leader)


def heartbeat_body(group, member, epoch, topics):
    return Writer().string(group).string(member).i32(epoch).string(None).array(topics, Writer.string).tags()


def read_heartbeat(r):
    """(error, member epoch, interval, assignment {topic id: [partition]} or None)."""
    r.i32()
    error, message = r.i16(), r.string()
    r.string()
    epoch, interval = r.i32(), r.i32()
    assignment = None
    if r.i8() >= 0:
        assignment = {t: p for t, p, _ in r.array(lambda r: (r.uuid(), r.array(Reader.i32), r.tags()))}
        r.tags()
    r.tags()
    assert error == 0 or epoch == 0, f"error {error} ({message}) with epoch {epoch}"
    return error, epoch, interval, assignment


def _ack_topics(writer, topics):
    """topics: {topic id: {partition: [(first, last, type)]}}."""

    def batch(w, b):
        w.i64(b[0]).i64(b[1]).array([b[2]], Writer.i8).tags()

    def topic(w, item):
        w.uuid(item[0]).array(list(item[1].items()), lambda w, p: w.i32(p[0]).array(p[1], batch).tags()).tags()

    return writer.array(list(topics.items()), topic)


def share_fetch_body(group, member, epoch, topics, max_wait_ms=500, max_records=500, version=1, forgotten=()):
    """topics as _ack_topics takes them, an empty list of acknowledgements to fetch only."""
    body = Writer().string(group).string(member).i32(epoch).i32(max_wait_ms).i32(1).i32(50 << 20)
    body.i32(max_records).i32(max_records)
    if version >= 2:
        body.i8(0).i8(0)
    _ack_topics(body, topics)
    return body.array(list(forgotten), lambda w, f: w.uuid(f[0]).array(f[1], Writer.i32).tags()).tags()


class SharePartition:
    def __init__(self, r):
        self.partition, self.error, _ = r.i32(), r.i16(), r.string()
        self.acknowledge_error, _ = r.i16(), r.string()
        self.leader = (r.i32(), r.i32())
        r.tags()
        self.records = r.bytes()
        self.acquired = [(f, l, c) for f, l, c, _ in r.array(lambda r: (r.i64(), r.i64(), r.i16(), r.tags()))]
        r.tags()


class ShareFetchAnswer:
    """error, lock timeout, {(topic id, partition): SharePartition}, endpoints."""

    def __init__(self, r):
        r.i32()
        self.error, self.message = r.i16(), r.string()
        self.lock_timeout_ms = r.i32()
        self.partitions = {}
        for topic_id, partitions, _ in r.array(lambda r: (r.uuid(), r.array(SharePartition), r.tags())):
            for one in partitions:
                self.partitions[topic_id, one.partition] = one
        self.endpoints = dict(r.array(_endpoint))
        r.tags()


def share_acknowledge_body(group, member, epoch, topics):
    """v1; topics as _ack_topics takes them."""
    return _ack_topics(Writer().string(group).string(member).i32(epoch), topics).tags()


def read_share_acknowledge(r):
    """(error, {(topic id, partition): error}) of v1."""

    def partition(r):
        index, error = r.i32(), r.i16()
        r.string()
        r.i32(), r.i32()
        r.tags()
        r.tags()
        return index, error

    r.i32()
    error = r.i16()
    r.string()
    found = {}
    for topic_id, partitions, _ in r.array(lambda r: (r.uuid(), r.array(partition), r.tags())):
        for index, code in partitions:
            found[topic_id, index] = code
    r.array(_endpoint)
    r.tags()
    return error, found


class Cluster:
    """Topics, records and group configs for tests, over connections that are made again when they break."""

    def __init__(self, bootstrap, tls=None):
        self.port = int(bootstrap.split(",")[0].rpartition(":")[2])
        self.tls = tls
        self.connections = {}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for one in self.connections.values():
            one.close()

    def request(self, api, version, body, port=None, seconds=20):
        """Asks until there is an answer: a connection may be broken by what the test did before."""
        port = port or self.port
        end = time.monotonic() + seconds
        while True:
            try:
                if port not in self.connections:
                    self.connections[port] = Connection(port, timeout=seconds, tls=self.tls)
                return self.connections[port].request(api, version, body)
            except OSError:
                self.drop(port)
                if time.monotonic() > end:
                    raise
                time.sleep(0.1)

    def drop(self, port):
        connection = self.connections.pop(port, None)
        if connection is not None:
            connection.close()

    def metadata(self, topics, port=None):
        return Metadata(self.request(METADATA, 12, metadata_body(topics), port))

    def create_topic(self, name, partitions=1, replicas=1, assignment=None, configs=None):
        """Creates a topic and waits until all its partitions have leaders. assignment: {partition: [broker]}."""
        body = Writer()

        def topic(w, _):
            w.string(name).i32(-1 if assignment else partitions).i16(-1 if assignment else replicas)
            w.array(list((assignment or {}).items()), lambda w, a: w.i32(a[0]).array(a[1], Writer.i32).tags())
            w.array(list((configs or {}).items()), lambda w, c: w.string(c[0]).string(c[1]).tags()).tags()

        body.array([name], topic).i32(20000).i8(0).tags()
        r = self.request(CREATE_TOPICS, 7, body)
        r.i32()
        (_, _, error, message) = r.array(lambda r: (r.string(), r.uuid(), r.i16(), r.string(), self._skip_created(r))[:4])[0]
        if error:
            raise Failed(f"creating topic {name}", error, message)
        self.wait_leaders(name, len(assignment or ()) or partitions)
        return self.topic_id(name)

    @staticmethod
    def _skip_created(r):
        r.i32(), r.i16()
        r.array(lambda r: (r.string(), r.string(), r.i8(), r.i8(), r.i8(), r.tags()))
        r.tags()

    def delete_records(self, name, partition, before):
        """Moves the start of a partition's log."""
        body = Writer()
        offset = lambda w, _: w.i32(partition).i64(before).tags()  # noqa: E731
        body.array([name], lambda w, topic: w.string(topic).array([partition], offset).tags()).i32(20000).tags()
        r = self.request(DELETE_RECORDS, 2, body, self.leader_port(name, partition))
        r.i32()
        (_, [(_, low, error, _)], _) = r.array(
            lambda r: (r.string(), r.array(lambda r: (r.i32(), r.i64(), r.i16(), r.tags())), r.tags())
        )[0]
        assert (error, low) == (0, before)

    def wait_leaders(self, name, partitions, seconds=20):
        """Until every broker knows the topic and its leaders; returns {partition: leader}."""
        end = time.monotonic() + seconds
        while True:
            views = [self.metadata([name], port) for _, port in self.metadata([]).brokers.values()]
            topics = [view.topics[name] for view in views]
            if all(t[0] == 0 and len(t[2]) == partitions and all(p[0] == 0 for p in t[2].values()) for t in topics):
                return {index: leader for index, (_, leader) in topics[0][2].items()}
            assert time.monotonic() < end, f"topic {name} not led within {seconds} s: {topics}"
            time.sleep(0.05)

    def topic_id(self, name):
        return self.metadata([name]).topics[name][1]

    def leader_port(self, name, partition, seconds=30):
        """The port of the partition's leader; waits while it has none, as any client does."""
        end = time.monotonic() + seconds
        while True:
            view = self.metadata([name])
            found = view.topics[name][2].get(partition)
            if found and found[1] in view.brokers:
                return view.brokers[found[1]][1]
            assert time.monotonic() < end, f"{name}-{partition} without a leader for {seconds} s: {view.topics[name]}"
            time.sleep(0.1)

    def produce(self, topic, values, partitions=1, batch=50, seconds=30):
        """Writes values in turn to the partitions, acks=all, and returns {(partition, offset): value}."""
        written = {}
        parts = {p: values[p::partitions] for p in range(partitions)}
        for partition, mine in parts.items():
            for at in range(0, len(mine), batch):
                piece = [v.encode() if isinstance(v, str) else v for v in mine[at : at + batch]]
                base = self._produce_one(topic, partition, record_batch(piece), seconds)
                written.update({(partition, base + i): v for i, v in enumerate(mine[at : at + batch])})
        return written

    def _produce_one(self, topic, partition, batch, seconds):
        end = time.monotonic() + seconds
        while True:
            port = self.leader_port(topic, partition) if (topic, partition) not in self.leaders else self.leaders[topic, partition]
            self.leaders[topic, partition] = port
            answer, _ = read_produce(self.request(PRODUCE, 9, produce_body(topic, {partition: batch}), port), 9)
            error, base, _ = answer[partition]
            if error == 0:
                return base
            self.leaders.pop((topic, partition))
            if error not in RETRIABLE or time.monotonic() > end:
                raise Failed(f"produce to {topic}-{partition}", error)
            time.sleep(0.05)

    @property
    def leaders(self):
        return self.__dict__.setdefault("_leaders", {})

    def group_config(self, group, seconds=20, **configs):
        """Sets configs of a share group; names with _ for the dots."""
        items = [(key.replace("_", "."), str(value)) for key, value in configs.items()]

        def resource(w, _):
            w.i8(32).string(group).array(items, lambda w, c: w.string(c[0]).i8(0).string(c[1]).tags()).tags()

        body = Writer().array([group], resource).i8(0).tags()
        end = time.monotonic() + seconds
        while True:
            r = self.request(INCREMENTAL_ALTER_CONFIGS, 1, body)
            r.i32()
            error, message = r.array(lambda r: (r.i16(), r.string(), r.i8(), r.string(), r.tags())[:2])[0]
            if error == 0:
                return
            if error not in RETRIABLE or time.monotonic() > end:
                raise Failed(f"configs {items} of group {group}", error, message)
            time.sleep(0.1)

    def coordinator_port(self, group, seconds=20):
        """The port that FindCoordinator gives for a group."""
        body = Writer().i8(0).array([group], Writer.string).tags()
        end = time.monotonic() + seconds
        while True:
            r = self.request(FIND_COORDINATOR, 4, body)
            r.i32()
            answer = r.array(lambda r: (r.string(), r.i32(), r.string(), r.i32(), r.i16(), r.string(), r.tags()))[0]
            if answer[4] == 0:
                return answer[3]
            assert time.monotonic() < end, f"no coordinator for {group} within {seconds} s: {answer}"
            time.sleep(0.1)


class Member:
    """A share group member that sends what it is told, with a connection of its own to each node."""

    def __init__(self, cluster, group, topics):
        self.cluster = cluster
        self.group = group
        self.topics = topics
        self.id = str(uuid.uuid4())
        self.epoch = 0
        self.assignment = {}
        self.connections = {}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for one in self.connections.values():
            one.close()

    def to(self, port):
        if port not in self.connections:
            self.connections[port] = Connection(port)
        return self.connections[port]

    def heartbeat(self, epoch=None, topics=None):
        port = self.cluster.coordinator_port(self.group)
        body = heartbeat_body(self.group, self.id, self.epoch if epoch is None else epoch, topics)
        error, self.epoch, interval, assignment = read_heartbeat(self.to(port).request(SHARE_GROUP_HEARTBEAT, 1, body))
        if assignment is not None:
            self.assignment = assignment
        return error, interval

    def join(self, partitions, seconds=30):
        """Joins and heartbeats until that many partitions are assigned."""
        end = time.monotonic() + seconds
        topics = self.topics
        while True:
            error, interval = self.heartbeat(topics=topics)
            assert error == 0 or error in RETRIABLE, f"heartbeat answered error {error}"
            if error == 0:
                topics = None
            if sum(len(p) for p in self.assignment.values()) >= partitions:
                return self
            assert time.monotonic() < end, f"{partitions} partitions not assigned within {seconds} s: {self.assignment}"
            time.sleep(min(max(interval, 50), 500) / 1000)

    def leave(self):
        return self.heartbeat(epoch=-1, topics=[])[0]

    def fetch(self, port, epoch, topics, **options):
        body = share_fetch_body(self.group, self.id, epoch, topics, **options)
        return ShareFetchAnswer(self.to(port).request(SHARE_FETCH, options.get("version", 1), body))

    def acknowledge(self, port, epoch, topics):
        body = share_acknowledge_body(self.group, self.id, epoch, topics)
        return read_share_acknowledge(self.to(port).request(SHARE_ACKNOWLEDGE, 1, body))
