# SPDX-License-Identifier: Apache-2.0
"""In front of a cluster that has share groups itself: by default sluice leaves them to the brokers."""

import pytest

import kraw
from harness import CLIENTS, NATIVE_VERSION, SHARE_OPTIONS, Kafka, check_confirmed_stays_done, check_nothing_lost, kafka_tool, wait_until
from kraw import Cluster, Connection

pytestmark = pytest.mark.sluice_only

TOPIC = "__individual_commit_offsets"
SHARE_KEYS = (76, 77, 78, 79, 90, 91, 92)


@pytest.fixture(scope="module")
def native(ports, environment, tmp_path_factory):
    cluster = Kafka(tmp_path_factory.mktemp("native"), ports, version=NATIVE_VERSION, props=SHARE_OPTIONS).start()
    yield cluster
    cluster.stop()


def versions(port):
    """{key: (min, max)} as ApiVersions v3 shows them."""
    with Connection(port) as one:
        r = one.request(kraw.API_VERSIONS, 3, kraw.Writer().string("test").string("1").tags())
        assert r.i16() == 0
        return {key: (low, high) for key, low, high, _ in r.array(lambda r: (r.i16(), r.i16(), r.i16(), r.tags()))}


def share_works(sluice, share_clients, name):
    with Cluster(sluice.bootstrap) as cluster:
        cluster.create_topic(name)
        for client in CLIENTS:
            cluster.group_config(f"{name}-{client}", share_auto_offset_reset="earliest")
        written = cluster.produce(name, [f"{name}/{i}" for i in range(200)])
    programs = [share_clients.start(client, sluice.bootstrap, f"{name}-{client}", name) for client in CLIENTS]
    for program in programs:
        program.wait_confirmed(200, 90)
        program.stop()
        check_nothing_lost(program, written)
        check_confirmed_stays_done(program)


def test_the_brokers_serve_their_share_groups(native, make_sluice, share_clients, name):
    sluice = make_sluice(native.bootstrap)
    theirs, shown = versions(native.port), versions(sluice.broker_port(1))
    assert {key: shown[key] for key in SHARE_KEYS} == {key: theirs[key] for key in SHARE_KEYS}
    assert "share groups are served by the brokers" in sluice.log()
    share_works(sluice, share_clients, name)
    # A broker says it, not sluice: so it is in the cluster when asked directly, and there is no topic of ours.
    direct = kafka_tool("GroupsCommand", "--bootstrap-server", native.bootstrap, "--list", "--share").stdout
    through = kafka_tool("GroupsCommand", "--bootstrap-server", sluice.bootstrap, "--list", "--share").stdout
    for client in CLIENTS:
        assert f"{name}-{client}" in direct and f"{name}-{client}" in through, (direct, through)
    with Cluster(native.bootstrap) as cluster:
        assert TOPIC not in cluster.metadata(None).topics
    text = kafka_tool("consumer.group.ShareGroupCommand", "--bootstrap-server", sluice.bootstrap, "--describe", "--group", f"{name}-go")
    assert name in text.stdout, text
    requests = sluice.metrics()
    assert all(value == 0 for key, value in requests.items() if key.startswith("sluice_local_answers")), requests


def test_groups_stay_with_the_sluice_that_has_them(native, make_sluice, share_clients, name):
    """Told to serve always it does; from then on its topic is there, and it goes on to when it may choose."""
    topic = {"state.topic": f"{name}-state"}
    first = make_sluice(native.bootstrap, **topic, **{"share.groups": "always"})
    share_works(first, share_clients, name)
    first.finish()
    second = make_sluice(native.bootstrap, **topic)
    assert "share groups are served by sluice" in second.log()
    with Cluster(second.bootstrap) as cluster:
        groups = lambda: kafka_tool("GroupsCommand", "--bootstrap-server", second.bootstrap, "--list", "--share").stdout  # noqa: E731
        wait_until(lambda: f"{name}-java" in groups(), 60, "its groups are known")
        assert cluster.metadata([name]).topics[name][0] == 0
    second.finish()
    third = make_sluice(native.bootstrap, **topic, **{"share.groups": "never"})
    assert "share groups are served by the brokers" in third.log()
    assert f"{name}-java" not in kafka_tool("GroupsCommand", "--bootstrap-server", third.bootstrap, "--list", "--share").stdout


def test_never_where_nobody_has_them(kafka, make_sluice):
    """The requests pass to brokers that do not offer them: clients see a cluster without share groups."""
    sluice = make_sluice(kafka.bootstrap, **{"share.groups": "never"})
    shown = versions(sluice.broker_port(1))
    assert not set(shown) & set(SHARE_KEYS), shown
