# SPDX-License-Identifier: Apache-2.0
"""Certificates for tests, made by the openssl program: one authority, and what it signs."""

import ssl
import subprocess
from pathlib import Path


class Authority:
    """Files are below directory: ca.pem is the authority, NAME.pem a chain with its key (PKCS#8), NAME.crt without it."""

    def __init__(self, directory, name="test authority"):
        self.dir = Path(directory)
        self.dir.mkdir(parents=True, exist_ok=True)
        self.ca = self.dir / "ca.pem"
        self._openssl("req", "-x509", *self._new_key("ca.key"), "-out", self.ca, "-days", "30", "-subj", f"/CN={name}")

    @staticmethod
    def _openssl(*args):
        done = subprocess.run(["openssl", *map(str, args)], capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, f"openssl {args}: {done.stderr}"

    def _new_key(self, name):
        return "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", self.dir / name

    def issue(self, name, names="DNS:localhost,IP:127.0.0.1", days=30):
        """Returns the path of NAME.pem."""
        key, request, cert, ext = (self.dir / f"{name}.{kind}" for kind in ("key", "csr", "crt", "ext"))
        ext.write_text(f"subjectAltName={names}\n")
        self._openssl("req", *self._new_key(f"{name}.key"), "-out", request, "-subj", f"/CN={name}")
        signed = ("-CA", self.ca, "-CAkey", self.dir / "ca.key", "-CAcreateserial", "-extfile", ext)
        self._openssl("x509", "-req", "-in", request, "-out", cert, "-days", days, *signed)
        both = self.dir / f"{name}.pem"
        both.write_text(key.read_text() + cert.read_text())
        return both

    def client(self, certificate=None):
        """What a Python client believes, and shows when it has a certificate."""
        context = ssl.create_default_context(cafile=str(self.ca))
        if certificate:
            context.load_cert_chain(certificate)
        return context
