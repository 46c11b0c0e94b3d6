# SPDX-License-Identifier: Apache-2.0
"""The command line, the configuration file, the admin pages and the end by signal."""

import re
import signal
import socket
import subprocess
import time

import pytest

import kraw
from harness import run, sluice_binary, wait_until
from kraw import Cluster, Connection, Metadata

pytestmark = pytest.mark.sluice_only


@pytest.fixture
def config_file(tmp_path):
    def write(text):
        file = tmp_path / "test.conf"
        file.write_text(text)
        return file

    return write


def check_config(file):
    return run([sluice_binary(), "-c", file, "--check-config"], check=False, timeout=20)


GOOD = "bootstrap.servers=127.0.0.1:19092\nlisteners=PLAINTEXT://127.0.0.1:19192\n"

REFUSED = {
    "unknown key": (GOOD + "listener=x\n", 3, "listener", "x"),
    "unknown key in the first line": ("no.such.key=1\n" + GOOD, 1, "no.such.key", "1"),
    "no number": (GOOD + "\n# a comment\nbroker.port.count=many\n", 5, "broker.port.count", "many"),
    "number out of range": (GOOD + "broker.port.count=0\n", 3, "broker.port.count", "0"),
    "number beyond 64 bits": (GOOD + "shutdown.timeout.ms=99999999999999999999\n", 3, "shutdown.timeout.ms", "9" * 20),
    "negative time": (GOOD + "shutdown.timeout.ms=-1\n", 3, "shutdown.timeout.ms", "-1"),
    "unknown word": (GOOD + "log.format=xml\n", 3, "log.format", "xml"),
    "duplicate": (GOOD + "log.level=info\nlog.level=debug\n", 4, "log.level", "debug"),
    "no port": ("bootstrap.servers=127.0.0.1\nlisteners=PLAINTEXT://127.0.0.1:19192\n", 1, "bootstrap.servers", "127.0.0.1"),
    "port 0 of a server": (
        "bootstrap.servers=127.0.0.1:0\nlisteners=PLAINTEXT://127.0.0.1:19192\n",
        1,
        "bootstrap.servers",
        "127.0.0.1:0",
    ),
    "port too high": (
        "bootstrap.servers=127.0.0.1:70000\nlisteners=PLAINTEXT://127.0.0.1:19192\n",
        1,
        "bootstrap.servers",
        "127.0.0.1:70000",
    ),
    "listener without protocol": (
        "bootstrap.servers=127.0.0.1:19092\nlisteners=127.0.0.1:19192\n",
        2,
        "listeners",
        "127.0.0.1:19192",
    ),
    "unknown protocol": (
        "bootstrap.servers=127.0.0.1:19092\nlisteners=CARRIER_PIGEON://127.0.0.1:19192\n",
        2,
        "listeners",
        "CARRIER_PIGEON://127.0.0.1:19192",
    ),
    "wildcard without advertised.listeners": (
        "bootstrap.servers=127.0.0.1:19092\nlisteners=PLAINTEXT://0.0.0.0:19192\n",
        2,
        "listeners",
        "PLAINTEXT://0.0.0.0:19192",
    ),
    "no value separator": (GOOD + "log.level\n", 3, "log.level", ""),
    "bad admin listener": (GOOD + "admin.listener=FTP://127.0.0.1:21\n", 3, "admin.listener", "FTP://127.0.0.1:21"),
    "lock below its minimum": (
        GOOD + "group.share.record.lock.duration.ms=10\n",
        3,
        "group.share.record.lock.duration.ms",
        "10",
    ),
}


@pytest.mark.parametrize("what", REFUSED)
def test_refused(what, config_file):
    text, line, key, value = REFUSED[what]
    file = config_file(text)
    for arguments in (["--check-config"], []):
        result = run([sluice_binary(), "-c", file, *arguments], check=False, timeout=20)
        assert result.returncode not in (0, 99) and result.returncode > 0, result
        message = result.stderr
        assert f"{file}:{line}" in message or f"test.conf:{line}" in message, message
        assert key in message and value in message, message
        assert "expect" in message, f"it does not say what was expected: {message}"


@pytest.mark.parametrize("missing", ["bootstrap.servers", "listeners"])
def test_required_keys(missing, config_file):
    file = config_file("".join(line + "\n" for line in GOOD.splitlines() if not line.startswith(missing)))
    result = check_config(file)
    assert result.returncode > 0 and missing in result.stderr, result


OVERLAPS = {
    "two listeners": ("listeners=PLAINTEXT://127.0.0.1:19192,PLAINTEXT://127.0.0.1:19250\n", ["19192", "19250"]),
    "listener and its own range": (
        "listeners=PLAINTEXT://127.0.0.1:19192\nbroker.port.base=19190\n",
        ["19192", "19190"],
    ),
    "admin listener": (
        "listeners=PLAINTEXT://127.0.0.1:19192\nadmin.listener=HTTP://127.0.0.1:19200\n",
        ["PLAINTEXT://127.0.0.1:19192", "HTTP://127.0.0.1:19200"],
    ),
}


@pytest.mark.parametrize("what", OVERLAPS)
def test_overlapping_ports(what, config_file):
    text, names = OVERLAPS[what]
    result = check_config(config_file("bootstrap.servers=127.0.0.1:19092\n" + text))
    assert result.returncode > 0, result
    assert all(name in result.stderr for name in names), result.stderr


def test_check_config_accepts(config_file):
    for text in (
        GOOD,
        "# comment\n\n  bootstrap.servers = 127.0.0.1:19092 , [::1]:19092 \nlisteners=PLAINTEXT://127.0.0.1:19192\n",
        "bootstrap.servers=a.example:9092\nlisteners=PLAINTEXT://0.0.0.0:19192\n"
        "advertised.listeners=PLAINTEXT://kafka.example:19192\n",
    ):
        result = check_config(config_file(text))
        assert result.returncode == 0, result


def test_missing_file():
    result = run([sluice_binary(), "-c", "/nonexistent/sluice.conf"], check=False, timeout=20)
    assert result.returncode > 0 and "/nonexistent/sluice.conf" in result.stderr, result


def test_help_and_version():
    result = run([sluice_binary(), "--help"], timeout=20)
    for word in ("bootstrap.servers", "listeners", "broker.port.base", "admin.listener", "--check-config", "--version"):
        assert word in result.stdout, f"{word} is not in --help"
    result = run([sluice_binary(), "--version"], timeout=20)
    assert re.search(r"sluice.*\d+\.\d+", result.stdout), result
    for arguments in (["--no-such-option"], []):
        result = run([sluice_binary(), *arguments], check=False, timeout=20)
        assert result.returncode > 0 and result.stderr, result


def test_two_lines_are_enough(kafka, ports, config_file, tmp_path):
    port = ports.block(102)
    file = config_file(f"bootstrap.servers={kafka.bootstrap}\nlisteners=PLAINTEXT://127.0.0.1:{port}\n")
    with (tmp_path / "log").open("wb") as log:
        process = subprocess.Popen([sluice_binary(), "-c", str(file)], stdout=log, stderr=log)
    try:

        def answer():
            assert process.poll() is None, (tmp_path / "log").read_text()
            try:
                with Connection(port, timeout=5) as one:
                    return Metadata(one.request(kraw.METADATA, 12, kraw.metadata_body([])))
            except OSError:
                return None

        brokers = wait_until(answer, 20, lambda: (tmp_path / "log").read_text()).brokers
        assert brokers == {1: ("127.0.0.1", port + 1 + 1)}
        with Connection(port + 2) as one:
            assert Metadata(one.request(kraw.METADATA, 12, kraw.metadata_body([]))).brokers == brokers
    finally:
        process.send_signal(signal.SIGTERM)
        status = process.wait(40)
    assert status == 0, (tmp_path / "log").read_text()


def test_broker_port_base_and_two_listeners(kafka, make_sluice, ports):
    first = ports.block(20)
    listeners = f"PLAINTEXT://127.0.0.1:{first},PLAINTEXT://127.0.0.1:{first + 10}"
    sluice = make_sluice(kafka.bootstrap, **{"listeners": listeners, "broker.port.base": 0, "broker.port.count": 5})
    sluice.wait_ready(10)
    for port in (first, first + 10):
        with Connection(port) as one:
            assert Metadata(one.request(kraw.METADATA, 12, kraw.metadata_body([]))).brokers == {1: ("127.0.0.1", port + 2)}
        with Connection(port + 2) as one:
            one.request(kraw.METADATA, 12, kraw.metadata_body([]))


def test_port_in_use(kafka, config_file, ports):
    """By something else than a sluice: another sluice there would be the owner, and this one its standby."""
    port = ports.block(1)
    with socket.create_server(("127.0.0.1", port)):
        file = config_file(f"bootstrap.servers={kafka.bootstrap}\nlisteners=PLAINTEXT://127.0.0.1:{port}\n")
        result = run([sluice_binary(), "-c", file], check=False, timeout=60)
    assert result.returncode > 0 and str(port) in result.stderr, result


def test_admin_pages(kafka, make_sluice, name):
    sluice = make_sluice(kafka.bootstrap)
    assert sluice.http("/livez")[0] == 200
    assert sluice.http("/readyz")[0] == 200
    assert sluice.http("/nothing")[0] == 404
    assert sluice.http("/metrics", "DELETE")[0] == 405
    with Cluster(sluice.bootstrap) as cluster:
        before = sluice.metrics()
        for _ in range(20):
            cluster.metadata([])
        with Connection(sluice.port) as one:
            one.socket.sendall(b"GET / HTTP/1.1\r\n\r\n")
            with pytest.raises(ConnectionError):
                one.read_frame()
        after = sluice.metrics()
    names = " ".join(after)
    for subject in ("connection", "request", "group", "member", "bytes", "close"):
        assert subject in names, f"no metric about {subject}: {sorted(after)}"
    grown = {key: after[key] - before.get(key, 0) for key in after if "request" in key and "Metadata" in key}
    assert any(value >= 20 for value in grown.values()), f"20 Metadata requests are not counted: {grown}"


def test_json_log(kafka, make_sluice):
    import json

    sluice = make_sluice(kafka.bootstrap, **{"log.format": "json", "log.level": "debug"})
    with Connection(sluice.port) as one:
        one.socket.sendall(b"GET / HTTP/1.1\r\n\r\n")
    time.sleep(0.2)
    assert sluice.terminate() == 0
    lines = sluice.log().splitlines()
    assert lines
    for line in lines:
        assert isinstance(json.loads(line), dict), line


def test_term_when_idle(kafka, make_sluice):
    sluice = make_sluice(kafka.bootstrap, **{"shutdown.timeout.ms": 10000})
    with Cluster(sluice.bootstrap) as cluster:
        cluster.metadata([])
        start = time.monotonic()
        assert sluice.terminate() == 0
        assert time.monotonic() - start < 3, "an idle connection delayed the end"


def test_term_lets_work_finish(kafka, make_sluice, name):
    sluice = make_sluice(kafka.bootstrap, **{"shutdown.timeout.ms": 10000})
    with Cluster(sluice.bootstrap) as cluster:
        topic_id = cluster.create_topic(name)
        port = cluster.leader_port(name, 0)
    with Connection(port) as one:
        one.send(kraw.FETCH, 17, kraw.fetch_body(topic_id, 0, 0, 2000))
        time.sleep(0.3)
        sluice.process.send_signal(signal.SIGTERM)
        assert kraw.read_fetch(one.receive()[1])[0] == 0
        assert one.socket.recv(1) == b"", "the connection stays open after the last answer"
        with pytest.raises(OSError):
            Connection(port, timeout=2)
    assert sluice.process.wait(5) == 0


def test_term_does_not_wait_longer_than_told(kafka, make_sluice, name):
    sluice = make_sluice(kafka.bootstrap, **{"shutdown.timeout.ms": 1500})
    with Cluster(sluice.bootstrap) as cluster:
        topic_id = cluster.create_topic(name)
        port = cluster.leader_port(name, 0)
    with Connection(port) as one:
        one.send(kraw.FETCH, 17, kraw.fetch_body(topic_id, 0, 0, 25000))
        time.sleep(0.3)
        start = time.monotonic()
        assert sluice.terminate() == 0
        assert time.monotonic() - start < 1.5 + 2


def test_reload(kafka, make_sluice):
    sluice = make_sluice(kafka.bootstrap, **{"log.level": "info"})
    file = sluice.dir / "sluice.conf"
    good = file.read_text()

    def reload(text):
        size = len(sluice.log())
        file.write_text(text)
        sluice.process.send_signal(signal.SIGHUP)
        wait_until(lambda: len(sluice.log()) > size, 5, "a line about the reload")
        time.sleep(0.2)
        return sluice.log()[size:]

    assert "log.level" in reload(good.replace("log.level=info", "log.level=debug"))
    said = reload(good + "no.such.key=1\n")
    assert "no.such.key" in said
    assert sluice.alive()
    with Cluster(sluice.bootstrap) as cluster:
        cluster.metadata([])
