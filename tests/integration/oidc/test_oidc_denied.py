"""The deny list: a subject is refused in every process within a second, though its tokens are valid."""

import asyncio
import time
from pathlib import Path

import httpx
import pytest

from indexer.bootstrap import open_library
from indexer.library import Library
from indexer.settings import IndexerSettings
from mcp_server.access.denied_subjects import DeniedSubjects
from tests.integration.oidc.conftest import bearer
from tests.integration.oidc.provider import OidcProvider

pytestmark = pytest.mark.xdist_group("oidc")

ME = "/api/v1/me"


async def wait_for(client: httpx.AsyncClient, token: str, status: int) -> httpx.Response:
    deadline = time.monotonic() + 1
    while (answer := await client.get(ME, headers=bearer(token))).status_code != status:
        assert time.monotonic() < deadline, f"not {status} after a second"
    return answer


async def test_a_denied_subject_is_refused_within_a_second_and_allowed_again(
    tmp_path: Path, client: httpx.AsyncClient, provider: OidcProvider
) -> None:
    ann, ben = provider.token(sub="ann"), provider.token(sub="ben")
    for token in (ann, ben):
        assert (await client.get(ME, headers=bearer(token))).status_code == 200
    # Another process of the service, or a command on its host, works on the same data by another library.
    other = open_library(IndexerSettings(engine="tantivy", data_dir=tmp_path / "library"))
    denied = DeniedSubjects(other.engine.records)
    denied.deny(provider.issuer, "ann", seconds=3600, denied_by="local")
    refused = await wait_for(client, ann, 401)
    assert refused.json()["error"] == "The token's subject is denied"
    assert 'error="invalid_token"' in refused.headers["www-authenticate"]
    assert (await client.get(ME, headers=bearer(provider.token(sub="ann", jti="new")))).status_code == 401
    assert (await client.get(ME, headers=bearer(ben))).status_code == 200
    denied.allow(provider.issuer, "ann")
    await wait_for(client, ann, 200)
    await other.aclose()


async def test_a_denied_subject_loses_what_it_has_open(
    tmp_path: Path, client: httpx.AsyncClient, provider: OidcProvider
) -> None:
    token = bearer(provider.token(sub="ann", scope="openid search ingest", team=["red", "blue"]))
    pages = {"source": {"type": "urls", "urls": ["https://example.org/"]}}
    started = await client.post("/api/v1/archives/ingest", params={"team": "red"}, json=pages, headers=token)
    job = f"/api/v1/jobs/{started.json()['job_id']}"
    asked = {"team": "red", "wait_seconds": 50}
    waiting = asyncio.create_task(client.get(job, params=asked, headers=token))
    done, _ = await asyncio.wait({waiting}, timeout=1)
    assert not done
    other = open_library(IndexerSettings(engine="tantivy", data_dir=tmp_path / "library"))
    denied = DeniedSubjects(other.engine.records)
    await asyncio.to_thread(denied.deny, provider.issuer, "ann", seconds=3600, denied_by="local")
    async with asyncio.timeout(1):
        answer = await waiting
    assert (answer.status_code, answer.json()["error"]) == (401, "The token's subject is denied")
    denied.allow(provider.issuer, "ann")
    await other.aclose()


async def test_the_same_subject_of_another_issuer_is_somebody_else(
    client: httpx.AsyncClient, provider: OidcProvider, denied: DeniedSubjects
) -> None:
    denied.deny("https://other.example.org", "ann", seconds=3600, denied_by="local")
    assert (await client.get(ME, headers=bearer(provider.token(sub="ann")))).status_code == 200


def test_the_list_shows_who_is_denied_until_when_and_forgets_what_is_over(library: Library) -> None:
    now = [1_000_000.0]
    denied = DeniedSubjects(library.engine.records, lambda: now[0])
    denied.deny("https://a.example.org", "ann", seconds=10, denied_by="officer")
    denied.deny("https://a.example.org", "ben", seconds=100, denied_by="officer")
    assert [(each.subject, each.denied_by, each.until) for each in denied.all()] == [
        ("ann", "officer", "1970-01-12T13:46:50Z"),
        ("ben", "officer", "1970-01-12T13:48:20Z"),
    ]
    now[0] += 11
    assert [each.subject for each in denied.all()] == ["ben"]
    denied.deny("https://a.example.org", "ben", seconds=5, denied_by="officer")
    assert [each.until for each in denied.all()] == ["1970-01-12T13:46:56Z"]
    now[0] -= 11
    assert [each.subject for each in denied.all()] == ["ben"]
