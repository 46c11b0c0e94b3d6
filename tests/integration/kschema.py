# SPDX-License-Identifier: Apache-2.0
"""Requests and answers of any API and version as dicts with Kafka's field names, by the schemas in src/wire/schema.

It shares no code with sluice's codec, only the schemas, which are compared with Kafka's own bytes by a unit test.
Fields that are left out have their default; {} in a list is an element of defaults.
"""

import re
import socket
import struct
import sys
import uuid
from pathlib import Path

SCHEMAS = Path(__file__).resolve().parents[2] / "src" / "wire" / "schema"
sys.path.insert(0, str(Path(__file__).resolve().parent))

import kraw  # noqa: E402

OPEN = 32767
WIDTHS = {"int8": ">b", "int16": ">h", "uint16": ">H", "int32": ">i", "int64": ">q", "float64": ">d", "bool": ">?"}
RANGE = re.compile(r"^(\d+)(?:(-)(\d+)?)?$")


def _range(text):
    m = RANGE.match(text)
    low = int(m[1])
    return low, (low if not m[2] else int(m[3]) if m[3] else OPEN)


class Field:
    def __init__(self, words):
        self.name, self.type = words[0], words[1]
        self.array = self.type.startswith("[]")
        self.element = self.type[2:] if self.array else self.type
        self.versions, self.nullable, self.tag, self.default, self.fields = (0, OPEN), None, None, None, []
        self.empty_for_null = "empty-for-null" in words
        rest = words[2:]
        while rest:
            word = rest.pop(0)
            if word == "nullable":
                self.nullable = _range(rest.pop(0)) if rest and RANGE.match(rest[0]) else (0, OPEN)
            elif word == "tag":
                self.tag = int(rest.pop(0))
            elif word == "default":
                self.default = rest.pop(0)
            elif RANGE.match(word):
                self.versions = _range(word)

    def exists(self, version):
        return self.versions[0] <= version <= self.versions[1]

    def initial(self):
        if self.default == "null":
            return None
        if self.array:
            return []
        if self.element in ("string", "bytes", "records", "uuid"):
            return {"string": self.default or "", "bytes": b"", "records": None, "uuid": uuid.UUID(int=0)}[self.element]
        if self.element == "bool":
            return self.default == "true"
        return {} if self.fields else int(self.default or 0)


class Message:
    def __init__(self, versions, flexible):
        self.versions, self.flexible, self.fields = versions, flexible, []


def _load(path):
    key, messages, stack, structs = None, [], [], {}
    for line in path.read_text().splitlines():
        depth, words = len(line) - len(line.lstrip("\t")), line.split()
        if not words or words[0].startswith("#"):
            continue
        if words[0] == "api":
            key, name = int(words[1]), words[2]
        elif depth == 0:
            low = int(_range(words[3])[0]) if len(words) > 3 else OPEN + 1
            messages.append(Message(_range(words[1]), low))
            stack, structs = [messages[-1].fields], {}
        elif words[0] == "struct":
            structs[words[1]] = []
            stack = [stack[0], structs[words[1]]]
        else:
            field = Field(words)
            field.fields = structs.get(field.element, field.fields)
            del stack[depth:]
            stack[depth - 1].append(field)
            stack.append(field.fields)
    return key, name, messages


class Api:
    def __init__(self, path):
        self.key, self.name, (self.request, self.response) = _load(path)


APIS = {api.name: api for api in (Api(path) for path in sorted(SCHEMAS.glob("*.schema")))}
BY_KEY = {api.key: api for api in APIS.values()}


class Encoder(kraw.Writer):
    def __init__(self, version, flexible):
        super().__init__()
        self.version, self.flexible = version, flexible

    def length(self, count, layout):
        """A length, None for null."""
        if self.flexible:
            return self.uvarint(0 if count is None else count + 1)
        return self._pack(layout, -1 if count is None else count)

    def scalar(self, kind, value):
        if kind in WIDTHS:
            return self._pack(WIDTHS[kind], value)
        if kind == "uuid":
            return self.uuid(value)
        data = value.encode() if isinstance(value, str) else value
        self.length(None if data is None else len(data), ">h" if kind == "string" else ">i")
        return self.raw(data or b"")

    def one(self, field, value):
        return self.struct(field.fields, value) if field.fields else self.scalar(field.element, value)

    def value(self, field, value):
        if field.array:
            self.length(None if value is None else len(value), ">i")
            for item in value or []:
                self.one(field, item)
        elif field.fields and field.nullable and field.tag is None:
            self.i8(-1 if value is None else 1)
            if value is not None:
                self.struct(field.fields, value)
        else:
            self.one(field, value)

    def struct(self, fields, values):
        unknown = set(values) - {f.name for f in fields}
        assert not unknown, f"no such fields: {unknown}"
        tagged = []
        for field in fields:
            if not field.exists(self.version):
                continue
            if field.tag is not None:
                if field.name in values:
                    tagged.append(field)
                continue
            self.value(field, values.get(field.name, field.initial()))
        if self.flexible:
            self.uvarint(len(tagged))
            for field in sorted(tagged, key=lambda f: f.tag):
                inner = Encoder(self.version, True)
                inner.value(field, values[field.name])
                self.uvarint(field.tag).uvarint(len(inner.data)).raw(inner.data)
        return self


class Decoder(kraw.Reader):
    def __init__(self, data, version, flexible):
        super().__init__(data)
        self.version, self.flexible = version, flexible

    def length(self, layout):
        if self.flexible:
            return self.uvarint() - 1
        return self._unpack(layout, struct.calcsize(layout))

    def scalar(self, kind):
        if kind in WIDTHS:
            return self._unpack(WIDTHS[kind], struct.calcsize(WIDTHS[kind]))
        if kind == "uuid":
            return self.uuid()
        count = self.length(">h" if kind == "string" else ">i")
        if count < 0:
            return None
        data = bytes(self.take(count))
        return data.decode() if kind == "string" else data

    def one(self, field):
        return self.struct(field.fields) if field.fields else self.scalar(field.element)

    def value(self, field):
        if field.array:
            count = self.length(">i")
            return None if count < 0 else [self.one(field) for _ in range(count)]
        if field.fields and field.nullable and field.tag is None:
            return self.struct(field.fields) if self.i8() >= 0 else None
        return self.one(field)

    def struct(self, fields):
        found = {f.name: self.value(f) for f in fields if f.exists(self.version) and f.tag is None}
        if self.flexible:
            tags = {f.tag: f for f in fields if f.tag is not None and f.exists(self.version)}
            for number, data in self.tags().items():
                if number in tags:
                    found[tags[number].name] = Decoder(data, self.version, True).value(tags[number])
        return found


class Connection:
    """A connection that speaks in dicts. Several requests may be under way; answers are read in order."""

    def __init__(self, port, host="127.0.0.1", timeout=60):
        self.socket = socket.create_connection((host, port), timeout=timeout)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.waiting = []
        self.last = 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def encode(self, name, version, **values):
        """A whole request with its length; its answer is waited for."""
        api = APIS[name]
        flexible = version >= api.request.flexible
        self.last += 1
        self.waiting.append((self.last, api, version))
        head = kraw.Writer().i16(api.key).i16(version).i32(self.last).old_string("raw")
        if flexible:
            head.tags()
        payload = bytes(head.data) + bytes(Encoder(version, flexible).struct(api.request.fields, values).data)
        return struct.pack(">i", len(payload)) + payload

    def send(self, name, version, **values):
        self.socket.sendall(self.encode(name, version, **values))

    def forget(self):
        """The last request has no answer (Produce with acks 0)."""
        self.waiting.pop()

    def _exactly(self, count):
        data = bytearray()
        while len(data) < count:
            piece = self.socket.recv(count - len(data))
            if not piece:
                raise ConnectionResetError(f"closed after {len(data)} of {count} bytes")
            data += piece
        return bytes(data)

    def receive(self):
        number, api, version = self.waiting.pop(0)
        data = self._exactly(struct.unpack(">i", self._exactly(4))[0])
        flexible = version >= api.response.flexible
        reader = Decoder(data, version, flexible)
        got = reader.i32()
        assert got == number, f"correlation id {got}, expected {number}"
        if flexible and api.name != "ApiVersions":
            reader.tags()
        found = reader.struct(api.response.fields)
        assert reader.at == len(data), f"{api.name} v{version}: {len(data) - reader.at} bytes behind the answer"
        return found

    def ask(self, name, version, **values):
        self.send(name, version, **values)
        return self.receive()

    def versions(self):
        """{API key: (lowest, highest)} as the other side shows them."""
        found = self.ask("ApiVersions", 3, ClientSoftwareName="raw", ClientSoftwareVersion="1")
        return {entry["ApiKey"]: (entry["MinVersion"], entry["MaxVersion"]) for entry in found["ApiKeys"]}
