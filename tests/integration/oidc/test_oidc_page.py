"""Signing in to the page at a certified provider: authorization code and PKCE in a browser, and what may go wrong."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest

from indexer.bootstrap import open_library
from indexer.engines.record_port import Records
from indexer.settings import IndexerSettings
from mcp_server.access.denied_subjects import DeniedSubjects
from tests.integration.oidc.page import COOKIE, ORIGIN, come_back, go_to_issuer, page_of, query_of, sign_in
from tests.integration.oidc.provider import OidcProvider
from tests.service import in_own_task

pytestmark = pytest.mark.xdist_group("oidc")

ME = "/api/v1/me"
WRITE = "/api/v1/indices/default/documents/d1"
ATTEMPT = "trawl_sign_in"


@pytest.fixture
async def browser(tmp_path: Path, provider: OidcProvider) -> AsyncIterator[httpx.AsyncClient]:
    async with in_own_task(page_of(tmp_path, provider)) as browser:
        yield browser


@pytest.fixture
async def records(tmp_path: Path) -> AsyncIterator[Records]:
    """The records of the service, as another process sees them."""
    library = open_library(IndexerSettings(engine="tantivy", data_dir=tmp_path / "library"))
    yield library.engine.records
    await library.aclose()


async def test_a_person_signs_in_and_comes_back_to_the_place_it_wanted(
    browser: httpx.AsyncClient, provider: OidcProvider, records: Records
) -> None:
    before = (await browser.get("/auth/session")).json()
    assert (before["signed_in"], before["needs_sign_in"], before["can_sign_in_with_issuer"]) == (False, True, True)
    address = await go_to_issuer(browser, "/d/abc?offset=3")
    assert address.startswith(f"{provider.issuer}/auth?")
    asked = query_of(address)
    assert (asked["response_type"], asked["code_challenge_method"], asked["resource"]) == ("code", "S256", ORIGIN)
    assert asked["redirect_uri"] == f"{ORIGIN}/auth/callback"
    assert {"openid", "offline_access", "search", "admin"} <= set(asked["scope"].split())
    assert min(len(asked["state"]), len(asked["nonce"]), len(asked["code_challenge"])) >= 43
    answer = await browser.get(await come_back(browser, address, "ann"))
    assert (answer.status_code, answer.headers["location"]) == (303, "/d/abc?offset=3")
    assert (COOKIE in browser.cookies, ATTEMPT in browser.cookies) == (True, False)
    told = (await browser.get("/auth/session")).json()
    assert (told["signed_in"], told["subject"], told["team"], told["teams"]) == (True, "ann", "red", ["red"])
    assert set(told["scopes"]) == {"search", "write", "ingest", "osdu", "quilt", "web", "admin"}
    assert (await browser.get(ME)).json()["subject"] == "ann"
    assert (await browser.put(WRITE, json={"content": "reef"})).status_code == 403
    csrf = {"x-csrf-token": told["csrf"]}
    assert (await browser.put(WRITE, json={"content": "reef"}, headers=csrf)).status_code == 200
    (stored,) = records.list("sessions")
    assert (stored.value["subject"], stored.value["by"]["kind"]) == ("ann", "issuer")
    # A token of the issuer begins with the same letters as every JSON object in base64.
    assert "eyJ" not in str(stored)
    assert browser.cookies[COOKIE] not in str(stored)


async def test_the_cookie_of_a_sign_in_under_way_is_sealed_and_short_lived(browser: httpx.AsyncClient) -> None:
    sent = await browser.get("/auth/issuer")
    header = sent.headers["set-cookie"]
    assert header.startswith(f"{ATTEMPT}=")
    assert header.endswith("; Path=/; Max-Age=600; HttpOnly; SameSite=Lax")
    asked = query_of(sent.headers["location"])
    assert asked["state"] not in header
    assert len(header) < 4_096
    longest = await browser.get("/auth/issuer", params={"next": "/" + "x" * 1_999})
    assert len(longest.headers["set-cookie"]) < 4_096


async def test_an_answer_with_another_state_signs_nobody_in(browser: httpx.AsyncClient) -> None:
    back = await come_back(browser, await go_to_issuer(browser, "/feed"), "ann")
    state = query_of(back)["state"]
    answer = await browser.get(back.replace(state, "x" * len(state)))
    assert (answer.status_code, answer.headers["location"]) == (303, "/auth/login?next=%2Ffeed&problem=expired")
    assert COOKIE not in browser.cookies
    assert (await browser.get(back)).headers["location"] == "/auth/login?next=%2F&problem=expired"


async def test_an_answer_in_another_browser_signs_nobody_in(
    browser: httpx.AsyncClient, tmp_path: Path, provider: OidcProvider
) -> None:
    """Otherwise somebody could make a victim work in his own account."""
    back = await come_back(browser, await go_to_issuer(browser), "ann")
    async with page_of(tmp_path, provider) as victim:
        assert query_of((await victim.get(back)).headers["location"])["problem"] == "expired"
        await go_to_issuer(victim)
        assert query_of((await victim.get(back)).headers["location"])["problem"] == "expired"
        assert COOKIE not in victim.cookies


async def test_an_answer_serves_once(browser: httpx.AsyncClient) -> None:
    back = await come_back(browser, await go_to_issuer(browser), "ann")
    attempt = browser.cookies[ATTEMPT]
    assert (await browser.get(back)).headers["location"] == "/"
    assert query_of((await browser.get(back)).headers["location"])["problem"] == "expired"
    replayed = await browser.get(back, headers={"cookie": f"{ATTEMPT}={attempt}"})
    assert query_of(replayed.headers["location"])["problem"] == "failed"
    assert COOKIE not in replayed.headers.get("set-cookie", "").replace(ATTEMPT, "")


async def test_an_answer_of_another_issuer_is_refused(browser: httpx.AsyncClient) -> None:
    back = await come_back(browser, await go_to_issuer(browser), "ann")
    answer = await browser.get(back.replace("iss=http%3A", "iss=https%3A"))
    assert query_of(answer.headers["location"])["problem"] == "expired"
    assert COOKIE not in browser.cookies


@pytest.mark.parametrize(
    ("error", "problem"), [("access_denied", "denied"), ("invalid_scope", "failed"), ("<b>evil.example</b>", "failed")]
)
async def test_a_sign_in_that_the_issuer_refuses_is_told_in_one_word(
    browser: httpx.AsyncClient, provider: OidcProvider, caplog: pytest.LogCaptureFixture, error: str, problem: str
) -> None:
    asked = query_of(await go_to_issuer(browser, "/feed"))
    answer = {"error": error, "error_description": "a canary", "state": asked["state"], "iss": provider.issuer}
    sent = await browser.get("/auth/callback", params=answer)
    assert sent.headers["location"] == f"/auth/login?next=%2Ffeed&problem={problem}"
    assert "canary" not in sent.text + caplog.text
    assert "evil" not in sent.text + caplog.text


async def test_a_person_of_several_teams_is_signed_in_and_chooses_in_each_call(browser: httpx.AsyncClient) -> None:
    await sign_in(browser, "ben")
    told = (await browser.get("/auth/session")).json()
    assert (told["signed_in"], told["subject"], told["team"], told["teams"]) == (True, "ben", None, ["red", "blue"])
    assert "search" in told["scopes"]
    assert (await browser.get(ME)).status_code == 403
    for team in ("red", "blue"):
        chosen = {"trawl-team": team}
        assert (await browser.get("/auth/session", headers=chosen)).json()["team"] == team
        assert (await browser.get(ME, headers=chosen)).json()["team"] == team
    assert (await browser.get("/auth/session", headers={"trawl-team": "green"})).json()["team"] is None


async def test_who_is_in_no_team_may_not_use_the_service(browser: httpx.AsyncClient, records: Records) -> None:
    assert query_of((await sign_in(browser, "zoe")).headers["location"])["problem"] == "refused"
    assert records.list("sessions") == []


async def test_a_denied_person_is_signed_out_within_a_second_and_not_let_in_again(
    browser: httpx.AsyncClient, provider: OidcProvider, records: Records, caplog: pytest.LogCaptureFixture
) -> None:
    await sign_in(browser, "ann")
    assert (await browser.get(ME)).status_code == 200
    denied = DeniedSubjects(records)
    denied.deny(provider.issuer, "ann", seconds=3_600, denied_by="test")
    async with asyncio.timeout(1):
        while (await browser.get(ME)).status_code != 401:  # noqa: ASYNC110 - the service tells nobody
            await asyncio.sleep(0.02)
    assert records.list("sessions") == []
    assert query_of((await sign_in(browser, "ann")).headers["location"])["problem"] == "refused"
    assert "The token's subject is denied" in caplog.text
    denied.allow(provider.issuer, "ann")


async def test_an_issuer_that_is_down_is_told_and_nobody_waits_for_it(
    tmp_path: Path, own_provider: OidcProvider
) -> None:
    async with page_of(tmp_path, own_provider) as browser:
        back = await come_back(browser, await go_to_issuer(browser, "/feed"), "ann")
        await asyncio.to_thread(own_provider.stop)
        unavailable = "/auth/login?next=%2Ffeed&problem=unavailable"
        assert (await browser.get(back)).headers["location"] == unavailable
    async with page_of(tmp_path, own_provider) as browser:
        assert (await browser.get("/auth/issuer?next=/feed")).headers["location"] == unavailable
        assert (await browser.get("/auth/session")).json()["signed_in"] is False


async def test_answers_that_are_made_up_are_bounded(browser: httpx.AsyncClient) -> None:
    problems = []
    for number in range(100):
        sent = await browser.get("/auth/callback", params={"code": f"c{number}", "state": "x"})
        problems.append(query_of(sent.headers["location"])["problem"])
    assert problems[:60] == ["expired"] * 60
    assert problems[-1] == "busy"
