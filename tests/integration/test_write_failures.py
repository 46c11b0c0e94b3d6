# SPDX-License-Identifier: Apache-2.0
"""Writes of the state that the cluster refuses or leaves open: clients wait, nothing is handed out, and it goes on by itself."""

import re
import time

import pytest

import kschema
from harness import CLIENTS, check_confirmed_stays_done, check_nothing_lost, holds_for, wait_until
from kraw import Cluster

pytestmark = pytest.mark.sluice_only

PARTITIONS = 2
RECORDS = 4000


def set_topic(kafka, topic, **configs):
    """Alters configs of a topic past sluice; names with _ for the dots."""
    entries = [{"Name": name.replace("_", "."), "ConfigOperation": 0, "Value": str(value)} for name, value in configs.items()]
    with kschema.Connection(kafka.port_of(kafka.ids[0])) as connection:
        resource = {"ResourceType": 2, "ResourceName": topic, "Configs": entries}
        answer = connection.ask("IncrementalAlterConfigs", 1, Resources=[resource])
    assert answer["Responses"][0]["ErrorCode"] == 0, answer


def start(kafka, make_sluice, share_clients, name, clients, consumers, assignment=None, **options):
    """A sluice with its own state topic, and programs that read with delays; what was written comes with them."""
    sluice = make_sluice(kafka.bootstrap, **{"state.topic": f"state-{name}", "state.topic.num.partitions": 2, **options})
    with Cluster(sluice.bootstrap) as cluster:
        cluster.create_topic(name, PARTITIONS, assignment=assignment)
        written = cluster.produce(name, [f"{name}/{i}" for i in range(RECORDS)], PARTITIONS, batch=10)
        for client in clients:
            cluster.group_config(f"{client}-{name}", share_auto_offset_reset="earliest")
    how = {"consumers": consumers, "max_poll": 10, "delay_ms": 10 * consumers}
    programs = [share_clients.start(c, sluice.bootstrap, f"{c}-{name}", name, **how) for c in clients]
    for program in programs:
        program.wait_confirmed(100, 60)
    return sluice, programs, written


def losses(sluice):
    return sluice.metrics()["sluice_state_partitions_lost_total"]


def check_all_done(programs, written):
    for program in programs:
        program.wait_records(RECORDS, 120)
        # An acknowledgement that was given up may be in the log all the same: then its record is not delivered again.
        program.wait_quiet(4, 60)
        program.stop()
        check_nothing_lost(program, written)
        check_confirmed_stays_done(program, killed=True)


def test_not_enough_replicas(kafka3, make_sluice, share_clients, name):
    """Longer than delivery.timeout.ms: what waits is answered, the memory goes back to what the log says, no client ends."""
    topic, options = f"state-{name}", {"delivery.timeout.ms": 2000}
    where = {0: [0], 1: [1]}
    sluice, programs, written = start(kafka3, make_sluice, share_clients, name, CLIENTS, 2, where, **options)
    set_topic(kafka3, topic, min_insync_replicas=3)
    kafka3.stop_node(2)
    try:
        wait_until(lambda: losses(sluice) > 0, 40, lambda: "the partitions to be given up")
        wait_until(lambda: sluice.http("/readyz")[0] == 503, 10, lambda: "not ready")
        time.sleep(3)
        # What was written before the node went may be answered meanwhile; from here on nothing is.
        confirmed, memory = [len(p.confirmed) for p in programs], sluice.rss_kib()
        holds_for(lambda: [len(p.confirmed) for p in programs] == confirmed, 4, lambda: "something was confirmed without a write")
        assert sluice.rss_kib() < memory + 30_000
        assert losses(sluice) <= 6, sluice.log()[-3000:]
        assert re.search(r"no write was confirmed for delivery.timeout.ms=2000 \((none answered|last answer: NOT_ENOUGH_REPL)", sluice.log())
        set_topic(kafka3, topic, min_insync_replicas=2)
        sluice.wait_ready(60)
        check_all_done(programs, written)
    finally:
        kafka3.start_node(2)


def test_batches_too_large(kafka, make_sluice, share_clients, name):
    """max.message.bytes lowered while it runs: batches get smaller; when not even a claim fits, it says so and waits."""
    options = {"state.checkpoint.min.bytes": 1024, "state.checkpoint.factor": 1}
    sluice, programs, written = start(kafka, make_sluice, share_clients, name, ["go"], 20, **options)
    set_topic(kafka, f"state-{name}", max_message_bytes=1024)
    # More members than a batch of that size has room for: the next checkpoint shows it.
    programs.append(share_clients.start("go", sluice.bootstrap, f"go-{name}", name, consumers=20, max_poll=10, delay_ms=100))
    wait_until(lambda: "the broker takes no batch of" in sluice.log(), 60, lambda: "a batch that is too large")
    wait_until(lambda: sluice.http("/readyz")[0] == 200, 60, lambda: sluice.http("/readyz"))
    programs[1].wait_confirmed(200, 60)
    assert losses(sluice) <= 8, sluice.log()[-3000:]
    set_topic(kafka, f"state-{name}", max_message_bytes=90)
    wait_until(lambda: "max.message.bytes" in sluice.http("/readyz")[1], 60, lambda: sluice.http("/readyz"))
    writes = sluice.metrics()["sluice_state_log_writes_total"]
    time.sleep(5)
    assert sluice.metrics()["sluice_state_log_writes_total"] - writes <= 12, "it tries again at full speed"
    set_topic(kafka, f"state-{name}", max_message_bytes=1048588)
    sluice.wait_ready(60)
    wait_until(lambda: written.keys() <= programs[0].delivered | programs[1].delivered, 120, lambda: f"all delivered: {programs}")
    for program in programs:
        program.wait_quiet(4, 60)
        program.stop()


def test_records_deleted_by_hand(kafka, make_sluice, share_clients, name):
    """All records of the state deleted past sluice: it writes a checkpoint at once, and a kill behind that forgets nothing."""
    topic = f"state-{name}"
    sluice, programs, written = start(kafka, make_sluice, share_clients, name, ["go"], 3)
    with kschema.Connection(kafka.port_of(kafka.ids[0])) as connection:
        partitions = [{"PartitionIndex": i, "Offset": -1} for i in range(2)]
        answer = connection.ask("DeleteRecords", 1, Topics=[{"Name": topic, "Partitions": partitions}], TimeoutMs=30000)
    cut = {p["PartitionIndex"]: p["LowWatermark"] for p in answer["Topics"][0]["Partitions"]}
    assert all(cut.values()), answer
    checkpoints = "sluice_state_log_checkpoints_total"
    wait_until(lambda: sluice.metrics()[checkpoints] == 2, 60, lambda: f"a checkpoint of both: {sluice.metrics()[checkpoints]}")
    assert "were deleted, and not by the sluice that owns it" in sluice.log()
    sluice.kill9()
    sluice.restart()
    check_all_done(programs, written)
