# SPDX-License-Identifier: Apache-2.0
"""The cluster client alone, step by step, against a real broker that is stopped and started in the middle."""

import os
import subprocess
from pathlib import Path

import pytest

from harness import TOOLS, Kafka


@pytest.mark.sluice_only
def test_cluster_client(ports, environment, tmp_path):
    program = Path(os.environ["SLUICE_BIN"]).parent / "tests/integration/probe/cluster_probe"
    cluster = Kafka(tmp_path / "kafka", ports).start()
    try:
        node = f"{TOOLS}/kafka-broker {{}}-node --dir {cluster.dir} --node {cluster.ids[0]}"
        result = subprocess.run(
            [program, cluster.bootstrap, node.format("stop"), node.format("start")],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300,
        )  # fmt: skip
    finally:
        cluster.stop()
    lines = result.stdout.splitlines()
    assert result.returncode == 0 and not [line for line in lines if line.startswith("FAIL")], result.stdout
    assert len([line for line in lines if line.startswith("PASS")]) > 5, result.stdout
