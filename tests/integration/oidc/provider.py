"""npm's `oidc-provider` as the issuer of tests. Tests know its keys, so they can also sign what it would not."""

import json
import shutil
import time
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import jwt
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from jwt.algorithms import ECAlgorithm, OKPAlgorithm, RSAAlgorithm

from deploy.local.lifeline import Guarded, Lifeline
from deploy.local.ports import take_ports
from mcp_server.access.scopes import SCOPES
from tests.clients.packages import start_node
from tests.service import wait_until

SCRIPT = Path(__file__).with_name("provider.mjs")
REDIRECTS = ["http://127.0.0.1/callback", "http://127.0.0.1/auth/callback"]
"""Of commands and of the page, on any port."""
ACCOUNTS = {"ann": {"team": "red"}, "ben": {"team": ["red", "blue"]}, "robot": {"team": "red"}}


def new_key(algorithm: str = "ES256") -> dict[str, Any]:
    """Make a private key as a JSON Web Key."""
    written: dict[str, Any]
    if algorithm.startswith(("RS", "PS")):
        written = RSAAlgorithm.to_jwk(rsa.generate_private_key(65537, 2048), as_dict=True)
    elif algorithm == "EdDSA":
        written = OKPAlgorithm.to_jwk(ed25519.Ed25519PrivateKey.generate(), as_dict=True)
    else:
        written = ECAlgorithm.to_jwk(ec.generate_private_key(ec.SECP256R1()), as_dict=True)
    written.pop("key_ops", None)
    return {**written, "alg": algorithm, "use": "sig", "kid": uuid.uuid4().hex}


def sign(key: Mapping[str, Any], claims: Mapping[str, Any], header: Mapping[str, Any] | None = None) -> str:
    """Sign claims with a key of `new_key`."""
    private = jwt.PyJWK(dict(key)).key
    return jwt.encode(dict(claims), private, key["alg"], {"kid": key["kid"], "typ": "at+jwt", **(header or {})})


class OidcProvider:
    """A provider on loopback that can be stopped and started again, also with other keys."""

    def __init__(self, folder: Path, packages: Path, lifeline: Path) -> None:
        self._folder = folder
        self._lifeline = lifeline
        self._port = take_ports(1)[0]
        self._server: Guarded | None = None
        self.issuer = f"http://127.0.0.1:{self._port}"
        self.keys = [new_key("ES256")]
        # Node looks for packages beside the script.
        (folder / "node_modules").symlink_to(packages)
        shutil.copy(SCRIPT, folder)

    def start(self) -> None:
        """Start it and wait until it answers."""
        given = {
            "port": self._port,
            "keys": self.keys,
            "accounts": ACCOUNTS,
            "scopes": SCOPES,
            "redirects": REDIRECTS,
        }
        with (self._folder / "output.txt").open("ab") as output:
            process = start_node(self._folder / SCRIPT.name, json.dumps(given), folder=self._folder, output=output)
        self._server = Guarded(process, self._lifeline)
        wait_until(self._answers, "the provider answers")

    def stop(self) -> None:
        if self._server is not None:
            self._server.stop()
            self._server = None

    def rotate(self) -> None:
        """Start it again with other keys."""
        self.stop()
        self.keys = [new_key("ES256")]
        self.start()

    def _answers(self) -> bool:
        assert self._server is not None
        assert self._server.is_running(), (self._folder / "output.txt").read_text()
        try:
            return httpx.get(f"{self.issuer}/.well-known/openid-configuration", trust_env=False).status_code == 200
        except httpx.HTTPError:
            return False

    def claims(self, **changed: Any) -> dict[str, Any]:
        """Return the claims of a good token; None leaves one out."""
        now = int(time.time())
        good = {
            "iss": self.issuer,
            "aud": "http://127.0.0.1:8000/mcp",
            "sub": "ann",
            "iat": now,
            "exp": now + 300,
            "scope": "openid search",
            "team": "red",
            "client_id": "trawl",
        }
        return {name: value for name, value in {**good, **changed}.items() if value is not None}

    def token(self, **changed: Any) -> str:
        """Sign a token that is good but for what is changed."""
        return sign(self.keys[0], self.claims(**changed))

    def robot_token(self, resource: str, scope: str) -> str:
        """Let the provider issue a token to a program."""
        answer = httpx.post(
            f"{self.issuer}/token",
            data={"grant_type": "client_credentials", "resource": resource, "scope": scope},
            auth=("robot", "robot-secret"),
            trust_env=False,
        )
        token: str = answer.raise_for_status().json()["access_token"]
        return token


@contextmanager
def running_provider(folder: Path, packages: Path) -> Iterator[OidcProvider]:
    """Run a provider while the block runs."""
    with Lifeline(folder / "lifeline") as lifeline:
        provider = OidcProvider(folder, packages, lifeline.path)
        try:
            provider.start()
            yield provider
        finally:
            provider.stop()
