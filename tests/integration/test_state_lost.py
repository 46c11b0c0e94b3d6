# SPDX-License-Identifier: Apache-2.0
"""The internal topic deleted in an emergency: every group goes on from its stable offset on the cluster, whatever the client."""

import threading
import time

import pytest

import kschema
from harness import CLIENTS, check_nothing_lost, promise, wait_until
from kraw import Cluster

pytestmark = pytest.mark.sluice_only

PARTITIONS = 2
SAFE = ("cleanup.policy=delete", "retention.ms=-1", "retention.bytes=-1", "unclean.leader.election.enable=false")


class Feeder:
    """Writes records past sluice all the time, until it is stopped."""

    def __init__(self, bootstrap, topic):
        self.bootstrap, self.topic = bootstrap, topic
        self.written, self.error, self.ending = {}, None, False
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def _run(self):
        try:
            with Cluster(self.bootstrap) as direct:
                while not self.ending:
                    at = len(self.written)
                    self.written.update(direct.produce(self.topic, [f"{self.topic}/{at + i}" for i in range(20)], PARTITIONS))
                    time.sleep(0.1)
        except Exception as error:  # shown by stop
            self.error = error

    def stop(self):
        self.ending = True
        self.thread.join(60)
        assert not self.thread.is_alive() and not self.error, self.error
        return self.written


def ask(kafka, api, version, **values):
    with kschema.Connection(kafka.port_of(kafka.ids[0])) as connection:
        return connection.ask(api, version, **values)


def shadow(kafka, group):
    """{partition: offset} that the cluster has of a group."""
    topics = ask(kafka, "OffsetFetch", 5, GroupId=group, Topics=None)["Topics"]
    return {p["PartitionIndex"]: p["CommittedOffset"] for topic in topics for p in topic["Partitions"]}


def delete(kafka, topic):
    answer = ask(kafka, "DeleteTopics", 5, TopicNames=[topic], TimeoutMs=30000)
    assert answer["Responses"][0]["ErrorCode"] == 0, answer


def replace(kafka, topic):
    """By one with another number of partitions, as soon as the cluster takes it."""
    delete(kafka, topic)
    configs = [dict(zip(("Name", "Value"), setting.split("="))) for setting in SAFE]
    new = {"Name": topic, "NumPartitions": 2, "ReplicationFactor": 1, "Configs": configs}

    def made():
        # 36: on a slow machine sluice may have been quicker.
        return ask(kafka, "CreateTopics", 5, Topics=[new], timeoutMs=30000)["Topics"][0]["ErrorCode"] in (0, 36)

    wait_until(made, 30, lambda: "the topic to be made again")


@pytest.mark.parametrize("how", ["running", "down", "replaced"])
def test_every_client_goes_on(how, kafka, make_sluice, share_clients, name):
    """No client ends, nothing is lost, nothing before the stable offset comes again, and the alarm says what has to be done."""
    topic = f"state-{name}"
    options = {"state.topic": topic, "state.topic.num.partitions": 3, "stable.offset.commit.interval.ms": 300}
    sluice = make_sluice(kafka.bootstrap, **options, **{"metadata.max.age.ms": 1000})
    with Cluster(sluice.bootstrap) as cluster:
        cluster.create_topic(name, PARTITIONS)
        for client in CLIENTS:
            cluster.group_config(f"{client}-{name}", share_auto_offset_reset="earliest")
    feeder = Feeder(kafka.bootstrap, name)
    programs = [share_clients.start(c, sluice.bootstrap, f"{c}-{name}", name, max_poll=50) for c in CLIENTS]
    for program in programs:
        program.wait_confirmed(300, 60)
    stable = {}
    for program in programs:
        wait_until(lambda p=program: len(shadow(kafka, p.group)) == PARTITIONS, 60, lambda p=program: f"the shadow of {p}", every=0.3)
        stable[program.client] = shadow(kafka, program.group)
    if how == "down":
        sluice.kill9()
        delete(kafka, topic)
        sluice.restart()
    else:
        (delete if how == "running" else replace)(kafka, topic)
        wait_until(lambda: sluice.metrics()["sluice_state_topic_losses_total"] == 1, 60, lambda: sluice.http("/readyz"))
        sluice.wait_ready(60)
    lost_at = time.monotonic()
    written = feeder.stop()
    for program in programs:
        program.wait_for(lambda p: written.keys() <= p.delivered, 90, "all to be delivered")
        # What is confirmed from now on is kept in the new topic.
        program.wait_for(lambda p: written.keys() <= p.confirmed | before(stable[p.client]), 60, "all to be confirmed")
    for program in programs:
        program.stop()
        check_nothing_lost(program, written)
        passed = before(stable[program.client])
        again = [r for r in program.records if r["at"] > lost_at and (r["partition"], r["offset"]) in passed]
        promise(not again, lambda p=program, a=again: f"delivered again although it was before the stable offset: {a[:5]}, {p}")
    check_alarm(sluice, name, how)


def before(stable):
    return {(partition, i) for partition, offset in stable.items() for i in range(offset)}


def check_alarm(sluice, name, how):
    log, metrics = sluice.log(), sluice.metrics()
    for client in CLIENTS:
        assert f"the state of share group {client}-{name} is gone" in log, log[-4000:]
    assert metrics["sluice_state_gone_groups_total"] >= len(CLIENTS)
    if how == "down":
        return
    assert "is not on the cluster any more" in log or (how == "replaced" and "was deleted and made again" in log)
    named = log[log.index("these share groups had configs") :]
    for client in CLIENTS:
        assert f"{client}-{name} (share.auto.offset.reset=earliest)" in named, log[-4000:]


def standby_of(owner):
    return 503, f"standby of 127.0.0.1:{owner.port}\n"


def owner_among(pair):
    """The one that is ready while the other stands by for it; None: not settled."""
    pages = [one.http("/readyz") for one in pair]
    for i in range(2):
        if pages[i][0] == 200 and pages[1 - i] == standby_of(pair[i]):
            return pair[i]
    return None


def test_two_sluices_find_one_owner(kafka, make_sluice, share_clients, name):
    """Both make the topic anew and may claim it (an owner that sees no log looks dead); one owns it then, the other stands by."""
    topic = f"state-{name}"
    options = {"state.topic": topic, "state.topic.num.partitions": 3, "metadata.max.age.ms": 1000}
    pair = [make_sluice(kafka.bootstrap, ready=ready, **options) for ready in (20, 0)]
    wait_until(lambda: owner_among(pair), 30, lambda: [one.http("/readyz") for one in pair])
    with Cluster(pair[0].bootstrap) as cluster:
        cluster.create_topic(name, PARTITIONS)
        cluster.group_config(name, share_auto_offset_reset="earliest")
    feeder = Feeder(kafka.bootstrap, name)
    program = share_clients.start("go", ",".join(one.bootstrap for one in pair), name, name)
    program.wait_confirmed(100, 60)
    delete(kafka, topic)
    for one in pair:
        wait_until(lambda o=one: o.metrics()["sluice_state_topic_losses_total"] == 1, 60, lambda o=one: o.http("/readyz"))
    owner = wait_until(lambda: owner_among(pair), 60, lambda: [one.http("/readyz") for one in pair])
    program.wait_confirmed(len(program.confirmed) + 100, 90)
    owner.kill9()
    other = pair[1 - pair.index(owner)]
    other.wait_ready(60)
    written = feeder.stop()
    program.wait_for(lambda p: written.keys() <= p.delivered, 90, "all to be delivered")
    program.stop()
    check_nothing_lost(program, written)
