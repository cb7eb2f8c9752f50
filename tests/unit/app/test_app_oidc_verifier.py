"""Signatures: each accepted algorithm is verified with its own key, and weak keys are not used."""

import time
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from jwt.algorithms import RSAAlgorithm

from app.auth.authentication import InvalidToken
from app.auth.oidc.jwt_verifier import JwtVerifier
from app.auth.oidc.key_cache import KeyCache
from app.auth.oidc.signing_keys import SigningKeys
from app.settings import AppSettings
from tests.integration.oidc.provider import new_key, sign

ISSUER = "https://login.example.org"
PRIVATE = {"d", "p", "q", "dp", "dq", "qi"}


def verifier(*keys: dict[str, Any], **settings: Any) -> JwtVerifier:
    read = AppSettings(_env_file=None, oidc_issuer=ISSUER, oidc_audience=("trawl",), **settings)
    shown = [{name: value for name, value in key.items() if name not in PRIVATE} for key in keys]

    async def load() -> SigningKeys:
        return SigningKeys({"keys": shown}, read.oidc_algorithms)

    return JwtVerifier(read, ISSUER, KeyCache(load))


def claims(**changed: Any) -> dict[str, Any]:
    return {"iss": ISSUER, "aud": "trawl", "sub": "ann", "exp": int(time.time()) + 300, **changed}


@pytest.mark.parametrize("algorithm", ["RS256", "ES256", "EdDSA"])
async def test_the_default_algorithms_are_verified(algorithm: str) -> None:
    key, other = new_key(algorithm), new_key(algorithm)
    assert (await verifier(key).verify(sign(key, claims()))).subject == "ann"
    with pytest.raises(InvalidToken, match="signature cannot be verified"):
        await verifier(key).verify(sign({**other, "kid": key["kid"]}, claims()))


async def test_an_algorithm_is_accepted_only_if_it_was_chosen() -> None:
    key = new_key("PS256")
    with pytest.raises(InvalidToken, match="signed in a way that is not accepted"):
        await verifier(key, new_key()).verify(sign(key, claims()))
    chosen = verifier(key, oidc_algorithms=("PS256",))
    assert (await chosen.verify(sign(key, claims()))).subject == "ann"


@pytest.mark.filterwarnings("ignore::jwt.warnings.InsecureKeyLengthWarning")
async def test_a_short_rsa_key_verifies_nothing() -> None:
    short: dict[str, Any] = RSAAlgorithm.to_jwk(rsa.generate_private_key(65537, 1024), as_dict=True)
    key = {**short, "alg": "RS256", "use": "sig", "kid": "short"}
    key.pop("key_ops", None)
    with pytest.raises(InvalidToken, match="cannot be read"):
        await verifier(key).verify(sign(key, claims()))


async def test_a_token_without_a_key_id_is_tried_with_each_key() -> None:
    first, second = new_key(), new_key()
    token = jwt.encode(claims(), jwt.PyJWK(second).key, "ES256")
    assert "kid" not in jwt.get_unverified_header(token)
    assert (await verifier(first, second).verify(token)).subject == "ann"
    with pytest.raises(InvalidToken, match="signature cannot be verified"):
        await verifier(first).verify(token)


@pytest.mark.parametrize("exp", ["Infinity", 10**400, "soon", [1], {"a": 1}, -1])
async def test_a_strange_time_is_refused_or_harmless(exp: Any) -> None:
    key = new_key()
    token = sign(key, claims(exp=float("inf") if exp == "Infinity" else exp))
    if exp == 10**400:
        assert (await verifier(key).verify(token)).subject == "ann"
    else:
        with pytest.raises(InvalidToken):
            await verifier(key).verify(token)
