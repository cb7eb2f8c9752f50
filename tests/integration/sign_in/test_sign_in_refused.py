"""Cookies and tokens that are not valid: what they are told, how often they may be tried, and what is recorded."""

import httpx
import pytest

from indexer.library import Library
from mcp_server.access.token_format import new_token
from mcp_server.access.token_store import IssuedToken
from mcp_server.features.account.arguments import ListAudit
from mcp_server.features.account.audit import audit_page
from tests.integration.sign_in.conftest import ME, OpenService, sign_in


async def test_a_dead_cookie_is_one_wrong_attempt_however_often_it_comes(
    browser: httpx.AsyncClient, token: IssuedToken, library: Library
) -> None:
    stale = {"cookie": "trawl_session=nonsense"}
    answers = [await browser.get(ME, headers=stale) for _ in range(200)]
    assert {answer.status_code for answer in answers} == {401}
    assert all("Max-Age=0" in answer.headers["set-cookie"] for answer in answers)
    csrf = await sign_in(browser, token)
    await browser.get("/api/v1/audit", headers=csrf)
    failed = [each for each in audit_page(library, None, ListAudit())["records"] if each["operation"] == "authenticate"]
    assert len(failed) == 1


async def test_guessed_cookies_and_tokens_are_refused_after_a_while_and_sessions_go_on(
    browser: httpx.AsyncClient, open_service: OpenService, token: IssuedToken
) -> None:
    await sign_in(browser, token)
    await browser.get(ME)
    kept = dict(browser.cookies)
    guesses = [await browser.get(ME, headers={"cookie": f"trawl_session={number}"}) for number in range(100)]
    assert [answer.status_code for answer in guesses][:60] == [401] * 60
    assert guesses[-1].status_code == 429
    browser.cookies.update(kept)
    assert (await browser.get(ME)).status_code == 200
    async with open_service() as client:
        codes = [(await client.post("/auth/login", json={"token": new_token()})).status_code for _ in range(100)]
        assert (codes[0], codes[-1]) == (401, 429)
        form = await client.post("/auth/login", data={"token": new_token()})
        assert form.headers["location"] == "/auth/login?next=%2F&problem=busy"


@pytest.mark.parametrize("body", [b"", b"[]", b"{", b'"trawl_"'])
async def test_what_is_no_sign_in_says_how_to_sign_in(browser: httpx.AsyncClient, body: bytes) -> None:
    answer = await browser.post("/auth/login", content=body, headers={"content-type": "application/json"})
    assert (answer.status_code, answer.json()["error_category"]) == (422, "validation")
    assert "token" in answer.json()["fix"]["required_action"]


async def test_a_huge_sign_in_is_not_read(browser: httpx.AsyncClient) -> None:
    assert (await browser.post("/auth/login", json={"token": "x" * 30_000})).status_code == 413
