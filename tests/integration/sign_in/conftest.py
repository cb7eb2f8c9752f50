"""A service with authentication on, a token for it, and browsers that sign in with one."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from indexer.bootstrap import open_library
from indexer.library import Library
from indexer.settings import IndexerSettings
from indexer.tenancy import TeamId
from mcp_server.access.scopes import ALL_SCOPES
from mcp_server.access.token_store import IssuedToken, TokenStore
from tests.service import application, application_in_task

ORIGIN = "http://127.0.0.1:8000"
ME = "/api/v1/me"
OpenService = Callable[..., Any]


@pytest.fixture
async def library(tmp_path: Path) -> AsyncIterator[Library]:
    opened = open_library(IndexerSettings(engine="tantivy", data_dir=tmp_path / "library"))
    yield opened
    await opened.aclose()


@pytest.fixture
def store(library: Library) -> TokenStore:
    return TokenStore(library.engine.records)


@pytest.fixture
def token(store: TokenStore) -> IssuedToken:
    return store.issue(TeamId("red"), ALL_SCOPES, name="ann", created_by="test")


@pytest.fixture
async def browser(tmp_path: Path, library: Library) -> AsyncIterator[httpx.AsyncClient]:
    """A browser on the page of the service: it keeps cookies and says where its requests come from."""
    async with application_in_task(tmp_path, library=library, auth="on", mcp={"calls_per_minute": 0}) as client:
        client.headers["origin"] = ORIGIN
        yield client


@pytest.fixture
def open_service(tmp_path: Path) -> OpenService:
    """Open a process of the same service, with a library of its own on the same data."""

    @asynccontextmanager
    async def opened(**settings: Any) -> AsyncIterator[httpx.AsyncClient]:
        library = open_library(IndexerSettings(engine="tantivy", data_dir=tmp_path / "library"))
        async with application(tmp_path, library=library, **{"auth": "on", **settings}) as client:
            client.headers["origin"] = ORIGIN
            yield client
        await library.aclose()

    return opened


async def sign_in(browser: httpx.AsyncClient, token: IssuedToken) -> dict[str, str]:
    """Sign in, and return the header that calls need which change something."""
    answer = await browser.post("/auth/login", json={"token": token.token})
    assert answer.status_code == 200, answer.text
    return {"x-csrf-token": answer.json()["csrf"]}


async def within_a_second(ask: Callable[[], Awaitable[httpx.Response]], status: int) -> httpx.Response:
    """Ask again and again until the answer has this status."""
    async with asyncio.timeout(1):
        while (answer := await ask()).status_code != status:  # noqa: ASYNC110 - the service tells nobody
            await asyncio.sleep(0.02)
    return answer
