"""Tokens of an issuer over HTTP: which are accepted, and how each other one is refused."""

import asyncio
import base64
import hashlib
import hmac
import json
import time
from collections.abc import Callable
from typing import Any

import httpx
import jwt
import pytest

from tests.integration.oidc.conftest import bearer
from tests.integration.oidc.provider import OidcProvider, new_key, sign

pytestmark = pytest.mark.xdist_group("oidc")

ME = "/api/v1/me"


def seconds(offset: int) -> int:
    return int(time.time()) + offset


def part(value: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")


def signed_by_another_key_of_the_same_id(provider: OidcProvider) -> str:
    return sign({**new_key("ES256"), "kid": provider.keys[0]["kid"]}, provider.claims())


def unsigned(provider: OidcProvider) -> str:
    return f"{part({'alg': 'none', 'typ': 'at+jwt', 'kid': provider.keys[0]['kid']})}.{part(provider.claims())}."


def signed_with_the_public_key_as_a_secret(provider: OidcProvider) -> str:
    public = {name: value for name, value in provider.keys[0].items() if name != "d"}
    signed = f"{part({'alg': 'HS256', 'kid': public['kid']})}.{part(provider.claims())}"
    digest = hmac.new(json.dumps(public).encode(), signed.encode(), hashlib.sha256).digest()
    return f"{signed}.{base64.urlsafe_b64encode(digest).decode().rstrip('=')}"


def of_another_algorithm(provider: OidcProvider) -> str:
    return sign({**new_key("RS256"), "kid": provider.keys[0]["kid"]}, provider.claims())


def with_critical_b64(provider: OidcProvider) -> str:
    return f"{part({'alg': 'ES256', 'crit': ['b64'], 'b64': True})}.{part(provider.claims())}.AA"


def changed(**claims: Any) -> Callable[[OidcProvider], str]:
    return lambda provider: provider.token(**claims)


def with_header(**header: Any) -> Callable[[OidcProvider], str]:
    return lambda provider: sign(provider.keys[0], provider.claims(), header)


async def test_a_token_of_the_issuer_makes_its_subject_the_caller(
    client: httpx.AsyncClient, provider: OidcProvider
) -> None:
    answer = await client.get(ME, headers=bearer(provider.robot_token("http://127.0.0.1:8000", "search osdu")))
    assert answer.status_code == 200
    me = answer.json()
    assert (me["team"], me["teams"], me["subject"], me["scopes"]) == ("red", ["red"], "robot", ["search", "osdu"])


@pytest.mark.parametrize("audience", ["", "/", "/mcp", "/mcp/read"])
async def test_the_service_and_its_mcp_endpoints_are_audiences(
    client: httpx.AsyncClient, provider: OidcProvider, audience: str
) -> None:
    token = provider.token(aud=["https://other.example.org", f"http://127.0.0.1:8000{audience}"])
    assert (await client.get(ME, headers=bearer(token))).status_code == 200


@pytest.mark.parametrize("claims", [{"exp": -30}, {"nbf": 30}, {"iat": 30}, {"exp": -30, "nbf": -90}])
async def test_clocks_may_differ_by_a_minute(
    client: httpx.AsyncClient, provider: OidcProvider, claims: dict[str, int]
) -> None:
    token = provider.token(**{name: seconds(offset) for name, offset in claims.items()})
    assert (await client.get(ME, headers=bearer(token))).status_code == 200


REFUSED: dict[str, tuple[Callable[[OidcProvider], str], str]] = {
    "another audience": (changed(aud="https://other.example.org"), "The token is meant for another service"),
    "a longer audience": (changed(aud="http://127.0.0.1:8000/mcp/reader"), "The token is meant for another service"),
    "no audience": (changed(aud=None), "The token lacks one of the claims exp, iss, aud and sub"),
    "another issuer": (changed(iss="https://other.example.org"), "The token is from another issuer"),
    "no issuer": (changed(iss=None), "The token is from another issuer"),
    "expired": (lambda p: p.token(exp=seconds(-61)), "The token has expired"),
    "without an end": (changed(exp=None), "The token lacks one of the claims exp, iss, aud and sub"),
    "not yet valid": (lambda p: p.token(nbf=seconds(90)), "The token is not valid yet"),
    "issued in the future": (lambda p: p.token(iat=seconds(90)), "The token is not valid yet"),
    "without a subject": (changed(sub=None), "The token lacks one of the claims exp, iss, aud and sub"),
    "the subject of a command": (changed(sub="local"), "The token's subject cannot be used"),
    "the subject of an own token": (changed(sub="token:ci"), "The token's subject cannot be used"),
    "a subject with a line break": (changed(sub="ann\nben"), "The token's subject cannot be used"),
    "unsigned": (unsigned, "The token is signed in a way that is not accepted"),
    "a shared key": (signed_with_the_public_key_as_a_secret, "The token is signed in a way that is not accepted"),
    "another key": (signed_by_another_key_of_the_same_id, "The token's signature cannot be verified"),
    "an unknown key": (lambda p: sign(new_key(), p.claims()), "The token's signature cannot be verified"),
    "another kind of key": (of_another_algorithm, "The token's signature cannot be verified"),
    "a critical extension": (with_header(crit=["exp"]), "The token cannot be read"),
    "a critical extension that PyJWT knows": (with_critical_b64, "The token is of a kind that is not accepted"),
    "a logout token": (with_header(typ="logout+jwt"), "The token is of a kind that is not accepted"),
    "bound to a key": (changed(cnf={"jkt": "x"}), "The token is bound to a key, and this service takes bearer tokens"),
    "not base64": (lambda _: "a.b.c", "The token cannot be read"),
    "three empty parts": (lambda _: "..", "The token cannot be read"),
    "claims that are no object": (lambda _: f"{part({'alg': 'ES256'})}.{part([1])}.AA", "The token cannot be read"),
}


@pytest.mark.parametrize("case", REFUSED)
async def test_any_other_token_is_401_with_the_reason_and_without_the_callers_text(
    client: httpx.AsyncClient, provider: OidcProvider, case: str
) -> None:
    make, reason = REFUSED[case]
    token = make(provider)
    answer = await client.get(ME, headers=bearer(token))
    assert (answer.status_code, answer.json()["error"]) == (401, reason)
    assert answer.json()["error_category"] == "authentication"
    assert answer.headers["www-authenticate"] == (
        f'Bearer error="invalid_token", error_description="{reason}", '
        'resource_metadata="http://127.0.0.1:8000/.well-known/oauth-protected-resource", scope="search"'
    )
    assert token not in answer.text
    assert "other.example.org" not in answer.text


async def test_an_issuer_that_differs_by_a_slash_is_another_issuer(
    client: httpx.AsyncClient, provider: OidcProvider
) -> None:
    answer = await client.get(ME, headers=bearer(provider.token(iss=f"{provider.issuer}/")))
    assert answer.json()["error"] == "The token is from another issuer"


async def test_a_huge_token_is_refused(client: httpx.AsyncClient, provider: OidcProvider) -> None:
    answer = await client.get(ME, headers=bearer(provider.token(extra="x" * 20_000)))
    assert answer.status_code == 401


async def test_a_token_in_the_address_is_no_token(client: httpx.AsyncClient, provider: OidcProvider) -> None:
    token = provider.token()
    answer = await client.get(ME, params={"access_token": token})
    assert answer.status_code == 401
    assert "invalid_token" not in answer.headers["www-authenticate"]
    assert token not in answer.text


async def test_a_token_that_was_accepted_is_refused_when_it_has_expired(
    client: httpx.AsyncClient, provider: OidcProvider
) -> None:
    token = provider.token(exp=seconds(-58))
    statuses = [(await client.get(ME, headers=bearer(token))).status_code]
    deadline = time.monotonic() + 10
    while statuses[-1] == 200 and time.monotonic() < deadline:
        await asyncio.sleep(0.1)
        statuses.append((await client.get(ME, headers=bearer(token))).status_code)
    assert (statuses[0], statuses[-1]) == (200, 401)


async def test_a_mistaken_token_says_at_mcp_where_tokens_come_from(
    client: httpx.AsyncClient, provider: OidcProvider
) -> None:
    for path in ("/mcp", "/mcp/read"):
        answer = await client.post(path, json={}, headers=bearer(provider.token(aud="https://other.example.org")))
        assert answer.status_code == 401
        named = f'resource_metadata="http://127.0.0.1:8000/.well-known/oauth-protected-resource{path}"'
        assert named in answer.headers["www-authenticate"]


@pytest.mark.parametrize("path", ["", "/mcp", "/mcp/read"])
async def test_the_metadata_of_each_resource_name_the_issuer(
    client: httpx.AsyncClient, provider: OidcProvider, path: str
) -> None:
    document = (await client.get(f"/.well-known/oauth-protected-resource{path}")).json()
    assert document["resource"] == f"http://127.0.0.1:8000{path}"
    assert document["authorization_servers"] == [provider.issuer]


async def test_no_token_stands_in_a_log(
    client: httpx.AsyncClient, provider: OidcProvider, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    token = provider.token(aud="https://other.example.org")
    await client.get(ME, headers=bearer(token))
    assert jwt.decode(token, options={"verify_signature": False})["sub"] not in caplog.text
    assert token not in caplog.text
