# SPDX-License-Identifier: Apache-2.0
"""A cluster that is down, slow, stopped or gone: clients see what a dying broker shows, and sluice comes back by itself."""

import os
import signal
import time
from contextlib import ExitStack

import pytest

import kraw
from harness import CLIENTS, Kafka, check_confirmed_stays_done, check_nothing_lost, holds_for, wait_until
from kraw import Cluster, Connection
from relay import Relay

pytestmark = pytest.mark.sluice_only

# Short, so that what is lost on the way is noticed within a test's patience.
FAST = {"request.timeout.ms": 3000, "socket.connection.setup.timeout.ms": 2000}


class Upstream:
    """A broker that is reached only through a relay: its advertised address is the relay's."""

    def __init__(self, kafka, relay, port):
        self.kafka, self.relay = kafka, relay
        self.bootstrap = f"127.0.0.1:{port}"


@pytest.fixture(scope="module")
def upstream_kafka(ports, environment, tmp_path_factory):
    port = ports.block(1)
    props = {"advertised.listeners": f"PLAINTEXT://127.0.0.1:{port}"}
    kafka = Kafka(tmp_path_factory.mktemp("upstream"), ports, props=props)
    kafka.relay_port = port
    yield kafka.start()
    kafka.stop()


@pytest.fixture
def upstream(upstream_kafka):
    with Relay({upstream_kafka.relay_port: upstream_kafka.port}) as relay:
        yield Upstream(upstream_kafka, relay, upstream_kafka.relay_port)


@pytest.fixture
def behind(upstream, make_sluice):
    return make_sluice(upstream.bootstrap, **FAST)


@pytest.fixture
def flow(behind, share_clients, name):
    """Share clients of all three kinds at work on a topic; more() writes records, check() sees that all came."""

    class Flow:
        def __init__(self):
            self.written = {}
            with Cluster(behind.bootstrap) as cluster:
                cluster.create_topic(name, 2)
                for client in CLIENTS:
                    cluster.group_config(f"{name}-{client}", share_auto_offset_reset="earliest")
            self.programs = [
                share_clients.start(client, behind.bootstrap, f"{name}-{client}", name, consumers=2, max_poll=50)
                for client in CLIENTS
            ]

        def more(self, count, seconds=60):
            with Cluster(behind.bootstrap) as cluster:
                values = [f"{name}/{len(self.written) + i}" for i in range(count)]
                self.written.update(cluster.produce(name, values, 2, batch=20, seconds=seconds))

        def caught_up(self, seconds=60):
            for program in self.programs:
                program.wait_for(lambda c: c.delivered >= self.written.keys(), seconds, f"{len(self.written)} records")

        def check(self):
            self.caught_up()
            for program in self.programs:
                program.wait_quiet(2, 60)
            for program in self.programs:
                program.stop()
                check_confirmed_stays_done(program, killed=True)
                check_nothing_lost(program, self.written)
            assert behind.alive()

    return Flow()


@pytest.mark.parametrize("kind", ["nobody listens", "refuses"])
def test_down_at_start(kind, upstream, make_sluice, ports, name):
    port = ports.block(1)
    way = Relay({port: upstream.kafka.port})
    with ExitStack() as stack:
        if kind == "refuses":
            way.refuse = True
            stack.enter_context(way)
        sluice = make_sluice(f"127.0.0.1:{port}", ready=0, **FAST)
        wait_until(lambda: sluice.http("/livez")[0] == 200, 10, lambda: f"livez; log: {sluice.log()}")

        def waiting():
            status, text = sluice.http("/readyz")
            return sluice.alive() and status == 503 and text.strip()

        holds_for(waiting, 3, lambda: f"alive and not ready: {sluice.http('/readyz')}\n{sluice.log()}")
        lines = len(sluice.log().splitlines())
        assert lines < 60, f"{lines} log lines while waiting for the cluster"
        if kind == "refuses":
            way.refuse = False
        else:
            stack.enter_context(way)
        sluice.wait_ready(20)
        with Cluster(sluice.bootstrap) as cluster:
            cluster.create_topic(name)
            cluster.produce(name, ["works"])


def test_broker_killed_and_started_again(upstream, behind, flow):
    flow.more(500)
    flow.caught_up()
    with Connection(behind.broker_port(1)) as one:
        one.request(kraw.METADATA, 12, kraw.metadata_body([]))
        upstream.kafka.stop_node(1, kill=True)
        one.socket.settimeout(10)
        try:
            assert one.socket.recv(1) == b"", "something was said although the broker is dead"
        except ConnectionError:
            pass
    holds_for(behind.alive, 1, "sluice lives while its cluster is down")
    assert behind.http("/livez")[0] == 200
    upstream.kafka.start_node(1)
    behind.wait_ready(30)
    flow.more(500)
    flow.check()


def test_broker_stopped_for_a_while(upstream, behind, flow):
    flow.more(300)
    flow.caught_up()
    pid = upstream.kafka.pid(1)
    with Connection(behind.broker_port(1), timeout=30) as one:
        one.request(kraw.METADATA, 12, kraw.metadata_body([]))
        os.kill(pid, signal.SIGSTOP)
        try:
            holds_for(lambda: behind.alive() and behind.http("/livez")[0] == 200, 10, "alive while the broker is stopped")
        finally:
            os.kill(pid, signal.SIGCONT)
    behind.wait_ready(30)
    flow.more(300)
    flow.check()


def test_slow_upstream(upstream, behind, flow):
    upstream.relay.delay = 0.03
    upstream.relay.piece = 4096
    flow.more(400)
    flow.check()


def test_upstream_in_single_bytes(upstream, behind, name):
    upstream.relay.piece = 1
    with Cluster(behind.bootstrap) as cluster:
        topic_id = cluster.create_topic(name)
        cluster.produce(name, [b"x" * 200] * 5, batch=5)
        answer = cluster.request(kraw.FETCH, 17, kraw.fetch_body(topic_id, 0, 0, 1000), cluster.leader_port(name, 0))
        error, partitions, _ = kraw.read_fetch(answer)
        assert (error, partitions[0][0], partitions[0][1]) == (0, 0, 5)
        assert partitions[0][2].count(b"x" * 200) == 5


def test_upstream_connections_reset(upstream, behind, flow):
    for _ in range(6):
        flow.more(150)
        time.sleep(0.3)
        upstream.relay.reset_all()
    flow.check()
    behind.wait_ready(20)


def test_answers_that_never_come(upstream, behind, flow):
    """The outcome of a state write is unknown for longer than the request timeout: it is found out, not guessed."""
    flow.more(300)
    flow.caught_up()
    upstream.relay.swallow_answers = True
    time.sleep(5)
    upstream.relay.swallow_answers = False
    upstream.relay.reset_all()
    behind.wait_ready(30)
    flow.more(300)
    flow.check()


def test_killed_while_upstream_is_away(upstream, behind, flow):
    """kill -9 and a start without the cluster: sluice waits for it, then goes on where its log ends."""
    flow.more(300)
    flow.caught_up()
    upstream.relay.refuse = True
    upstream.relay.reset_all()
    behind.kill9()
    behind.start(ready=0)
    wait_until(lambda: behind.http("/livez")[0] == 200, 10, "livez")
    assert behind.http("/readyz")[0] == 503
    upstream.relay.refuse = False
    behind.wait_ready(30)
    flow.more(300)
    flow.check()
