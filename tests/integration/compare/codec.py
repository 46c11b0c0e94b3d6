# SPDX-License-Identifier: Apache-2.0
"""Requests and answers as dicts, from one line of layout each: enough of the protocol to ask two servers the same thing.

A layout is a list of `name type`; a name may carry the versions that have it (`rack@2+`, `bytes@0`, `key@0-3`).
Types: i8 i16 i32 i64 bool s(tring) bytes u(uid), [T] array, {..} struct, ?{..} nullable struct. None is null everywhere.
"""

import re
import struct
import uuid

from kraw import FLEXIBLE, Reader, Writer

TOKEN = re.compile(r"\s*(\?\{|[][{},]|[\w@+-]+)")

MESSAGES = {
    8: (
        "OffsetCommit",
        8,
        "group s, generation i32, member s, instance@7+ s,"
        " topics [{name s, partitions [{index i32, offset i64, leader_epoch@6+ i32, metadata s}]}]",
        "throttle@3+ i32, topics [{name s, partitions [{index i32, error i16}]}]",
    ),
    10: (
        "FindCoordinator",
        3,
        "key@0-3 s, type@1+ i8, keys@4+ [s]",
        "throttle@1+ i32, error@0-3 i16, message@1-3 s, node@0-3 i32, host@0-3 s, port@0-3 i32,"
        " coordinators@4+ [{key s, node i32, host s, port i32, error i16, message s}]",
    ),
    11: (
        "JoinGroup",
        6,
        "group s, session_timeout i32, rebalance_timeout@1+ i32, member s, instance@5+ s, type s,"
        " protocols [{name s, metadata bytes}], reason@8+ s",
        "throttle@2+ i32, error i16, generation i32, type@7+ s, protocol s, leader s, skip@9+ bool, member s,"
        " members [{member s, instance@5+ s, metadata bytes}]",
    ),
    15: (
        "DescribeGroups",
        5,
        "groups [s], operations@3+ bool",
        "throttle@1+ i32, groups [{error i16, message@6+ s, group s, state s, protocol_type s, protocol s,"
        " members [{member s, instance@4+ s, client s, host s, metadata bytes, assignment bytes}], operations@3+ i32}]",
    ),
    16: (
        "ListGroups",
        3,
        "states@4+ [s], types@5+ [s]",
        "throttle@1+ i32, error i16, groups [{group s, protocol s, state@4+ s, type@5+ s}]",
    ),
    18: (
        "ApiVersions",
        3,
        "software@3+ s, software_version@3+ s, cluster@5+ s, broker@5+ i32",
        "error i16, apis [{key i16, min i16, max i16}], throttle@1+ i32",
    ),
    20: (
        "DeleteTopics",
        4,
        "topics@6+ [{name s, topic u}], names@0-5 [s], timeout i32",
        "throttle@1+ i32, responses [{name s, topic@6+ u, error i16, message@5+ s}]",
    ),
    22: (
        "InitProducerId",
        2,
        "transactional s, timeout i32, producer@3+ i64, epoch@3+ i16",
        "throttle i32, error i16, producer i64, epoch i16",
    ),
    24: (
        "AddPartitionsToTxn",
        3,
        "transactional s, producer i64, epoch i16, topics [{name s, partitions [i32]}]",
        "throttle i32, results [{name s, partitions [{index i32, error i16}]}]",
    ),
    26: (
        "EndTxn",
        3,
        "transactional s, producer i64, epoch i16, commit bool",
        "throttle i32, error i16",
    ),
    32: (
        "DescribeConfigs",
        4,
        "resources [{type i8, name s, keys [s]}], synonyms bool, documentation@3+ bool",
        "throttle i32, results [{error i16, message s, type i8, name s, configs [{name s, value s, read_only bool, source i8,"
        " sensitive bool, synonyms [{name s, value s, source i8}], config_type@3+ i8, documentation@3+ s}]}]",
    ),
    33: (
        "AlterConfigs",
        2,
        "resources [{type i8, name s, configs [{name s, value s}]}], validate_only bool",
        "throttle i32, responses [{error i16, message s, type i8, name s}]",
    ),
    37: (
        "CreatePartitions",
        2,
        "topics [{name s, count i32, assignments [{brokers [i32]}]}], timeout i32, validate_only bool",
        "throttle i32, results [{name s, error i16, message s}]",
    ),
    42: (
        "DeleteGroups",
        2,
        "groups [s]",
        "throttle i32, results [{group s, error i16, message@3+ s}]",
    ),
    44: (
        "IncrementalAlterConfigs",
        1,
        "resources [{type i8, name s, configs [{name s, operation i8, value s}]}], validate_only bool",
        "throttle i32, responses [{error i16, message s, type i8, name s}]",
    ),
    68: (
        "ConsumerGroupHeartbeat",
        0,
        "group s, member s, member_epoch i32, instance s, rack s, rebalance_timeout i32, topics [s], assignor s,"
        " owned [{topic u, partitions [i32]}]",
        "throttle i32, error i16, message s, member s, member_epoch i32, interval i32,"
        " assignment ?{topics [{topic u, partitions [i32]}]}",
    ),
    69: (
        "ConsumerGroupDescribe",
        0,
        "groups [s], operations bool",
        "throttle i32, groups [{error i16, message s, group s, state s, group_epoch i32, assignment_epoch i32, assignor s,"
        " members [{member s}], operations i32}]",
    ),
    74: (
        "ListConfigResources",
        0,
        "types@1+ [i8]",
        "throttle i32, error i16, resources [{name s, type@1+ i8}]",
    ),
    76: (
        "ShareGroupHeartbeat",
        0,
        "group s, member s, member_epoch i32, rack s, topics [s]",
        "throttle i32, error i16, message s, member s, member_epoch i32, interval i32,"
        " assignment ?{topics [{topic u, partitions [i32]}]}",
    ),
    77: (
        "ShareGroupDescribe",
        0,
        "groups [s], operations bool",
        "throttle i32, groups [{error i16, message s, group s, state s, group_epoch i32, assignment_epoch i32, assignor s,"
        " members [{member s, rack s, member_epoch i32, client s, host s, subscribed [s],"
        " assignment {topics [{topic u, name s, partitions [i32]}]}}], operations i32}]",
    ),
    78: (
        "ShareFetch",
        0,
        "group s, member s, session_epoch i32, max_wait i32, min_bytes i32, max_bytes i32, max_records i32, batch_size i32,"
        " mode@2+ i8, renew@2+ bool,"
        " topics [{topic u, partitions [{index i32, acks [{first i64, last i64, types [i8]}]}]}],"
        " forgotten [{topic u, partitions [i32]}]",
        "throttle i32, error i16, message s, lock_timeout i32, topics [{topic u, partitions [{index i32, error i16, message s,"
        " ack_error i16, ack_message s, leader {node i32, leader_epoch i32}, records bytes,"
        " acquired [{first i64, last i64, count i16}]}]}], endpoints [{node i32, host s, port i32, rack s}]",
    ),
    79: (
        "ShareAcknowledge",
        0,
        "group s, member s, session_epoch i32, renew@2+ bool,"
        " topics [{topic u, partitions [{index i32, acks [{first i64, last i64, types [i8]}]}]}]",
        "throttle i32, error i16, message s, lock_timeout@2+ i32, topics [{topic u, partitions [{index i32, error i16, message s,"
        " leader {node i32, leader_epoch i32}}]}], endpoints [{node i32, host s, port i32, rack s}]",
    ),
    90: (
        "DescribeShareGroupOffsets",
        0,
        "groups [{group s, topics [{name s, partitions [i32]}]}]",
        "throttle i32, groups [{group s, topics [{name s, topic u, partitions [{index i32, start i64, leader_epoch i32, lag@1+ i64,"
        " error i16, message s}]}], error i16, message s}]",
    ),
    91: (
        "AlterShareGroupOffsets",
        0,
        "group s, topics [{name s, partitions [{index i32, start i64}]}]",
        "throttle i32, error i16, message s, responses [{name s, topic u, partitions [{index i32, error i16, message s}]}]",
    ),
    92: (
        "DeleteShareGroupOffsets",
        0,
        "group s, topics [{name s}]",
        "throttle i32, error i16, message s, responses [{name s, topic u, error i16, message s}]",
    ),
}


def _parse_fields(tokens, end):
    fields = []
    while tokens and tokens[0] != end:
        name, _, versions = tokens.pop(0).partition("@")
        first, last = 0, 1 << 15
        if versions:
            low, plus, high = versions.partition("+") if "+" in versions else versions.partition("-")
            first, last = int(low), (1 << 15 if plus == "+" else int(high or low))
        fields.append((name, first, last, _parse_type(tokens)))
        if tokens and tokens[0] == ",":
            tokens.pop(0)
    if end:
        tokens.pop(0)
    return fields


def _parse_type(tokens):
    token = tokens.pop(0)
    if token == "[":
        inner = _parse_type(tokens)
        assert tokens.pop(0) == "]"
        return ("array", inner)
    if token in ("{", "?{"):
        return ("nullable" if token == "?{" else "struct", _parse_fields(tokens, "}"))
    return (token, None)


LAYOUTS = {
    key: (name, flexible, _parse_fields(TOKEN.findall(ask), None), _parse_fields(TOKEN.findall(answer), None))
    for key, (name, flexible, ask, answer) in MESSAGES.items()
}
# The connection writes request headers after this table.
FLEXIBLE.update({key: flexible for key, (_, flexible, _, _) in LAYOUTS.items()})
KEYS = {layout[0]: key for key, layout in LAYOUTS.items()}
NUMBERS = {"i8": ">b", "i16": ">h", "i32": ">i", "i64": ">q", "bool": ">?"}


class Bad(Exception):
    """A field that the layout does not have, or bytes left over."""


def encode(api, version, values):
    """The body as a kraw.Writer; every field of the version must be given, and no other."""
    name, flexible, fields, _ = LAYOUTS[api]
    writer = Writer()
    _write_struct(writer, fields, version, version >= flexible, values, name)
    return writer


def _write_struct(w, fields, version, compact, values, where):
    known = {f[0] for f in fields}
    if set(values) - known:
        raise Bad(f"{where} has no {sorted(set(values) - known)}")
    for name, first, last, kind in fields:
        if first <= version <= last:
            _write(w, kind, version, compact, values[name], f"{where}.{name}")
    if compact:
        w.tags()


def _write(w, kind, version, compact, value, where):
    name, inner = kind
    if name in NUMBERS:
        w.raw(struct.pack(NUMBERS[name], value))
    elif name == "u":
        w.uuid(value)
    elif name == "s":
        data = None if value is None else value.encode() if isinstance(value, str) else value
        w.bytes(data) if compact else _old_bytes(w, data, ">h")
    elif name == "bytes":
        w.bytes(value) if compact else _old_bytes(w, value, ">i")
    elif name == "array":
        count = -1 if value is None else len(value)
        w.uvarint(count + 1) if compact else w.i32(count)
        for one in value or ():
            _write(w, inner, version, compact, one, where + "[]")
    else:
        if name == "nullable":
            w.i8(-1 if value is None else 1)
        if value is not None:
            _write_struct(w, inner, version, compact, value, where)


def _old_bytes(w, data, layout):
    w.raw(struct.pack(layout, -1 if data is None else len(data))).raw(data or b"")


def decode(api, version, reader):
    """The answer as a dict; all bytes must be used."""
    name, flexible, _, fields = LAYOUTS[api]
    answer = _read_struct(reader, fields, version, version >= flexible)
    if reader.at != len(reader.data) and name != "ApiVersions":
        raise Bad(f"{name} v{version}: {len(reader.data) - reader.at} bytes behind the answer")
    return answer


def _read_struct(r, fields, version, compact):
    found = {name: _read(r, kind, version, compact) for name, first, last, kind in fields if first <= version <= last}
    if compact:
        tags = r.tags()
        if tags:
            found["tags"] = {number: len(data) for number, data in tags.items()}
    return found


def _read(r, kind, version, compact):
    name, inner = kind
    if name in NUMBERS:
        layout = NUMBERS[name]
        return struct.unpack(layout, r.take(struct.calcsize(layout)))[0]
    if name == "u":
        return r.uuid()
    if name in ("s", "bytes"):
        size = r.uvarint() - 1 if compact else r.i16() if name == "s" else r.i32()
        data = None if size < 0 else bytes(r.take(size))
        return data if name == "bytes" or data is None else data.decode()
    if name == "array":
        count = r.uvarint() - 1 if compact else r.i32()
        return None if count < 0 else [_read(r, inner, version, compact) for _ in range(count)]
    if name == "nullable" and r.i8() < 0:
        return None
    return _read_struct(r, inner, version, compact)


def batches(data):
    """What can be compared of record batches: where each lies, how many records, whether control or transactional."""
    found = []
    r = Reader(data or b"")
    while r.at < len(r.data):
        base, size = r.i64(), r.i32()
        body = Reader(r.take(size))
        body.take(4 + 1 + 4)
        attributes, delta = body.i16(), body.i32()
        body.take(8 + 8 + 8 + 2 + 4)
        found.append({"base": base, "last": base + delta, "count": body.i32(), "attributes": attributes, "bytes": size})
    return found


ZERO = uuid.UUID(int=0)
