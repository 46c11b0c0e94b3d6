# SPDX-License-Identifier: Apache-2.0
"""Two clusters of three nodes: one with share groups of its own, one without behind sluice."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from compare import Comparison  # noqa: E402
from harness import NATIVE_VERSION, SHARE_OPTIONS, Kafka, Sluice, sluice_binary  # noqa: E402
from kraw import Cluster  # noqa: E402
from script import Script, Side  # noqa: E402

NODES = (0, 1, 2)
# Alike on both sides. Locks and sessions short, so that their ends can be waited for.
OPTIONS = {
    **SHARE_OPTIONS,
    "group.share.min.session.timeout.ms": "2000",
    "group.share.max.size": "3",
    "group.share.partition.max.record.locks": "200",
}
# Other tests' sluices in front of the same cluster would stand by behind this one.
STATE_TOPIC = {"state.topic": "state-compare"}


@pytest.fixture(scope="module")
def native3(ports, environment, tmp_path_factory):
    cluster = Kafka(tmp_path_factory.mktemp("native3"), ports, NATIVE_VERSION, brokers=3, first_id=0, props=OPTIONS).start()
    yield cluster
    cluster.stop()


@pytest.fixture(scope="module")
def comparison(kafka3, native3, ports, tmp_path_factory, request):
    """Starts all chosen sequences at once; each test waits for its own."""
    options = {**OPTIONS, **STATE_TOPIC}
    sluice = Sluice(sluice_binary(), tmp_path_factory.mktemp("compare"), ports, kafka3.bootstrap, broker_count=3, **options)
    sluice.start(60)
    sides = [
        Side("native", {node: native3.port_of(node) for node in NODES}),
        Side("sluice", {node: sluice.broker_port(node) for node in NODES}),
    ]
    for side in sides:
        warm_up(side)
    chosen = [item.callspec.params["name"] for item in request.session.items if "comparison" in item.fixturenames]
    one = Comparison(*sides, list(dict.fromkeys(chosen)))
    yield one
    one.close()
    sluice.finish()


def warm_up(side):
    """Internal topics exist and are led before the first sequence counts on them."""
    script = Script(side, "warm-up", Cluster(f"127.0.0.1:{side.ports[0]}"))
    for i in range(8):
        script.start(script.topic(f"t{i}"), group=f"warm-up-{i}")
    script.close()
