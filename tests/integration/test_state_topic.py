# SPDX-License-Identifier: Apache-2.0
"""The internal topic on a real broker: made with safe settings, checkpointed and trimmed under load, refused when unsafe."""

import re
import time

import pytest

from harness import check_confirmed_stays_done, check_nothing_lost, kafka_tool, wait_until
from kraw import Cluster

pytestmark = pytest.mark.sluice_only

RECORDS = 4000


def offsets(kafka, topic, which):
    """Of the topic's partitions: where they begin (-2) or end (-1)."""
    out = kafka_tool("GetOffsetShell", "--bootstrap-server", kafka.bootstrap, "--topic", topic, "--time", which).stdout
    return [int(offset) for offset in re.findall(rf"^{topic}:\d+:(\d+)$", out, re.M)]


def trimmed(kafka, topic):
    """How many partitions of the topic begin behind offset 0."""
    return sum(offset > 0 for offset in offsets(kafka, topic, "-2"))


def test_checkpoints_trim_and_restore(kafka, make_sluice, share_clients, name):
    """One record an acknowledgement with small checkpoints: the log is cut behind them, and kills forget nothing."""
    topic = f"state-{name}"
    options = {"state.topic": topic, "state.checkpoint.min.bytes": 4096, "state.checkpoint.factor": 1}
    sluice = make_sluice(kafka.bootstrap, **options)
    with Cluster(sluice.bootstrap) as cluster:
        cluster.create_topic(name, 2)
        written = cluster.produce(name, [f"{name}/{i}" for i in range(RECORDS)], 2, batch=10)
        cluster.group_config(name, share_auto_offset_reset="earliest")
    program = share_clients.start("go", sluice.bootstrap, name, name, consumers=4, max_poll=3, idle_ms=15000)
    for part in range(1, 4):
        program.wait_confirmed(RECORDS * part // 5, 90)
        sluice.kill9()
        sluice.restart()
    program.wait_records(RECORDS, 120)
    wait_until(lambda: sluice.metrics()["sluice_state_log_checkpoints_total"] > 0, 30, lambda: "a checkpoint")
    wait_until(lambda: trimmed(kafka, topic) > 0, 30, lambda: "the log to be trimmed")
    program.wait_quiet(2, 60)
    sluice.kill9()
    sluice.restart()
    program.stop()
    check_nothing_lost(program, written)
    check_confirmed_stays_done(program, killed=True)
    again = share_clients.start("go", sluice.bootstrap, name, name, idle_ms=4000)
    again.wait_for(lambda c: c.process.poll() is not None, 60, "the group is drained")
    assert not again.records, f"delivered although nothing was left: {again}"


def test_topic_is_made_safe(kafka, make_sluice, name):
    topic = f"state-{name}"
    make_sluice(kafka.bootstrap, **{"state.topic": topic, "state.topic.num.partitions": 2})
    out = kafka_tool("TopicCommand", "--bootstrap-server", kafka.bootstrap, "--describe", "--topic", topic).stdout
    assert "PartitionCount: 2" in out
    for setting in ("cleanup.policy=delete", "retention.ms=-1", "retention.bytes=-1", "unclean.leader.election.enable=false"):
        assert setting in out, out


SAFE = {
    "cleanup.policy": "delete",
    "retention.ms": "-1",
    "retention.bytes": "-1",
    "unclean.leader.election.enable": "false",
    "min.insync.replicas": "2",
}


def check_refused(kafka, make_sluice, name, setting, replicas):
    """sluice says what is wrong and how to mend it, serves ordinary traffic meanwhile, and takes the topic once it is mended."""
    topic = f"state-{name}"
    key, value = setting.split("=")
    configs = [word for k, v in {**SAFE, key: value}.items() for word in ("--config", f"{k}={v}")]
    kafka_tool(
        "TopicCommand", "--bootstrap-server", kafka.bootstrap, "--create", "--topic", topic, "--partitions", "1",
        "--replication-factor", replicas, *configs,
    )  # fmt: skip
    sluice = make_sluice(kafka.bootstrap, ready=0, **{"state.topic": topic})
    wait_until(lambda: setting in sluice.http("/readyz")[1], 20, lambda: f"the setting to be named: {sluice.http('/readyz')}")
    status, text = sluice.http("/readyz")
    assert status == 503
    assert f"must have {SAFE[key]}" in text and "kafka-configs" in text
    with Cluster(sluice.bootstrap) as cluster:
        cluster.create_topic(name)
        cluster.produce(name, ["passes"])
    kafka_tool(
        "ConfigCommand", "--bootstrap-server", kafka.bootstrap, "--alter", "--entity-type", "topics",
        "--entity-name", topic, "--add-config", f"{key}={SAFE[key]}",
    )  # fmt: skip
    sluice.wait_ready(30)


@pytest.mark.parametrize("setting", ["cleanup.policy=compact", "retention.ms=3600000"])
def test_unsafe_topic_is_refused(setting, kafka, make_sluice, name):
    # One replica cannot be two in sync: nothing is asked of it there.
    check_refused(kafka, make_sluice, name, setting, "1")


def test_too_few_in_sync_replicas_are_refused(kafka3, make_sluice, name):
    check_refused(kafka3, make_sluice, name, "min.insync.replicas=1", "3")


def test_partitions_added_to_the_topic(kafka, make_sluice, name):
    """A group would begin anew in a partition that was added: nothing is claimed, and the topic is named with what to do."""
    topic = f"state-{name}"
    options = {"state.topic": topic, "state.topic.num.partitions": 2}
    sluice = make_sluice(kafka.bootstrap, **options)
    assert min(offsets(kafka, topic, "-1")) > 0, "a state partition was not claimed"
    sluice.terminate()
    kafka_tool("TopicCommand", "--bootstrap-server", kafka.bootstrap, "--alter", "--topic", topic, "--partitions", "4")
    again = make_sluice(kafka.bootstrap, ready=0, **options)
    wait_until(lambda: "partition count of 2 instead of 4" in again.log(), 30, again.log)
    status, text = again.http("/readyz")
    assert status == 503, text
    with Cluster(again.bootstrap) as cluster:
        cluster.create_topic(name)
        cluster.produce(name, ["passes"])
    time.sleep(3)
    assert offsets(kafka, topic, "-1")[2:] == [0, 0], "partitions that were added were claimed"
