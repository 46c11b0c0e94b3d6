# SPDX-License-Identifier: Apache-2.0
"""sluice state dump and verify: what real clients have filled is printed and holds, and what breaks a rule is found where it is."""

import pytest

import statelog
from harness import run, sluice_binary, wait_until
from kraw import Cluster

pytestmark = pytest.mark.sluice_only


def state(kafka, command, topic, *more):
    return run([sluice_binary(), "state", command, "--bootstrap-server", kafka.bootstrap, "--topic", topic, *more], check=False, timeout=90)


def verify(kafka, topic, status, *expected):
    result = state(kafka, "verify", topic)
    assert result.returncode == status, result.stdout + result.stderr
    for text in expected:
        assert text in result.stdout, f"'{text}' is not in:\n{result.stdout}{result.stderr}"
    return result.stdout


@pytest.fixture
def written(kafka, name):
    """A state topic that is written past sluice."""
    with Cluster(kafka.bootstrap) as cluster:
        yield statelog.StateTopic(cluster, f"state-{name}")


def test_what_clients_have_filled(kafka, make_sluice, share_clients, name):
    topic = f"state-{name}"
    options = {"state.topic": topic, "state.topic.num.partitions": 2, "state.checkpoint.min.bytes": 4096, "state.checkpoint.factor": 1}
    sluice = make_sluice(kafka.bootstrap, **options)
    with Cluster(sluice.bootstrap) as cluster:
        cluster.create_topic(name, 2)
        cluster.produce(name, [str(i) for i in range(600)], 2, batch=10)
        cluster.group_config(name, share_auto_offset_reset="earliest")
    program = share_clients.start("go", sluice.bootstrap, name, name, consumers=2, max_poll=3)
    program.wait_confirmed(600, 90)
    # While it is written, by the configuration file.
    result = run([sluice_binary(), "state", "verify", "-c", sluice.dir / "sluice.conf"], check=False, timeout=90)
    assert result.returncode == 0 and "no rule is broken" in result.stdout, result.stdout + result.stderr
    program.stop()
    text = wait_until(lambda: (t := state(kafka, "dump", topic)).returncode == 0 and t.stdout, 60, "a dump")
    for expected in (f'in group "{name}"', ": start ", "claim, epoch", f'at "{sluice.bootstrap}"', "share-partition #", "begin mark"):
        assert expected in text, f"'{expected}' is not in:\n{text[:4000]}"
    assert "BROKEN" not in text and "malformed" not in text
    sluice.terminate()
    text = verify(kafka, topic, 0, "no rule is broken", "handed over", "groups 1, members 0")
    assert "2 of 2 partitions" in text, text
    assert "1 of 2 partitions" in state(kafka, "verify", topic, "--partition", "1").stdout


def test_foreign_and_late_records_are_left_out(kafka, written, name):
    first = written.write(statelog.claim())
    last = written.write(statelog.claim())
    late = written.write(statelog.entries(first, statelog.in_group("g"), statelog.group()))
    foreign = written.write(b"hello", key=b"key")
    written.write(statelog.entries(last, statelog.in_group("g"), statelog.group()))
    text = verify(
        kafka, written.topic, 0, f"left out at offset {late}: a record of an owner that had lost the partition",
        f"left out at offset {foreign}: a record that no sluice wrote", "left out 2", "groups 1", f"owner: epoch {last}",
    )  # fmt: skip
    assert "no rule is broken" in text


def test_flipped_bits_are_found(kafka, written):
    epoch = written.write(statelog.claim())
    value = bytearray(statelog.entries(epoch, statelog.in_group("g"), statelog.group(), statelog.partition(1, "t")))
    value[2] ^= 0x60
    bad = written.write(bytes(value))
    behind = written.write(statelog.entries(epoch, statelog.in_group("h"), statelog.group()))
    verify(kafka, written.topic, 3, f"BROKEN at offset {bad}: a malformed entry", "1 records behind it", "1 partitions and 0 groups")
    dump = state(kafka, "dump", written.topic)
    assert f"offset {bad}, " in dump.stdout and "[BROKEN: a malformed entry]" in dump.stdout, dump.stdout
    assert f"offset {behind}, " in dump.stdout and "[behind what is broken]" in dump.stdout, dump.stdout


def test_newer_records_are_found(kafka, written):
    written.write(statelog.claim())
    newer = written.write(b"whatever", key=b"sl\x02")
    verify(kafka, written.topic, 3, f"BROKEN at offset {newer}: a record in a newer format")


def test_wrong_trimming_is_found(kafka, written):
    written.group("g", "t", done=(0, 4))
    written.cluster.delete_records(written.topic, 0, 1)
    verify(kafka, written.topic, 3, "BROKEN at offset 1: the log was cut off by something else")


def test_other_partition_count_is_found(kafka, written):
    offset = written.write(statelog.claim(0, 50))
    verify(kafka, written.topic, 3, f"BROKEN at offset {offset}: the log is that of partition 0 of 50, and this is partition 0 of 1")


def test_contradiction_in_a_group_is_found(kafka, written):
    epoch = written.write(statelog.claim())
    written.write(statelog.entries(epoch, statelog.in_group("good"), statelog.group()))
    written.write(statelog.entries(epoch, statelog.in_group("bad\n"), statelog.member()))
    verify(
        kafka, written.topic, 3, 'BROKEN: group "bad\\x0a" contradicts itself: it has members or share-partitions, but does not exist',
        "0 partitions and 1 groups break a rule", "groups 2",
    )  # fmt: skip


@pytest.mark.parametrize(
    "arguments,status,text",
    [
        (["dump"], 2, "expected either -c FILE or --bootstrap-server"),
        (["verify", "-c", "f", "--bootstrap-server", "h:1"], 2, "expected either"),
        (["--bootstrap-server", "h:1"], 2, "expected dump or verify"),
        (["mend", "--bootstrap-server", "h:1"], 2, "not mend"),
        (["dump", "--bootstrap-server", "h:1", "--partition", "x"], 2, "--partition x"),
        (["dump", "--bootstrap-server", "h"], 1, "bootstrap.servers=h"),
        (["dump", "-c", "/nonexistent"], 1, "/nonexistent"),
    ],
)
def test_command_line(arguments, status, text):
    result = run([sluice_binary(), "state", *arguments], check=False, timeout=30)
    assert result.returncode == status and text in result.stderr, result
    assert "sluice state verify" in run([sluice_binary(), "state", "--help"], timeout=30).stdout


def test_what_is_not_there(kafka, written, name):
    result = state(kafka, "verify", name + "-none")
    assert result.returncode == 1 and "no topic of this name" in result.stderr, result
    result = state(kafka, "verify", written.topic, "--partition", "1")
    assert result.returncode == 1 and "no partition" in result.stderr, result
