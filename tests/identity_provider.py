"""An identity provider on this machine: keys of its own, a key set by HTTP, and tokens, forged ones too."""

import json
import threading
import time
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from jwt.algorithms import ECAlgorithm, RSAAlgorithm

AUDIENCE = "remembrancer"


class IdentityProvider:
    """Serves `keys` at `url`; `fault` makes it fail. `requests` counts who asked."""

    def __init__(self) -> None:
        self.private: dict[str, Any] = {}
        self.keys: list[dict[str, Any]] = []
        self.body: bytes | None = None
        self.status = 200
        self.requests = 0
        self.answering = threading.Event()
        self.answering.set()
        provider = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                provider.requests += 1
                provider.answering.wait(20)
                body = provider.body if provider.body is not None else json.dumps({"keys": provider.keys}).encode()
                self.send_response(provider.status)
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *arguments: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01})
        self._thread.start()
        self.issuer = f"http://127.0.0.1:{self._server.server_port}"
        self.url = f"{self.issuer}/.well-known/jwks.json"
        self.add("rsa-1", rsa.generate_private_key(65537, 2048))
        self.add("ec-1", ec.generate_private_key(ec.SECP256R1()))

    def add(self, kid: str, private: Any) -> dict[str, Any]:
        """A key that signs from now on and is in the set."""
        is_rsa = isinstance(private, rsa.RSAPrivateKey)
        algorithm: Any = RSAAlgorithm if is_rsa else ECAlgorithm
        entry = {
            **algorithm.to_jwk(private.public_key(), as_dict=True),
            "kid": kid,
            "use": "sig",
            "alg": "RS256" if is_rsa else "ES256",
        }
        entry.pop("key_ops", None)
        self.private[kid] = private
        self.keys.append(entry)
        return entry

    def claims(self, **changes: Any) -> dict[str, Any]:
        """What an honest token says; `...` leaves a claim out."""
        now = int(time.time())
        usual = {"iss": self.issuer, "aud": AUDIENCE, "exp": now + 300, "iat": now, "sub": "ada"}
        return {name: value for name, value in {**usual, **changes}.items() if value is not ...}

    def token(self, kid: str = "rsa-1", *, headers: Mapping[str, Any] | None = None, **changes: Any) -> str:
        private = self.private[kid]
        algorithm = "RS256" if isinstance(private, rsa.RSAPrivateKey) else "ES256"
        return jwt.encode(self.claims(**changes), private, algorithm, {"kid": kid, **(headers or {})})

    def public_pem(self, kid: str) -> bytes:
        found: bytes = self.private[kid].public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
        return found

    def close(self) -> None:
        self.answering.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
