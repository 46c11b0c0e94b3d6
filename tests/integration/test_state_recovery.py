# SPDX-License-Identifier: Apache-2.0
"""sluice started on logs that no sluice wrote like that: what can not be used is refused with offset and reason, all else is served."""

import pytest

import statelog
from harness import wait_until
from kraw import Cluster

pytestmark = pytest.mark.sluice_only


def group_in(state_partition, name, count=2):
    """A group id that this state partition keeps."""
    return next(g for g in (f"{name}-{i}" for i in range(1000)) if statelog.state_partition(g, count) == state_partition)


def flipped(topic):
    epoch = topic.write(statelog.claim(0, 2))
    value = bytearray(statelog.entries(epoch, statelog.in_group("g"), statelog.group()))
    value[2] ^= 0x60
    return topic.write(bytes(value)), "a malformed entry"


def newer(topic):
    topic.write(statelog.claim(0, 2))
    return topic.write(b"whatever", key=b"sl\x02"), "a record in a newer format, written by a newer sluice"


def cut_off(topic):
    topic.write(statelog.claim(0, 2))
    topic.write(statelog.claim(0, 2))
    topic.cluster.delete_records(topic.topic, 0, 1)
    return 1, "the log was cut off by something else"


def half_checkpoint(topic):
    epoch = topic.write(statelog.claim(0, 2))
    offset = topic.write(statelog.begin(epoch, 0, 2))
    topic.write(statelog.entries(epoch, statelog.snapshot("g")))
    topic.cluster.delete_records(topic.topic, 0, offset)
    return offset, "the checkpoint that the log starts with has no end"


@pytest.mark.parametrize("damage", [flipped, newer, cut_off, half_checkpoint])
def test_damage_is_refused_and_the_rest_served(damage, kafka, make_sluice, share_clients, name):
    with Cluster(kafka.bootstrap) as direct:
        topic = statelog.StateTopic(direct, f"state-{name}", 2)
        offset, why = damage(topic)
        sluice = make_sluice(kafka.bootstrap, ready=0, **{"state.topic": topic.topic})
        expected = f"state partition 0, offset {offset}: {why}"
        wait_until(lambda: expected in sluice.http("/readyz")[1], 60, lambda: f"'{expected}': {sluice.http('/readyz')}")
        assert sluice.http("/readyz")[0] == 503
        assert expected in sluice.log(), sluice.log()
        group = group_in(1, name)
        with Cluster(sluice.bootstrap) as cluster:
            cluster.create_topic(name)
            cluster.produce(name, [str(i) for i in range(20)])
            cluster.group_config(group, seconds=60, share_auto_offset_reset="earliest")
        program = share_clients.start("go", sluice.bootstrap, group, name)
        program.wait_confirmed(20, 60)
        program.stop()


def test_foreign_records_do_not_matter(kafka, make_sluice, share_clients, name):
    """Records of others, and late ones of an earlier owner, are left out and told; what counts is not delivered again."""
    with Cluster(kafka.bootstrap) as direct:
        topic_id = direct.create_topic(name)
        written = direct.produce(name, [str(i) for i in range(20)])
        topic = statelog.StateTopic(direct, f"state-{name}")
        old = topic.write(statelog.claim())
        epoch = topic.write(statelog.claim())
        known = (statelog.in_group(name), statelog.group(), statelog.partition(1, name, topic_id=topic_id.bytes))
        topic.write(statelog.entries(epoch, *known, statelog.acknowledged(1, 0, 9)))
        foreign = topic.write(b"hello", key=None)
        topic.write(statelog.entries(old, statelog.in_group(name), b"\x05"))
        sluice = make_sluice(kafka.bootstrap, ready=60, **{"state.topic": topic.topic})
    assert f"offset {foreign}: left out a record that no sluice wrote" in sluice.log()
    program = share_clients.start("go", sluice.bootstrap, name, name)
    program.wait_confirmed(10, 60)
    program.wait_quiet(2, 60)
    program.stop()
    assert sorted(program.delivered) == sorted(written)[10:], program
