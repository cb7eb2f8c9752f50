"""Fetching an issuer's documents: where they are, and what is not taken from them."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from typing import Any

import orjson
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response, StreamingResponse

from app.auth.oidc import issuer_http
from app.auth.oidc.discovery import discover, metadata_addresses
from app.auth.oidc.fetch_keys import fetch_keys
from app.auth.oidc.issuer_http import IssuerHttp, IssuerUnavailable
from app.cli import issuer_check
from app.settings import AppSettings
from indexer.errors import PlatformError
from tests.integration.oidc.provider import new_key
from tests.service import on_socket

OPENID = "/.well-known/openid-configuration"
OAUTH = "/.well-known/oauth-authorization-server"
Document = Callable[[str], Any]


@contextmanager
def issuer(documents: dict[str, Document]) -> Iterator[str]:
    """Serve documents, each made from the address of the issuer."""

    async def answer(request: Request) -> Response:
        made = documents.get(request.url.path)
        if made is None:
            return Response(status_code=404)
        value = made(str(request.base_url).rstrip("/"))
        return value if isinstance(value, Response) else Response(orjson.dumps(value))

    app = Starlette()
    app.add_route("/{path:path}", answer)
    with on_socket(app) as url:
        yield url


async def discovered(url: str) -> dict[str, Any]:
    http = IssuerHttp()
    try:
        return dict((await discover(http, url)).document)
    finally:
        await http.aclose()


async def load_keys(url: str) -> None:
    http = IssuerHttp()
    try:
        await fetch_keys(http, url, ["ES256"])
    finally:
        await http.aclose()


@pytest.mark.parametrize(
    ("given", "openid", "oauth"),
    [
        ("https://a.example", f"https://a.example{OPENID}", f"https://a.example{OAUTH}"),
        ("https://a.example/", f"https://a.example{OPENID}", f"https://a.example{OAUTH}"),
        ("https://a.example/x/y", f"https://a.example/x/y{OPENID}", f"https://a.example{OAUTH}/x/y"),
        ("https://a.example/x/", f"https://a.example/x{OPENID}", f"https://a.example{OAUTH}/x"),
    ],
)
def test_an_issuers_document_is_where_the_standards_say(given: str, openid: str, oauth: str) -> None:
    assert metadata_addresses(given) == (openid, oauth)


async def test_an_issuer_without_openid_connect_is_found_by_its_oauth_document() -> None:
    with issuer({OAUTH: lambda url: {"issuer": url, "jwks_uri": "x"}}) as url:
        assert (await discovered(url))["jwks_uri"] == "x"


@pytest.mark.parametrize("named", ["https://other.example.org", None, "{}/"])
async def test_a_document_of_another_issuer_is_refused(named: str | None) -> None:
    def document(url: str) -> dict[str, Any]:
        return {"issuer": None if named is None else named.format(url), "jwks_uri": url}

    with issuer({OPENID: document}) as url, pytest.raises(IssuerUnavailable, match="names another issuer"):
        await discovered(url)


async def endless() -> AsyncIterator[bytes]:
    while True:
        yield b" " * 65_536
        await asyncio.sleep(0)


@pytest.mark.parametrize(
    ("document", "reason"),
    [
        (lambda _: Response(status_code=500), "no document about itself"),
        (lambda _: Response(b"<html>"), "no document about itself"),
        (lambda _: ["a list"], "no document about itself"),
        (lambda url: RedirectResponse(f"{url}/elsewhere"), "no document about itself"),
        (lambda _: StreamingResponse(endless()), "its answer is too large"),
    ],
)
async def test_what_is_no_document_is_not_taken_for_one(document: Document, reason: str) -> None:
    good = {"/elsewhere": lambda url: {"issuer": url}}
    with issuer({OPENID: document, **good}) as url, pytest.raises(IssuerUnavailable, match=reason):
        await discovered(url)


async def test_an_issuer_that_is_too_slow_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    async def silent() -> AsyncIterator[bytes]:
        yield b"{"
        await asyncio.sleep(3600)

    monkeypatch.setattr(issuer_http, "_TIMEOUT_SECONDS", 0.2)
    with (
        issuer({OPENID: lambda _: StreamingResponse(silent())}) as url,
        pytest.raises(IssuerUnavailable, match="took too long"),
    ):
        await discovered(url)


KEY = {name: value for name, value in new_key().items() if name != "d"}


async def test_keys_are_read_where_the_document_says() -> None:
    documents = {OPENID: lambda url: {"issuer": url, "jwks_uri": f"{url}/keys"}, "/keys": lambda _: {"keys": [KEY]}}
    with issuer(documents) as url:
        await load_keys(url)


@pytest.mark.parametrize(
    ("address", "document", "reason"),
    [
        (None, {"keys": [KEY]}, "does not say where its keys are"),
        (7, {"keys": [KEY]}, "does not say where its keys are"),
        ("http://keys.example.org/", {"keys": [KEY]}, "has no TLS"),
        ("file:///etc/passwd", {"keys": [KEY]}, "has no TLS"),
        ("{}/keys", {"keys": []}, "shows no key"),
        ("{}/keys", {"keys": [{**KEY, "alg": "ES512"}]}, "shows no key"),
        ("{}/missing", {"keys": [KEY]}, "shows no key"),
    ],
)
async def test_an_issuer_without_usable_keys_says_what_is_wrong(address: Any, document: Any, reason: str) -> None:
    def metadata(url: str) -> dict[str, Any]:
        return {"issuer": url, "jwks_uri": address.format(url) if isinstance(address, str) else address}

    with issuer({OPENID: metadata, "/keys": lambda _: document}) as url, pytest.raises(PlatformError, match=reason):
        await load_keys(url)


async def test_the_doctor_says_whether_the_issuer_can_be_used() -> None:
    documents = {OPENID: lambda url: {"issuer": url, "jwks_uri": f"{url}/keys"}, "/keys": lambda _: {"keys": [KEY]}}
    with issuer(documents) as url:
        healthy = await issuer_check.issuer(AppSettings(_env_file=None, oidc_issuer=url))
        other = await issuer_check.issuer(AppSettings(_env_file=None, oidc_issuer=f"{url}/"))
    assert [(check.status, check.detail) for check in healthy] == [("ok", "shows its keys")]
    assert [(check.status, "names another issuer" in check.detail) for check in other] == [("broken", True)]
    assert await issuer_check.issuer(AppSettings(_env_file=None)) == []
