# SPDX-License-Identifier: Apache-2.0
"""sluice logs in to the brokers for its own work: every mechanism, again before a login runs out, wrong passwords."""

import signal

import pytest

from harness import wait_until
from secured import login_options, password, token

pytestmark = pytest.mark.sluice_only


def check_secrets(front):
    """Neither the log, nor a page, nor the list of processes shows one."""
    seen = front.log() + front.http("/metrics")[1] + front.http("/readyz")[1]
    seen += open(f"/proc/{front.process.pid}/cmdline").read()
    assert password("sluice") not in seen and "wrong one" not in seen and "eyJ" not in seen


def login_of(mechanism, directory):
    if mechanism != "OAUTHBEARER":
        return login_options("sluice", mechanism)
    file = directory / "token"
    file.write_text(token("sluice") + "\n")
    return {"security_protocol": "SASL_PLAINTEXT", "sasl_mechanism": mechanism, "sasl_oauthbearer_token_file": file}


@pytest.mark.parametrize("mechanism", ["PLAIN", "SCRAM-SHA-512", "OAUTHBEARER"])
def test_mechanism(secured, make_sluice, name, tmp_path, mechanism):
    """Ready means that it has made its topic, has written to it and read it."""
    front = make_sluice(secured.secure, ready=60, state_topic=name, **login_of(mechanism, tmp_path))
    assert front.metrics()["sluice_cluster_logins_total"] >= 1
    check_secrets(front)


def test_again_before_it_ends(secured, make_sluice, name):
    """The connections stay, although the broker ends every login after some seconds and closes what is used beyond."""
    front = make_sluice(secured.secure, ready=60, state_topic=name, **login_options("sluice", "SCRAM-SHA-256"))
    before = front.metrics()
    wait_until(lambda: front.metrics()["sluice_cluster_logins_total"] >= before["sluice_cluster_logins_total"] + 6, 60, front.log)
    after = front.metrics()
    assert after["sluice_cluster_login_failures_total"] == 0
    assert "lost" not in front.log() and "login_failed" not in front.log()
    assert front.http("/readyz")[0] == 200


def test_wrong_password(secured, make_sluice, name, tmp_path):
    """One line, not one a try; /readyz says the same; the right password in its place and SIGHUP: work begins."""
    secret = tmp_path / "password"
    secret.write_text("wrong one\n")
    options = login_options("sluice") | {"state_topic": name, "sasl_password_file": secret}
    del options["sasl_password"]
    front = make_sluice(secured.secure, ready=0, **options)
    wait_until(lambda: front.http("/livez")[0] == 200, 30, front.log)
    wait_until(lambda: front.metrics()["sluice_cluster_login_failures_total"] >= 2, 60, front.log)
    status, why = front.http("/readyz")
    assert status == 503 and "sluice" in why and "SCRAM-SHA-512" in why and "Authentication failed" in why
    assert front.log().count("did not succeed") == 1
    check_secrets(front)
    secret.write_text(password("sluice") + "\n")
    front.process.send_signal(signal.SIGHUP)
    front.wait_ready(60)
    check_secrets(front)


def test_mechanism_that_the_broker_lacks(kafka, make_sluice, name):
    front = make_sluice(kafka.bootstrap, ready=0, state_topic=name, **login_options("sluice"))
    wait_until(lambda: "security.protocol should be PLAINTEXT or SSL" in front.log(), 30, front.log)
    assert "security.protocol" in front.http("/readyz")[1]


def test_over_tls(secured, make_sluice, name):
    options = login_options("sluice") | {"security_protocol": "SASL_SSL", "cluster_ssl_truststore_location": secured.ca}
    front = make_sluice(secured.secure_tls, ready=60, state_topic=name, **options)
    check_secrets(front)
