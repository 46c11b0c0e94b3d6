# SPDX-License-Identifier: Apache-2.0
"""How many clients are let in, what happens where descriptors run out, and what peers cost that never log in."""

import re
import resource
import socket
import struct
import subprocess
import time

import pytest

import kraw
from harness import run, sluice_binary, wait_until
from kraw import Cluster, Connection

pytestmark = pytest.mark.sluice_only

ASK = (kraw.METADATA, 12, kraw.metadata_body([]))


def is_closed(one, seconds=30):
    one.settimeout(seconds)
    try:
        return one.recv(1) == b""
    except ConnectionError:
        return True
    except TimeoutError:
        return False


def connect(port, source=None):
    return socket.create_connection(("127.0.0.1", port), timeout=30, source_address=(source, 0) if source else None)


@pytest.fixture
def config_file(tmp_path, ports):
    def write(**options):
        port = ports.block(102)
        lines = {"bootstrap.servers": f"127.0.0.1:{port + 101}", "listeners": f"PLAINTEXT://127.0.0.1:{port}", **options}
        file = tmp_path / "limits.conf"
        file.write_text("".join(f"{key}={value}\n" for key, value in lines.items()))
        return file

    return write


def test_more_connections_than_descriptors_are_refused_at_start(config_file):
    file = config_file(**{"max.connections": 300})
    result = run(["prlimit", "--nofile=200:700", sluice_binary(), "-c", file], check=False, timeout=60)
    assert result.returncode == 1, result
    assert "max.connections=300" in result.stderr and "700 open descriptors" in result.stderr, result.stderr


def test_the_soft_limit_is_raised(config_file):
    """What fits the hard limit is let in, whatever the soft one was."""
    file = config_file(**{"max.connections": 250})
    command = ["prlimit", "--nofile=200:700", sluice_binary(), "-c", str(file)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL) as process:
        try:
            wait_until(lambda: resource.prlimit(process.pid, resource.RLIMIT_NOFILE) == (700, 700), 30, "the limit is raised")
            assert process.poll() is None
        finally:
            process.terminate()
            process.wait(30)


def test_limit_of_one_address(kafka, make_sluice):
    sluice = make_sluice(kafka.bootstrap, **{"max.connections.per.ip": 3})
    port = sluice.broker_port(1)
    mine = [connect(port) for _ in range(3)]
    with connect(port) as one_more:
        assert is_closed(one_more)
    with connect(port, "127.0.0.2") as other:
        other.sendall(kraw.frame(kraw.METADATA, 12, 1, kraw.metadata_body([])))
        assert other.recv(4), "another address is not served"
    assert "max.connections.per.ip=3" in sluice.log()
    mine[0].close()

    def served():
        with Connection(port) as again:
            try:
                return again.request(*ASK)
            except OSError:
                return None

    wait_until(served, 20, "a place that has become free is given away")
    for one in mine:
        one.close()


def test_peers_that_never_log_in(kafka, make_sluice):
    """A third silent, a third trickling, a third short of one byte: all dropped in time, and no client is kept out."""
    options = {"login.timeout.ms": 3000, "max.connections.before.login": 90}
    sluice = make_sluice(kafka.bootstrap, **options)
    port = sluice.broker_port(1)
    begin = struct.pack(">ihhih", 100_000_000, kraw.PRODUCE, 9, 1, -1)
    almost = kraw.frame(kraw.METADATA, 12, 1, kraw.metadata_body([]))[:-1]
    with Connection(port) as healthy:
        healthy.request(*ASK)
        bad = []
        for i in range(120):
            one = connect(port)
            one.sendall((b"", begin, almost)[i % 3])
            bad.append(one)
        # More than may be there before a login: the oldest had to go, and whoever comes now is served.
        assert is_closed(bad[0])
        with Connection(port) as new:
            new.request(*ASK)
        end = time.monotonic() + 6
        while time.monotonic() < end:
            for one in bad[1::3]:
                try:
                    one.send(b"x")
                except OSError:
                    pass
            healthy.request(*ASK)
            time.sleep(0.5)
        assert all(is_closed(one) for one in bad)
        healthy.request(*ASK)
    for one in bad:
        one.close()
    closes = sluice.metrics()
    assert closes['sluice_closes_total{reason="login_timeout"}'] >= 80, closes
    assert closes['sluice_closes_total{reason="login_crowded"}'] >= 30, closes


def cpu_seconds(pid):
    with open(f"/proc/{pid}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / 100


def test_descriptors_run_out(kafka, make_sluice, name):
    """Who is there is served, nothing spins, the log says it about once a second, and it passes as soon as some leave."""
    sluice = make_sluice(kafka.bootstrap)
    with Cluster(sluice.bootstrap) as cluster:
        cluster.create_topic(name)
        cluster.produce(name, ["before"])
        resource.prlimit(sluice.process.pid, resource.RLIMIT_NOFILE, (256, 256))
        crowd = []
        for _ in range(400):
            one = socket.socket()
            one.setblocking(False)
            one.connect_ex(("127.0.0.1", sluice.broker_port(1)))
            crowd.append(one)
        wait_until(lambda: "descriptor_limit" in sluice.log(), 30, "the limit is met")
        began, cpu, lines = time.monotonic(), cpu_seconds(sluice.process.pid), sluice.log().count("descriptor_limit")
        while time.monotonic() < began + 5:
            cluster.produce(name, ["during"])
            time.sleep(0.1)
        took = time.monotonic() - began
        said = sluice.log().count("descriptor_limit") - lines
        assert said <= took + 1, f"{said} lines in {took:.1f} s"
        busy = (cpu_seconds(sluice.process.pid) - cpu) / took
        assert busy < 0.3, f"{busy:.0%} of a processor"
        for one in crowd[:390]:
            one.close()

        def served():
            try:
                with Connection(sluice.broker_port(1), timeout=5) as new:
                    return new.request(*ASK)
            except OSError:
                return None

        wait_until(served, 30, "new clients are let in again")
        cluster.produce(name, ["after"])
        for one in crowd:
            one.close()
    assert not re.search(r"\bassert", sluice.log())
