# SPDX-License-Identifier: Apache-2.0
"""A cluster that wants to know who comes (SASL) and lets nobody do anything without a right (StandardAuthorizer)."""

import base64
import json
import time

from confluent_kafka.admin import (
    AclBinding,
    AclBindingFilter,
    AclOperation,
    AclPermissionType,
    AdminClient,
    ResourcePatternType,
    ResourceType,
    ScramCredentialInfo,
    ScramMechanism,
    UserScramCredentialUpsertion,
)

from harness import BACKING_VERSION, Kafka, wait_until
from kraw import Failed

USERS = ("sluice", "alice", "bob")
REAUTH_MS = 4000
MECHANISMS = {"SCRAM-SHA-256": ScramMechanism.SCRAM_SHA_256, "SCRAM-SHA-512": ScramMechanism.SCRAM_SHA_512}


def password(user):
    return f"the secret of {user}"


def token(user, seconds=3600):
    """An unsigned token, which a broker takes that was told nothing about keys."""
    now = time.time()
    parts = ({"alg": "none"}, {"sub": user, "iat": now - 10, "exp": now + seconds})
    return ".".join(base64.urlsafe_b64encode(json.dumps(part).encode()).rstrip(b"=").decode() for part in parts) + "."


class SecuredKafka(Kafka):
    """Its own port is plain, for tests that set something up: who comes there may do anything. Logins made by
    SCRAM-SHA-256 end after REAUTH_MS."""

    def __init__(self, directory, ports, pem, ca):
        super().__init__(directory, ports, version=BACKING_VERSION)
        own, plain = self.port, ports.block(2)
        listeners = {"SASL_PLAINTEXT": f"127.0.0.1:{plain}", "SASL_SSL": f"127.0.0.1:{plain + 1}"}
        shown = {"PLAINTEXT": f"127.0.0.1:{own}", **listeners}
        bound = {**shown, "CONTROLLER": f"127.0.0.1:{own + 1}"}
        props = {
            "listeners": ",".join(f"{name}://{address}" for name, address in bound.items()),
            "advertised.listeners": ",".join(f"{name}://{address}" for name, address in shown.items()),
            "listener.security.protocol.map": "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,"
            + ",".join(f"{name}:{name}" for name in listeners),
            "sasl.enabled.mechanisms": "PLAIN,SCRAM-SHA-256,SCRAM-SHA-512,OAUTHBEARER",
            "authorizer.class.name": "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
            "super.users": "User:ANONYMOUS",
            "ssl.keystore.type": "PEM",
            "ssl.keystore.location": pem,
            "ssl.truststore.type": "PEM",
            "ssl.truststore.location": ca,
        }
        for name in listeners:
            props |= self._login_props(f"listener.name.{name.lower()}")
        for key, value in props.items():
            self.options += ["--prop", f"{key}={value}"]
        self.secure, self.secure_tls, self.ca = *listeners.values(), ca

    @staticmethod
    def _login_props(listener):
        module = "org.apache.kafka.common.security"
        users = " ".join(f'user_{user}="{password(user)}"' for user in USERS)
        unsigned = 'unsecuredLoginStringClaim_sub="broker"'
        return {
            f"{listener}.plain.sasl.jaas.config": f"{module}.plain.PlainLoginModule required {users};",
            f"{listener}.scram-sha-256.sasl.jaas.config": f"{module}.scram.ScramLoginModule required;",
            f"{listener}.scram-sha-512.sasl.jaas.config": f"{module}.scram.ScramLoginModule required;",
            f"{listener}.oauthbearer.sasl.jaas.config": f"{module}.oauthbearer.OAuthBearerLoginModule required {unsigned};",
            f"{listener}.scram-sha-256.connections.max.reauth.ms": REAUTH_MS,
        }

    def start(self):
        super().start()
        self.admin = AdminClient({"bootstrap.servers": self.bootstrap, "log_level": 0})
        for mechanism in MECHANISMS.values():
            info = ScramCredentialInfo(mechanism, 4096)
            changes = [UserScramCredentialUpsertion(user, info, password(user).encode()) for user in USERS]
            for future in self.admin.alter_user_scram_credentials(changes).values():
                future.result(30)
        return self

    @staticmethod
    def _binding(user, operation, resource, name, pattern=ResourcePatternType.LITERAL):
        kind = ResourceType.BROKER if resource == "CLUSTER" else ResourceType[resource]
        name = "kafka-cluster" if resource == "CLUSTER" else name
        return AclBinding(kind, name, pattern, f"User:{user}", "*", AclOperation[operation], AclPermissionType.ALLOW)

    def allow(self, user, operations, resource, name=None, prefix=False):
        """allow("alice", "READ DESCRIBE", "TOPIC", "t"): rights that are in force when this returns."""
        pattern = ResourcePatternType.PREFIXED if prefix else ResourcePatternType.LITERAL
        for operation in operations.split():
            binding = self._binding(user, operation, resource, name, pattern)
            for future in self.admin.create_acls([binding]).values():
                future.result(30)
            self._wait(binding, True)

    def allow_everything(self, user):
        for resource in ("TOPIC", "GROUP"):
            self.allow(user, "ALL", resource, "*")
        self.allow(user, "ALL", "CLUSTER")

    def forbid(self, user, operations, resource, name=None):
        """Takes such rights away again."""
        for operation in operations.split():
            binding = self._binding(user, operation, resource, name)
            for future in self.admin.delete_acls([self._filter(binding)]).values():
                future.result(30)
            self._wait(binding, False)

    @staticmethod
    def _filter(b):
        return AclBindingFilter(b.restype, b.name, b.resource_pattern_type, b.principal, b.host, b.operation, b.permission_type)

    def _wait(self, binding, there):
        found = lambda: bool(self.admin.describe_acls(self._filter(binding)).result(30)) == there  # noqa: E731
        wait_until(found, 30, f"{binding} {'there' if there else 'gone'}")


def login_options(user, mechanism="SCRAM-SHA-512"):
    """Options of sluice's own login."""
    return {
        "security_protocol": "SASL_PLAINTEXT",
        "sasl_mechanism": mechanism,
        "sasl_username": user,
        "sasl_password": password(user),
    }


def log_in(connection, user, secret=None):
    """Logs a kschema connection in by PLAIN; returns the session's lifetime in ms. A refusal is its error code."""
    answer = connection.ask("SaslHandshake", 1, Mechanism="PLAIN")
    assert answer["ErrorCode"] == 0, answer
    answer = connection.ask("SaslAuthenticate", 2, AuthBytes=f"\0{user}\0{secret or password(user)}".encode())
    if answer["ErrorCode"]:
        raise Failed("login", answer["ErrorCode"], answer["ErrorMessage"])
    return answer["SessionLifetimeMs"]
