"""A service for the matrix of scopes and operations: a token for each set of scopes, and what the examples speak of."""

from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from indexer.bootstrap import open_library
from indexer.settings import IndexerSettings
from indexer.tenancy import TeamId
from mcp_server.access.scopes import ALL_SCOPES, SCOPES
from mcp_server.access.token_store import TokenStore
from tests.operations import filled
from tests.scopes import SCOPE_OF
from tests.service import application_in_task

_REACHED = frozenset({None, "not_found", "conflict", "not_configured"})


@dataclass(frozen=True)
class Matrix:
    """A service, the tokens by their scopes, and the job that `{job}` stands for."""

    client: httpx.AsyncClient
    tokens: Mapping[frozenset[str], str]
    job: str

    def headers(self, scopes: frozenset[str]) -> dict[str, str]:
        return {"authorization": f"Bearer {self.tokens[scopes]}"}


def rows(operation: str) -> Iterator[tuple[frozenset[str], bool]]:
    """Yield each single scope, and all scopes but the right one; and whether they allow the operation."""
    needed = SCOPE_OF[operation]
    for scope in SCOPES:
        yield frozenset({scope}), needed in {scope, ""}
    if needed:
        yield ALL_SCOPES - {needed}, False


def was_reached(result: Mapping[str, Any]) -> bool:
    """Say whether the scopes allowed a call; what it asks for need not be there, and upstreams are not configured."""
    # Without a section in TRAWL_CONNECTIONS a team may list no bucket, and not everybody may make tokens.
    by_other_rules = ({"buckets": []}, {"makers": ["issuer", "admin"]})
    return result.get("error_category") in _REACHED or result["details"] in by_other_rules


def check_challenge(answer: httpx.Response, missing: str) -> None:
    """Check what a client learns from a refusal."""
    assert answer.status_code == 403
    challenge = answer.headers["www-authenticate"]
    assert challenge.startswith(f'Bearer error="insufficient_scope", scope="{missing}", resource_metadata="http')


@asynccontextmanager
async def running_matrix(folder: Path) -> AsyncIterator[Matrix]:
    """Run the service with authentication on the embedded engine."""
    library = open_library(IndexerSettings(engine="tantivy", data_dir=folder / "library"))
    tokens = issue_all(TokenStore(library.engine.records))
    settings: dict[str, Any] = {"auth": "on", "mcp": {"calls_per_minute": 0}}
    async with application_in_task(folder, library=library, **settings) as client:
        client.headers["authorization"] = f"Bearer {tokens[ALL_SCOPES]}"
        job = await filled(client)
        await client.put("/api/v1/indices/default/documents/kept", json={"content": "A reef that stays"})
        del client.headers["authorization"]
        yield Matrix(client, tokens, job)
    await library.aclose()


def issue_all(store: TokenStore) -> dict[frozenset[str], str]:
    """Issue a token for each set of scopes that the matrix has, and return them by it."""
    single = {frozenset({scope}) for scope in SCOPES}
    return {
        scopes: store.issue(TeamId("red"), scopes, name="matrix", created_by="test").token
        for scopes in (ALL_SCOPES, *single, *(ALL_SCOPES - scope for scope in single))
    }
