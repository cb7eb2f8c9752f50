"""Whose address is recorded and limited behind a reverse proxy."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest

from indexer.library import Library
from tests.integration.teams.conftest import Issue, bearer
from tests.service import created_app

PROXY = "10.1.0.7"
CALLER = "203.0.113.9"


@asynccontextmanager
async def connected_from(peer: str, folder: Path, library: Library) -> AsyncIterator[httpx.AsyncClient]:
    app = created_app(folder, library=library, auth="on", trusted_proxies=("10.1.0.0/16", "2001:db8::7"))
    transport = httpx.ASGITransport(app, client=(peer, 5))
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8000") as client,
    ):
        yield client


@pytest.mark.parametrize(
    "case",
    [
        (PROXY, CALLER, CALLER),
        ("2001:db8::7", CALLER, CALLER),
        # What a caller says itself stands before what the proxy adds.
        (PROXY, f"198.51.100.1, {CALLER}", CALLER),
        (PROXY, f"{CALLER}, 10.1.0.8", CALLER),
        (PROXY, "", PROXY),
        # Others are not believed.
        ("10.2.0.7", CALLER, "10.2.0.7"),
        ("127.0.0.1", CALLER, "127.0.0.1"),
    ],
)
async def test_the_audit_names_the_caller_whom_a_trusted_proxy_names(
    tmp_path: Path, library: Library, issue: Issue, case: tuple[str, str, str]
) -> None:
    peer, forwarded, address = case
    headers = {**bearer(issue("red")), "x-forwarded-for": forwarded}
    async with connected_from(peer, tmp_path, library) as client:
        assert (await client.get("/api/v1/indices", headers=headers)).status_code == 200
        audit = (await client.get("/api/v1/audit", headers=headers)).json()
    assert [record["address"] for record in audit["records"]] == [address]


async def test_wrong_tokens_of_one_caller_behind_a_proxy_do_not_lock_out_another(
    tmp_path: Path, library: Library, issue: Issue
) -> None:
    valid = bearer(issue("red"))
    wrong = {"authorization": "Bearer trawl_wrong", "x-forwarded-for": CALLER}
    async with connected_from(PROXY, tmp_path, library) as client:
        answers = {(await client.get("/api/v1/indices", headers=wrong)).status_code for _ in range(100)}
        assert answers == {401, 429}
        fine = await client.get("/api/v1/indices", headers={**valid, "x-forwarded-for": "203.0.113.10"})
    assert fine.status_code == 200
