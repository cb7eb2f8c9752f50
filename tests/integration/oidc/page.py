"""A person at the page of a service in this process, which signs in at a provider on the network."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urljoin, urlsplit

import httpx

from indexer.bootstrap import open_library
from indexer.settings import IndexerSettings
from tests.integration.oidc.browser import filled_form
from tests.integration.oidc.provider import OidcProvider
from tests.service import created_app

ORIGIN = "http://127.0.0.1:8000"
CALLBACK = f"{ORIGIN}/auth/callback"
COOKIE = "trawl_session"
_MAX_STEPS = 20


@asynccontextmanager
async def page_of(folder: Path, provider: OidcProvider, **settings: Any) -> AsyncIterator[httpx.AsyncClient]:
    """Open a process of the service on this folder, and a browser for it that also reaches the provider."""
    library = open_library(IndexerSettings(engine="tantivy", data_dir=folder / "library"))
    issuer = {"oidc_issuer": provider.issuer, "oidc_client_id": "trawl"}
    app = created_app(folder, library=library, auth="on", mcp={"calls_per_minute": 0}, **issuer, **settings)
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(
            mounts={ORIGIN: httpx.ASGITransport(app)}, base_url=ORIGIN, trust_env=False, timeout=60
        ) as browser,
    ):
        yield browser
    await library.aclose()


async def go_to_issuer(browser: httpx.AsyncClient, next_path: str = "/") -> str:
    """Begin a sign-in, and return the address to which the browser is sent."""
    sent = await browser.get("/auth/issuer", params={"next": next_path})
    assert sent.status_code == 303, sent.text
    return sent.headers["location"]


async def come_back(browser: httpx.AsyncClient, address: str, name: str) -> str:
    """Sign in at the issuer, and return the address to which the browser is sent back."""
    response = await browser.get(address)
    for _ in range(_MAX_STEPS):
        for cookie in browser.cookies.jar:
            cookie.secure = False  # Browsers take loopback for as safe as TLS.
        if not response.is_redirect:
            target, filled = filled_form(response, {"login": name, "password": "any"})
            response = await browser.post(target, data=filled)
            continue
        target = urljoin(str(response.url), response.headers["location"])
        if target.startswith(CALLBACK):
            return target
        response = await browser.get(target)
    raise AssertionError("the sign-in did not end")


async def sign_in(browser: httpx.AsyncClient, name: str = "ann", next_path: str = "/") -> httpx.Response:
    """Sign in, and return the answer of the service to the browser that comes back."""
    return await browser.get(await come_back(browser, await go_to_issuer(browser, next_path), name))


def query_of(address: str) -> dict[str, str]:
    """Return the parameters of an address."""
    return dict(parse_qsl(urlsplit(address).query))
