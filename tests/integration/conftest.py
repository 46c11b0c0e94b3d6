# SPDX-License-Identifier: Apache-2.0
"""Fixtures: real clusters for the whole run, and a fresh sluice for each test in front of one of them."""

import itertools
import os
import subprocess

import pytest

from harness import NATIVE_VERSION, SHARE_OPTIONS, TOOLS, Kafka, Native, Ports, ShareClients, Sluice, sluice_binary
from certificates import Authority
from kraw import Cluster
from secured import SecuredKafka

NATIVE = os.environ.get("SLUICE_TARGET") == "native44"


def pytest_configure(config):
    config.addinivalue_line("markers", "sluice_only: says something about sluice that no native broker can show")


def pytest_runtest_logreport(report):
    """Why a test needs a second try is in the log, although the second try may be good."""
    if report.outcome == "rerun":
        print(f"\nfirst try of {report.nodeid} failed in {report.when}:\n{report.longreprtext}")


def pytest_collection_modifyitems(items):
    for item in items:
        if NATIVE and item.get_closest_marker("sluice_only"):
            item.add_marker(pytest.mark.skip(reason="needs sluice"))


@pytest.fixture(scope="session")
def ports():
    return Ports()


@pytest.fixture(scope="session", autouse=True)
def environment():
    """Everything is brought before the first test, so that no test's time counts a download."""
    if os.environ.get("SLUICE_ENV_READY") != "1":
        subprocess.run([str(TOOLS / "kafka-env"), "all"], check=True, timeout=900)


@pytest.fixture(scope="session")
def kafka(ports, environment, tmp_path_factory):
    """One node without share groups; with SLUICE_TARGET=native44 one that has them."""
    options = {"version": NATIVE_VERSION, "props": SHARE_OPTIONS} if NATIVE else {}
    cluster = Kafka(tmp_path_factory.mktemp("kafka"), ports, **options).start()
    yield cluster
    cluster.stop()


@pytest.fixture(scope="session")
def kafka3(ports, environment, tmp_path_factory):
    """Three nodes, ids 0 to 2, advertised under another name than sluice's so that their addresses can be told apart."""
    options = {"version": NATIVE_VERSION, "props": SHARE_OPTIONS} if NATIVE else {"host": "localhost"}
    cluster = Kafka(tmp_path_factory.mktemp("kafka3"), ports, brokers=3, first_id=0, **options).start()
    yield cluster
    cluster.stop()


@pytest.fixture(scope="session")
def secured(ports, environment, tmp_path_factory):
    """One node whose listeners for clients want a login (see secured.py). sluice's user may do anything."""
    authority = Authority(tmp_path_factory.mktemp("secured-ca"))
    cluster = SecuredKafka(tmp_path_factory.mktemp("secured"), ports, authority.issue("broker"), authority.ca)
    try:
        cluster.start()
        cluster.allow_everything("sluice")
        yield cluster
    finally:
        cluster.stop()


@pytest.fixture
def make_sluice(ports, tmp_path):
    """Starts sluices in front of any cluster: make_sluice(bootstrap, ready=20, broker_count=4, OPTION=VALUE...)."""
    made = []
    number = itertools.count()

    def make(upstream, ready=20, **options):
        one = Sluice(sluice_binary(), tmp_path / f"sluice{next(number)}", ports, upstream, **options)
        made.append(one)
        return one.start(ready)

    yield make
    for one in made:
        one.finish()


@pytest.fixture
def sluice(kafka, request):
    """sluice in front of the single node."""
    return Native(kafka) if NATIVE else request.getfixturevalue("make_sluice")(kafka.bootstrap)


@pytest.fixture
def sluice3(kafka3, request):
    """sluice in front of the three nodes."""
    return Native(kafka3) if NATIVE else request.getfixturevalue("make_sluice")(kafka3.bootstrap)


@pytest.fixture
def share_clients(tmp_path):
    programs = ShareClients(tmp_path / "clients")
    yield programs
    programs.finish()


@pytest.fixture
def cluster(sluice):
    """Topics, group configs and records by our own few requests, through sluice."""
    with Cluster(sluice.bootstrap) as one:
        yield one


@pytest.fixture
def cluster3(sluice3):
    with Cluster(sluice3.bootstrap) as one:
        yield one


_names = itertools.count()


@pytest.fixture
def name(request):
    """A name for topics and groups that no other test uses."""
    return f"{request.node.name.split('[')[0].removeprefix('test_')[:40].replace('_', '-')}-{next(_names)}"
