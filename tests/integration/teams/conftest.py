"""A service with authentication on, and tokens of two teams."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import httpx
import pytest

from indexer.bootstrap import open_library
from indexer.library import Library
from indexer.settings import IndexerSettings
from indexer.tenancy import IndexName, TeamId
from mcp_server.access.scopes import ALL_SCOPES
from mcp_server.access.token_store import IssuedToken, TokenStore
from tests.service import application_in_task

Issue = Callable[..., IssuedToken]


@pytest.fixture
def library(tmp_path: Path) -> Library:
    return open_library(IndexerSettings(engine="tantivy", data_dir=tmp_path / "library"))


@pytest.fixture
def store(library: Library) -> TokenStore:
    return TokenStore(library.engine.records)


@pytest.fixture
def issue(store: TokenStore) -> Issue:
    """Make a token; of the team `red` with all scopes, unless said otherwise."""

    def issue(
        team: str = "red", *scopes: str, indices: tuple[str, ...] | None = None, lifetime: float | None = None
    ) -> IssuedToken:
        limited = None if indices is None else [IndexName(name) for name in indices]
        return store.issue(
            TeamId(team), scopes or ALL_SCOPES, name="test", created_by="test", indices=limited, lifetime=lifetime
        )

    return issue


@pytest.fixture
async def client(tmp_path: Path, library: Library) -> AsyncIterator[httpx.AsyncClient]:
    async with application_in_task(tmp_path, library=library, auth="on") as client:
        yield client
    await library.aclose()


async def eventually(ask: Callable[[], Awaitable[httpx.Response]], is_so: Callable[[httpx.Response], bool]) -> str:
    """Ask again and again until the answer is right, and return its text."""
    async with asyncio.timeout(20):
        while True:
            answer = await ask()
            if is_so(answer):
                return answer.text
            await asyncio.sleep(0.05)


def bearer(issued: IssuedToken) -> dict[str, str]:
    """Return the header that carries a token."""
    return {"authorization": f"Bearer {issued.token}"}
