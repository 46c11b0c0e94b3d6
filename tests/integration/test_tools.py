# SPDX-License-Identifier: Apache-2.0
"""Kafka 4.4's own command line tools work through sluice."""

import re

import pytest

from harness import kafka_tool, wait_until


def lines(*values):
    return "".join(f"{value}\n" for value in values)


def describe_group(sluice, name, *what):
    return kafka_tool(
        "consumer.group.ShareGroupCommand", "--bootstrap-server", sluice.bootstrap, "--describe", "--group", name, *what
    ).stdout


def lags(text, name):
    """Partition -> lag; the start offset beside it may trail behind what is done."""
    rows = [line.split() for line in text.splitlines() if line.startswith(name)]
    return {row[2]: row[4] for row in rows}


def test_topics(sluice, name):
    def topics(*args):
        return kafka_tool("TopicCommand", "--bootstrap-server", sluice.bootstrap, *args).stdout

    topics("--create", "--topic", name, "--partitions", "3", "--config", "retention.ms=3600000")
    assert name in topics("--list").split()
    text = topics("--describe", "--topic", name)
    assert "PartitionCount: 3" in text and "retention.ms=3600000" in text, text
    assert len(re.findall(r"Partition: \d", text)) == 3, text
    topics("--alter", "--topic", name, "--partitions", "4")
    wait_until(lambda: "PartitionCount: 4" in topics("--describe", "--topic", name), 20, "4 partitions")
    topics("--delete", "--topic", name)
    wait_until(lambda: name not in topics("--list").split(), 20, "the topic is gone")


def test_topic_configs(sluice, cluster, name):
    cluster.create_topic(name)

    def configs(*args):
        return kafka_tool(
            "ConfigCommand", "--bootstrap-server", sluice.bootstrap, "--entity-type", "topics", "--entity-name", name, *args
        ).stdout

    configs("--alter", "--add-config", "retention.ms=7200000,max.message.bytes=2000000")
    wait_until(lambda: "retention.ms=7200000" in configs("--describe"), 10, "the changed value")
    configs("--alter", "--delete-config", "max.message.bytes")
    wait_until(lambda: "max.message.bytes" not in configs("--describe"), 10, "the deleted value")


def test_group_configs(sluice, name):
    def configs(*args, check=True):
        return kafka_tool(
            "ConfigCommand", "--bootstrap-server", sluice.bootstrap, "--entity-type", "groups", "--entity-name", name, *args,
            check=check,
        )

    configs("--alter", "--add-config", "share.auto.offset.reset=earliest,share.record.lock.duration.ms=20000")
    text = configs("--describe").stdout
    assert "share.auto.offset.reset=earliest" in text and "share.record.lock.duration.ms=20000" in text, text
    text = configs("--describe", "--all").stdout
    assert "share.isolation.level=read_uncommitted" in text, text
    configs("--alter", "--delete-config", "share.record.lock.duration.ms")
    text = configs("--describe").stdout
    assert "share.auto.offset.reset=earliest" in text and "share.record.lock.duration.ms" not in text, text
    for wrong in ("share.auto.offset.reset=sometimes", "share.record.lock.duration.ms=1"):
        result = configs("--alter", "--add-config", wrong, check=False)
        assert result.returncode != 0 and wrong.split("=")[0] in result.stdout + result.stderr, f"{wrong}: {result}"
    assert "share.auto.offset.reset=earliest" in configs("--describe").stdout


@pytest.mark.parametrize("protocol", ["classic", "consumer"])
def test_console_producer_and_consumer(protocol, sluice, cluster, name):
    cluster.create_topic(name, 3)
    wanted = [f"{name} {i}" for i in range(100)]
    kafka_tool("ConsoleProducer", "--bootstrap-server", sluice.bootstrap, "--topic", name, stdin=lines(*wanted))
    result = kafka_tool(
        "consumer.ConsoleConsumer", "--bootstrap-server", sluice.bootstrap, "--topic", name, "--from-beginning",
        "--group", name, "--command-property", f"group.protocol={protocol}",
        "--max-messages", "100", "--timeout-ms", "30000",
    )  # fmt: skip
    assert sorted(result.stdout.splitlines()) == sorted(wanted)
    text = kafka_tool(
        "consumer.group.ConsumerGroupCommand", "--bootstrap-server", sluice.bootstrap, "--describe", "--group", name
    ).stdout
    lags = [line.split()[5] for line in text.splitlines() if line.startswith(name)]
    assert lags == ["0", "0", "0"], text


@pytest.mark.parametrize("acks", ["0", "1", "all"])
def test_performance_tools(acks, sluice, cluster, name):
    cluster.create_topic(name, 2)
    count = 20000
    text = kafka_tool(
        "ProducerPerformance", "--topic", name, "--num-records", count, "--record-size", 200, "--throughput", -1,
        "--command-property", f"bootstrap.servers={sluice.bootstrap}", f"acks={acks}",
        *([] if acks == "all" else ["enable.idempotence=false"]),
    ).stdout  # fmt: skip
    assert f"{count} records sent" in text, text

    def written():
        text = kafka_tool("GetOffsetShell", "--bootstrap-server", sluice.bootstrap, "--topic", name).stdout
        return sum(int(line.rsplit(":", 1)[1]) for line in text.splitlines() if line.startswith(name + ":"))

    wait_until(lambda: written() == count, 20, lambda: f"{count} records written, there are {written()}", every=0.5)
    text = kafka_tool(
        "ConsumerPerformance", "--bootstrap-server", sluice.bootstrap, "--topic", name, "--num-records", count,
        "--timeout", 20000,
    ).stdout  # fmt: skip
    row = [cell.strip() for cell in text.strip().splitlines()[-1].split(",")]
    assert int(row[4]) >= count, text


def test_offsets_and_versions(sluice, cluster, name):
    cluster.create_topic(name, 2)
    cluster.produce(name, ["x"] * 30, 2)

    def offsets(time):
        text = kafka_tool("GetOffsetShell", "--bootstrap-server", sluice.bootstrap, "--topic", name, "--time", time).stdout
        return sorted(text.split())

    assert offsets("latest") == [f"{name}:0:15", f"{name}:1:15"]
    assert offsets("earliest") == [f"{name}:0:0", f"{name}:1:0"]
    text = kafka_tool("BrokerApiVersionsCommand", "--bootstrap-server", sluice.bootstrap).stdout
    for line in ("ShareGroupHeartbeat(76): 1", "ShareGroupDescribe(77): 1", "ShareFetch(78): 1 to 2", "ShareAcknowledge(79): 1 to 2"):
        assert line in text, f"{line} is not in {text}"
    if not sluice.native:
        for hidden in range(83, 88):
            assert re.search(rf"\({hidden}\): UNSUPPORTED", text), f"API {hidden} is shown: {text}"


def test_console_share_consumer_and_group_command(sluice, cluster, share_clients, name):
    cluster.create_topic(name, 2)
    written = cluster.produce(name, [f"{name} {i}" for i in range(40)], 2, batch=10)
    cluster.group_config(name, share_auto_offset_reset="earliest")
    result = kafka_tool(
        "consumer.ConsoleShareConsumer", "--bootstrap-server", sluice.bootstrap, "--topic", name, "--group", name,
        "--max-messages", "40", "--timeout-ms", "30000",
    )  # fmt: skip
    assert sorted(result.stdout.splitlines()) == sorted(written.values())
    assert name in kafka_tool("consumer.group.ShareGroupCommand", "--bootstrap-server", sluice.bootstrap, "--list").stdout.split()
    wait_until(lambda: lags(describe_group(sluice, name, "--offsets"), name) == {"0": "0", "1": "0"}, 20, "lag 0")
    assert re.search(rf"{name}.*Empty", describe_group(sluice, name, "--state")), describe_group(sluice, name, "--state")
    program = share_clients.start("go", sluice.bootstrap, name, name, mode="hold")
    wait_until(
        lambda: re.search(rf"{name}.*Stable", describe_group(sluice, name, "--state")),
        30,
        lambda: describe_group(sluice, name, "--state"),
    )
    members = describe_group(sluice, name, "--members", "--verbose")
    assert re.search(rf"{name}.*go-0", members), members
    program.stop()


def test_group_list_and_delete(sluice, cluster, share_clients, name):
    cluster.create_topic(name)
    cluster.produce(name, ["x"] * 5)
    cluster.group_config(name, share_auto_offset_reset="earliest")
    program = share_clients.start("python", sluice.bootstrap, name, name)
    program.wait_confirmed(5, 40)
    command = ("consumer.group.ShareGroupCommand", "--bootstrap-server", sluice.bootstrap)
    groups = kafka_tool("GroupsCommand", "--bootstrap-server", sluice.bootstrap, "--list").stdout
    assert re.search(rf"{name}\s+Share", groups), groups
    result = kafka_tool(*command, "--delete", "--group", name, check=False)
    assert "not empty" in (result.stdout + result.stderr).lower(), result
    program.stop()
    kafka_tool(*command, "--delete", "--group", name)
    assert name not in kafka_tool(*command, "--list").stdout.split()
