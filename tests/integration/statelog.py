# SPDX-License-Identifier: Apache-2.0
"""Records of the internal topic written byte by byte, as src/statelog/FORMAT.md says, for logs that no sluice writes."""

import struct
import time

from kraw import PRODUCE, RETRIABLE, Failed, Writer, produce_body, read_produce, record_batch

KEY = b"sl\x01"
OWNER = bytes(range(16))
TOPIC_ID = bytes(range(16, 32))


def claim(partition=0, count=1, address="127.0.0.1:1"):
    return bytes(Writer().i8(1).raw(OWNER).string(address).uvarint(partition).uvarint(count).data)


def begin(epoch, partition=0, count=1, address="127.0.0.1:1"):
    return bytes(Writer().i8(2).uvarint(epoch).raw(OWNER).string(address).uvarint(partition).uvarint(count).data)


def end(epoch, begin_offset, snapshots):
    return bytes(Writer().i8(3).uvarint(epoch).uvarint(begin_offset).uvarint(snapshots).data)


def resign(epoch):
    return bytes(Writer().i8(5).uvarint(epoch).i8(1).data)


def entries(epoch, *parts):
    return bytes(Writer().i8(4).uvarint(epoch).raw(b"".join(parts)).data)


def in_group(group):
    return bytes(Writer().i8(1).string(group).data)


def snapshot(group, epoch=1, assignment=1):
    return bytes(Writer().i8(2).string(group).i8(1).varint(epoch).varint(assignment).data)


SNAPSHOT_END = b"\x03"


def group(epoch=1, assignment=1):
    return bytes(Writer().i8(4).varint(epoch).varint(assignment).data)


def member(name="m"):
    writer = Writer().i8(6).string(name).varint(1).varint(0).string(None).string("c").string("/h")
    return bytes(writer.uvarint(0).uvarint(0).data)


def partition(number, topic, index=0, start=0, topic_id=TOPIC_ID):
    """A share-partition without ranges."""
    return bytes(Writer().i8(9).uvarint(number).raw(topic_id).uvarint(index).string(topic).uvarint(start + 1).uvarint(0).data)


def acknowledged(number, first, last):
    """One range of records."""
    return bytes(Writer().i8(64 | 2).uvarint(number).varint(first).uvarint(last - first).i8(2 | 1 << 3).data)


class StateTopic:
    """Writes to a state topic past sluice: straight to the broker."""

    def __init__(self, cluster, topic, partitions=1, **configs):
        self.cluster = cluster
        self.topic = topic
        safe = {"cleanup.policy": "delete", "retention.ms": "-1", "retention.bytes": "-1", "unclean.leader.election.enable": "false"}
        if partitions:
            cluster.create_topic(topic, partitions, configs={**safe, **configs})

    def write(self, value, key=KEY, partition=0, seconds=30):
        """Returns the record's offset."""
        end_at = time.monotonic() + seconds
        batch = record_batch([value], key=key)
        while True:
            port = self.cluster.leader_port(self.topic, partition)
            answer, _ = read_produce(self.cluster.request(PRODUCE, 9, produce_body(self.topic, {partition: batch}), port), 9)
            error, offset, _ = answer[partition]
            if error == 0:
                return offset
            if error not in RETRIABLE or time.monotonic() > end_at:
                raise Failed(f"produce to {self.topic}-{partition}", error)
            time.sleep(0.1)

    def group(self, name, topic, partition=0, count=1, done=None, state_partition=0):
        """A claim, a group with one share-partition, its first records done, and the owner's farewell."""
        epoch = self.write(claim(state_partition, count), partition=state_partition)
        parts = [in_group(name), group(), globals()["partition"](1, topic, partition)]
        if done:
            parts.append(acknowledged(1, *done))
        self.write(entries(epoch, *parts), partition=state_partition)
        self.write(resign(epoch), partition=state_partition)
        return epoch


def java_hash(text):
    value = 0
    for unit in struct.unpack(f">{len(text.encode('utf-16-be')) // 2}H", text.encode("utf-16-be")):
        value = (31 * value + unit) & 0xFFFFFFFF
    return value - (1 << 32) if value >= 1 << 31 else value


def state_partition(group_id, count):
    """The state partition of a group: Kafka's own rule for __consumer_offsets."""
    value = java_hash(group_id)
    return (0 if value == -(1 << 31) else abs(value)) % count
