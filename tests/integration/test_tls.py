# SPDX-License-Identifier: Apache-2.0
"""TLS on either side of sluice and on both: real clients, real brokers, reload, strange hellos."""

import os
import signal
import socket
import ssl
import time

import pytest

import kraw
from certificates import Authority
from harness import (
    BACKING_VERSION,
    Kafka,
    check_confirmed_stays_done,
    check_nothing_lost,
    kafka_tool,
    wait_until,
)
from kraw import Cluster, Connection

pytestmark = pytest.mark.sluice_only

CLIENTS = ("java", "python", "go")


@pytest.fixture(scope="module")
def authority(tmp_path_factory):
    return Authority(tmp_path_factory.mktemp("certificates"))


@pytest.fixture(scope="module")
def server_pem(authority):
    return authority.issue("server")


@pytest.fixture(scope="module")
def tls_kafka(ports, environment, authority, tmp_path_factory):
    """A broker whose clients speak TLS; its own listener for tools stays plain."""
    cluster = Kafka(tmp_path_factory.mktemp("kafka-tls"), ports, version=BACKING_VERSION)
    secure = ports.block(1)
    cluster.tls_bootstrap = f"127.0.0.1:{secure}"
    own = cluster.port
    for prop in (
        f"listeners=PLAINTEXT://127.0.0.1:{own},CONTROLLER://127.0.0.1:{own + 1},SSL://127.0.0.1:{secure}",
        f"advertised.listeners=PLAINTEXT://127.0.0.1:{own},SSL://127.0.0.1:{secure}",
        "listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,SSL:SSL",
        "ssl.keystore.type=PEM",
        f"ssl.keystore.location={authority.issue('broker')}",
        "ssl.truststore.type=PEM",
        f"ssl.truststore.location={authority.ca}",
        "ssl.client.auth=requested",
    ):
        cluster.options += ["--prop", prop]
    yield cluster.start()
    cluster.stop()


@pytest.fixture
def tls_front(make_sluice, server_pem):
    """tls_front(upstream, OPTION=VALUE...): a sluice with a TLS listener."""

    def make(upstream, **options):
        return make_sluice(upstream, ready=30, protocol="SSL", ssl_keystore_location=server_pem, **options)

    return make


def to_brokers(authority):
    return {"security_protocol": "SSL", "cluster_ssl_truststore_location": authority.ca}


def share_work(share_clients, cluster, bootstrap, name, **options):
    """All three share clients read 300 records, none lost, none again."""
    cluster.create_topic(name, 2)
    for client in CLIENTS:
        cluster.group_config(f"{name}-{client}", share_auto_offset_reset="earliest")
    written = cluster.produce(name, [f"{name}/{i}" for i in range(300)], 2)
    programs = [share_clients.start(c, bootstrap, f"{name}-{c}", name, consumers=2, **options) for c in CLIENTS]
    for program in programs:
        program.wait_for(lambda c: c.confirmed >= written.keys(), 60, "all confirmed")
    for program in programs:
        program.stop()
        check_confirmed_stays_done(program)
        check_nothing_lost(program, written)


def test_tls_to_plain(kafka, tls_front, authority, share_clients, name):
    front = tls_front(kafka.bootstrap)
    with Cluster(front.bootstrap, authority.client()) as cluster:
        share_work(share_clients, cluster, front.bootstrap, name, ca=authority.ca)


def test_plain_to_tls(tls_kafka, make_sluice, authority, share_clients, name):
    front = make_sluice(tls_kafka.tls_bootstrap, ready=30, **to_brokers(authority))
    with Cluster(front.bootstrap) as cluster:
        share_work(share_clients, cluster, front.bootstrap, name)


def test_tls_to_tls(tls_kafka, tls_front, authority, share_clients, name, tmp_path):
    front = tls_front(tls_kafka.tls_bootstrap, **to_brokers(authority))
    with Cluster(front.bootstrap, authority.client()) as cluster:
        share_work(share_clients, cluster, front.bootstrap, name, ca=authority.ca)
    config = tmp_path / "client.properties"
    config.write_text(f"security.protocol=SSL\nssl.truststore.type=PEM\nssl.truststore.location={authority.ca}\n")
    lines = "".join(f"line {i} {'x' * 1000}\n" for i in range(2000))
    topic = f"{name}-tools"
    kafka_tool("TopicCommand", "--bootstrap-server", front.bootstrap, "--command-config", config, "--create", "--topic", topic)
    kafka_tool(
        "ConsoleProducer", "--bootstrap-server", front.bootstrap, "--command-config", config, "--topic", topic, stdin=lines
    )
    got = kafka_tool(
        "consumer.ConsoleConsumer", "--bootstrap-server", front.bootstrap, "--command-config", config, "--topic", topic,
        "--from-beginning", "--max-messages", "2000", "--timeout-ms", "30000"
    )  # fmt: skip
    assert got.stdout == lines


def test_wrong_broker_certificate(tls_kafka, make_sluice, tmp_path):
    """Another authority than the broker's: sluice says why it cannot work, and is never ready."""
    other = Authority(tmp_path / "other", "another authority")
    front = make_sluice(tls_kafka.tls_bootstrap, ready=0, **to_brokers(other))
    wait_until(lambda: "the peer's certificate was not accepted" in front.log(), 20, front.log)
    assert front.http("/readyz")[0] == 503


def test_client_certificates(kafka, tls_front, authority, tmp_path, name):
    front = tls_front(kafka.bootstrap, ssl_truststore_location=authority.ca, ssl_client_auth="required")
    with Cluster(front.bootstrap, authority.client(authority.issue("somebody"))) as cluster:
        cluster.create_topic(name)
    stranger = Authority(tmp_path / "other", "another authority").issue("stranger")
    for certificate in (None, stranger):
        with pytest.raises(OSError):
            with Connection(front.port, tls=authority.client(certificate), timeout=10) as one:
                one.request(kraw.METADATA, 12, kraw.metadata_body([]))
    assert "tls_failed" in front.log()


def served_certificate(port, authority):
    with socket.create_connection(("127.0.0.1", port), timeout=10) as raw:
        with authority.client().wrap_socket(raw, server_hostname="127.0.0.1") as one:
            return one.getpeercert()["serialNumber"]


def test_reload(kafka, make_sluice, authority, tmp_path, name):
    """SIGHUP shows a new certificate to new connections; a bad file changes nothing; old connections live on."""
    served = tmp_path / "served.pem"
    served.write_bytes(authority.issue("first").read_bytes())
    front = make_sluice(kafka.bootstrap, ready=30, protocol="SSL", ssl_keystore_location=served)
    first = served_certificate(front.port, authority)
    with Connection(front.port, tls=authority.client()) as old:
        old.request(kraw.METADATA, 12, kraw.metadata_body([]))
        served.write_bytes(authority.issue("second").read_bytes())
        os.kill(front.process.pid, signal.SIGHUP)
        wait_until(lambda: served_certificate(front.port, authority) != first, 20, front.log)
        second = served_certificate(front.port, authority)
        served.write_text("nonsense\n")
        os.kill(front.process.pid, signal.SIGHUP)
        wait_until(lambda: "nothing was reloaded" in front.log(), 20, front.log)
        assert served_certificate(front.port, authority) == second
        old.request(kraw.METADATA, 12, kraw.metadata_body([]))
    assert 'sluice_tls_certificate_not_after_seconds{listener="' in front.http("/metrics")[1]


def test_certificate_by_name(kafka, make_sluice, authority):
    """The certificate whose names fit what the client asks for (SNI)."""
    both = f"{authority.issue('one', 'DNS:one.example')},{authority.issue('two', 'DNS:*.two.example')}"
    front = make_sluice(kafka.bootstrap, ready=30, protocol="SSL", ssl_keystore_location=both)
    for asked, served in (("one.example", "one.example"), ("b7.two.example", "*.two.example"), (None, "one.example")):
        context = authority.client()
        context.check_hostname = False
        with socket.create_connection(("127.0.0.1", front.port), timeout=10) as raw:
            with context.wrap_socket(raw, server_hostname=asked) as one:
                assert one.getpeercert()["subjectAltName"] == (("DNS", served),)


def test_two_listeners_with_settings_of_their_own(kafka, make_sluice, ports, authority):
    inside, outside = ports.block(8), ports.block(8)
    front = make_sluice(
        kafka.bootstrap, ready=30, listeners=f"INSIDE://127.0.0.1:{inside},OUTSIDE://127.0.0.1:{outside}",
        broker_port_base=0, broker_port_count=6,
        listener_security_protocol_map="INSIDE:PLAINTEXT,OUTSIDE:SASL_SSL",
        **{"listener.name.outside.ssl.keystore.location": authority.issue("outside"),
           "listener.name.outside.ssl.enabled.protocols": "TLSv1.2"},
    )  # fmt: skip
    with Connection(inside) as one:
        one.request(kraw.METADATA, 12, kraw.metadata_body([]))
    with Connection(outside, tls=authority.client()) as one:
        assert one.socket.version() == "TLSv1.2"
        view = kraw.Metadata(one.request(kraw.METADATA, 12, kraw.metadata_body([])))
        assert {port for _, port in view.brokers.values()} <= set(range(outside, outside + 8))
    assert front.alive()


def test_old_tls_and_plain_text_are_refused(kafka, tls_front, authority):
    front = tls_front(kafka.bootstrap)
    with pytest.raises(OSError):
        with Connection(front.port, timeout=10) as one:
            one.request(kraw.METADATA, 12, kraw.metadata_body([]))
    context = authority.client()
    context.minimum_version = ssl.TLSVersion.TLSv1
    context.maximum_version = ssl.TLSVersion.TLSv1_1
    context.set_ciphers("ALL:@SECLEVEL=0")
    with pytest.raises(OSError):
        Connection(front.port, tls=context, timeout=10)
    with Cluster(front.bootstrap, authority.client()) as cluster:
        assert cluster.metadata([]).brokers


def test_strange_hellos_beside_healthy_traffic(kafka, tls_front, authority, name):
    """Some thousand hellos that are none, cut off, or followed by nothing; who behaves does not notice."""
    front = tls_front(kafka.bootstrap, socket_connection_setup_timeout_ms=2000)
    hello = bytes.fromhex("16030100c8010000c40303") + bytes(189)
    shapes = (b"GET / HTTP/1.1\r\n\r\n", hello, hello[:40], b"\x16\x03\x01\xff\xff" + bytes(3000), b"\x80\x80", b"")
    with Cluster(front.bootstrap, authority.client()) as cluster:
        cluster.create_topic(name)
        before = time.monotonic()
        for turn in range(150):
            held = [socket.create_connection(("127.0.0.1", front.port), timeout=10) for _ in shapes]
            for one, shape in zip(held, shapes):
                one.sendall(shape)
            if turn % 10 == 0:
                cluster.produce(name, [f"{turn}"], seconds=10)
            for one in held:
                one.close()
        took = time.monotonic() - before
        assert took < 60, f"900 hellos and 15 records took {took:.1f} s"
        wait_until(lambda: front.metrics()["sluice_connections"] <= 4, 30, lambda: front.http("/metrics")[1])
    assert len(front.log().splitlines()) < 200, "a line for each hello"
