"""Staying signed in to the page: tokens are renewed once for all who need them, and ended with the session."""

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from app.auth.login.token_request import IssuedTokens
from app.auth.sessions import issuer_sessions
from app.auth.sessions.seal import Seal
from indexer.bootstrap import open_library
from indexer.engines.record_port import Records
from indexer.records import Store
from indexer.secret_key import secret_keys
from indexer.settings import IndexerSettings
from mcp_server.access.session_store import IssuerSignIn, Session
from tests.integration.oidc.page import ORIGIN, page_of, sign_in
from tests.integration.oidc.provider import OidcProvider
from tests.service import in_own_task

pytestmark = pytest.mark.xdist_group("oidc")

ME = "/api/v1/me"


@pytest.fixture
async def browser(tmp_path: Path, provider: OidcProvider) -> AsyncIterator[httpx.AsyncClient]:
    async with in_own_task(page_of(tmp_path, provider)) as browser:
        yield browser


@pytest.fixture
async def records(tmp_path: Path) -> AsyncIterator[Records]:
    library = open_library(IndexerSettings(engine="tantivy", data_dir=tmp_path / "library"))
    yield library.engine.records
    await library.aclose()


@pytest.fixture
def renewals(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The refresh tokens that were sent to the issuer, which all went there."""
    sent: list[str] = []
    renew_tokens = issuer_sessions.renew_tokens

    async def counted(http: object, endpoint: str, refresh_token: str, **given: str) -> IssuedTokens:
        sent.append(refresh_token)
        await asyncio.sleep(0.3)
        return await renew_tokens(http, endpoint, refresh_token, **given)  # type: ignore[arg-type]

    monkeypatch.setattr(issuer_sessions, "renew_tokens", counted)
    return sent


def change(records: Records, update: Callable[[IssuerSignIn], IssuerSignIn]) -> None:
    """Change the only session, as time or another process would."""
    sessions = Store(records, "sessions", Session)
    (stored,) = sessions.list()
    assert isinstance(stored.value.by, IssuerSignIn)
    sessions.replace(stored, replace(stored.value, by=update(stored.value.by)))


def kept(records: Records, folder: Path) -> list[str]:
    """Open what the service keeps: the access token and the refresh token."""
    (stored,) = Store(records, "sessions", Session).list()
    assert isinstance(stored.value.by, IssuerSignIn)
    keys = secret_keys(IndexerSettings(engine="tantivy", data_dir=folder / "data"))
    opened = Seal(keys, b"trawl session").open(stored.value.by.sealed, stored.key)
    assert opened is not None
    return opened


def expire(records: Records) -> None:
    change(records, lambda by: replace(by, expires_at=0.0))


async def test_an_expired_token_is_renewed_once_for_all_requests_and_processes(
    browser: httpx.AsyncClient, tmp_path: Path, provider: OidcProvider, records: Records, renewals: list[str]
) -> None:
    await sign_in(browser)
    before = kept(records, tmp_path)
    expire(records)
    async with page_of(tmp_path, provider) as other:
        other.cookies.update(browser.cookies)
        answers = await asyncio.gather(*(each.get(ME) for each in (browser, other) * 10))
        assert {answer.status_code for answer in answers} == {200}
        after = kept(records, tmp_path)
        assert renewals == [before[1]]
        assert before[0] != after[0]
        assert {(await each.get(ME)).status_code for each in (browser, other) * 3} == {200}
        assert len(renewals) == 1


async def test_a_browser_that_leaves_does_not_lose_the_renewed_token(
    browser: httpx.AsyncClient, records: Records, renewals: list[str]
) -> None:
    await sign_in(browser)
    expire(records)
    leaving = asyncio.create_task(browser.get(ME))
    async with asyncio.timeout(10):
        while not renewals:  # noqa: ASYNC110 - the issuer is asked elsewhere
            await asyncio.sleep(0.01)
    leaving.cancel()
    assert (await browser.get(ME)).status_code == 200
    assert len(renewals) == 1


async def test_a_process_that_died_while_it_renewed_holds_nobody_up_for_long(
    browser: httpx.AsyncClient, records: Records, monkeypatch: pytest.MonkeyPatch
) -> None:
    await sign_in(browser)
    (stored,) = Store(records, "sessions", Session).list()
    change(records, lambda by: replace(by, expires_at=0.0, renewing_until=stored.value.used_at + 2))
    monkeypatch.setattr(issuer_sessions, "_LEASE_SECONDS", 10.0)
    assert (await browser.get(ME)).status_code == 200


async def test_a_session_ends_when_the_issuer_renews_no_more(
    browser: httpx.AsyncClient, tmp_path: Path, provider: OidcProvider, records: Records
) -> None:
    await sign_in(browser)
    await revoke(provider, kept(records, tmp_path)[1])
    expire(records)
    refused = await browser.get(ME)
    assert (refused.status_code, refused.json()["error"]) == (401, "You are not signed in any more")
    assert records.list("sessions") == []
    assert (await browser.get("/auth/session")).json()["signed_in"] is False


async def test_signing_out_tells_the_issuer(
    browser: httpx.AsyncClient, tmp_path: Path, provider: OidcProvider, records: Records
) -> None:
    await sign_in(browser)
    refresh_token = kept(records, tmp_path)[1]
    csrf = {"x-csrf-token": (await browser.get("/auth/session")).json()["csrf"]}
    assert (await browser.post("/auth/logout", headers=csrf)).json() == {"success": True}
    assert records.list("sessions") == []
    form = {"grant_type": "refresh_token", "refresh_token": refresh_token, "client_id": "trawl", "resource": ORIGIN}
    async with httpx.AsyncClient(trust_env=False) as client:
        answer = await client.post(f"{provider.issuer}/token", data=form)
    assert (answer.status_code, answer.json()["error"]) == (400, "invalid_grant")


async def test_while_the_issuer_is_down_sessions_wait_for_it_and_valid_tokens_serve(
    tmp_path: Path, own_provider: OidcProvider, records: Records
) -> None:
    async with page_of(tmp_path, own_provider) as browser:
        await sign_in(browser)
        (stored,) = Store(records, "sessions", Session).list()
        await asyncio.to_thread(own_provider.stop)
        assert (await browser.get(ME)).status_code == 200
        change(records, lambda by: replace(by, expires_at=stored.value.used_at + 29))
        assert (await browser.get(ME)).status_code == 200
        expire(records)
        waiting = await within_a_second(browser, 503)
        assert waiting.json()["error_category"] == "unavailable"
        assert "retry-after" in waiting.headers
        (left,) = Store(records, "sessions", Session).list()
        assert isinstance(left.value.by, IssuerSignIn)
        assert left.value.by.renewing_until == 0


async def test_a_token_of_somebody_else_does_not_change_who_is_signed_in(
    browser: httpx.AsyncClient, tmp_path: Path, records: Records, provider: OidcProvider
) -> None:
    await sign_in(browser)
    keys = secret_keys(IndexerSettings(engine="tantivy", data_dir=tmp_path / "data"))
    (stored,) = records.list("sessions")
    others = Seal(keys, b"trawl session").seal([provider.token(sub="ben"), None], stored.key)
    change(records, lambda by: replace(by, sealed=others))
    await within_a_second(browser, 401)


async def test_people_stay_signed_in_while_the_secret_key_is_replaced(tmp_path: Path, provider: OidcProvider) -> None:
    async with page_of(tmp_path, provider, indexer={"secret_key": "one"}) as browser:
        await sign_in(browser)
        cookies = browser.cookies
    async with page_of(tmp_path, provider, indexer={"secret_key": "two", "secret_key_old": "one"}) as browser:
        browser.cookies.update(cookies)
        assert (await browser.get(ME)).json()["subject"] == "ann"
    async with page_of(tmp_path, provider, indexer={"secret_key": "two"}) as browser:
        browser.cookies.update(cookies)
        assert (await browser.get(ME)).status_code == 401


async def within_a_second(browser: httpx.AsyncClient, status: int) -> httpx.Response:
    async with asyncio.timeout(1):
        while (answer := await browser.get(ME)).status_code != status:  # noqa: ASYNC110 - the service tells nobody
            await asyncio.sleep(0.02)
    return answer


async def revoke(provider: OidcProvider, token: str) -> None:
    async with httpx.AsyncClient(trust_env=False) as client:
        answer = await client.post(f"{provider.issuer}/token/revocation", data={"token": token, "client_id": "trawl"})
    assert answer.status_code == 200
