"""Signing in to the page with a token: the cookie, what it opens, and what ends it."""

import asyncio

import httpx
import pytest

from indexer.library import Library
from indexer.tenancy import IndexName, TeamId
from mcp_server.access.token_format import new_token
from mcp_server.access.token_store import IssuedToken, TokenStore
from tests.integration.sign_in.conftest import ME, ORIGIN, OpenService, sign_in, within_a_second
from tests.modern import modern_request

PUBLIC = "https://search.example.org"
WRITE = "/api/v1/indices/default/documents/d1"
NOBODY = {"signed_in": False, "subject": None, "team": None, "teams": [], "scopes": [], "csrf": None}


async def test_a_token_in_json_signs_the_browser_in(browser: httpx.AsyncClient, token: IssuedToken) -> None:
    before = (await browser.get("/auth/session")).json()
    assert before.items() >= {"success": True, "needs_sign_in": True, "can_sign_in_with_issuer": False}.items()
    assert before.items() >= NOBODY.items()
    answer = await browser.post("/auth/login", json={"token": f" {token.token}\n", "next": "/d/abc?offset=3"})
    assert answer.status_code == 200
    told = answer.json()
    assert set(told) == {"success", "csrf", "next"}
    assert told["next"] == "/d/abc?offset=3"
    assert token.token not in answer.text + answer.headers["set-cookie"]
    after = (await browser.get("/auth/session")).json()
    assert (after["signed_in"], after["subject"], after["team"], after["teams"]) == (True, "token:ann", "red", ["red"])
    assert {"search", "admin"} <= set(after["scopes"])
    assert after["csrf"] == told["csrf"]
    assert (await browser.get(ME)).json()["subject"] == "token:ann"
    assert (await browser.get("/metrics")).status_code == 200
    searched = await browser.get("/", params={"q": "reef"}, headers={"accept": "application/json"})
    assert searched.json()["success"] is True


async def test_a_form_signs_in_and_goes_on_to_the_place_that_was_asked_for(
    browser: httpx.AsyncClient, token: IssuedToken
) -> None:
    wrong = await browser.post("/auth/login?next=/d/abc", data={"token": new_token()})
    assert (wrong.status_code, wrong.headers["location"]) == (303, "/auth/login?next=%2Fd%2Fabc&problem=token")
    assert (await browser.get(ME)).status_code == 401
    answer = await browser.post("/auth/login?next=/d/abc", data={"token": token.token})
    assert (answer.status_code, answer.headers["location"]) == (303, "/d/abc")
    assert (await browser.get(ME)).status_code == 200


async def test_on_loopback_the_cookie_is_for_this_service_and_no_script(
    browser: httpx.AsyncClient, token: IssuedToken, library: Library
) -> None:
    answer = await browser.post("/auth/login", json={"token": token.token})
    name, value = answer.headers["set-cookie"].partition(";")[0].split("=")
    assert name == "trawl_session"
    assert answer.headers["set-cookie"] == f"{name}={value}; Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax"
    assert answer.headers["cache-control"] == "no-store"
    stored = str(library.engine.records.list("sessions"))
    assert token.record.digest in stored
    assert value not in stored


async def test_with_tls_the_cookie_is_bound_to_the_host(token: IssuedToken, open_service: OpenService) -> None:
    async with open_service(public_url=PUBLIC) as client:
        client.base_url, client.headers["origin"] = httpx.URL(PUBLIC), PUBLIC
        answer = await client.post("/auth/login", json={"token": token.token})
        header = answer.headers["set-cookie"]
        value = header.partition(";")[0].removeprefix("__Host-trawl_session=")
        assert header.endswith("; Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax; Secure")
        assert (await client.get(ME)).status_code == 200
        client.cookies.clear()
        # A neighbouring host can set a cookie of this name.
        assert (await client.get(ME, headers={"cookie": f"trawl_session={value}"})).status_code == 401
        assert (await client.get(ME, headers={"cookie": f"__Host-trawl_session={value}"})).status_code == 200


async def test_the_session_allows_what_its_token_allows(
    browser: httpx.AsyncClient, store: TokenStore, token: IssuedToken
) -> None:
    csrf = await sign_in(browser, token)
    for index in ("notes", "plans"):
        await browser.post("/api/v1/indices", json={"index_name": index}, headers=csrf)
    limited = store.issue(
        TeamId("red"), ["search"], name="limited", created_by="test", indices=[IndexName("notes")], lifetime=3_600
    )
    csrf = await sign_in(browser, limited)
    listed = (await browser.get("/api/v1/indices")).json()["indices"]
    assert [entry["index_name"] for entry in listed] == ["notes"]
    refused = await browser.put(WRITE, json={"content": "reef"}, headers=csrf)
    assert (refused.status_code, refused.json()["details"]) == (403, {"missing_scopes": ["write"]})
    assert (await browser.get("/auth/session")).json()["scopes"] == ["search"]


async def test_a_revoked_token_ends_the_session_within_a_second(
    browser: httpx.AsyncClient, store: TokenStore, token: IssuedToken, library: Library
) -> None:
    await sign_in(browser, token)
    assert (await browser.get(ME)).status_code == 200
    store.revoke(TeamId("red"), token.record.id)
    refused = await within_a_second(lambda: browser.get(ME), 401)
    assert refused.json()["error"] == "You are not signed in any more"
    assert 'error="invalid_token"' in refused.headers["www-authenticate"]
    assert refused.headers["set-cookie"].startswith("trawl_session=; Path=/; Max-Age=0")
    assert library.engine.records.list("sessions") == []
    assert (await browser.get("/auth/session")).json()["signed_in"] is False


async def test_a_call_under_way_ends_with_the_session(browser: httpx.AsyncClient, token: IssuedToken) -> None:
    csrf = await sign_in(browser, token)
    pages = {"source": {"type": "urls", "urls": ["https://example.org/"]}}
    job = (await browser.post("/api/v1/archives/ingest", json=pages, headers=csrf)).json()["job_id"]
    waiting = asyncio.create_task(browser.get(f"/api/v1/jobs/{job}", params={"wait_seconds": 50}))
    done, _ = await asyncio.wait({waiting}, timeout=0.5)
    assert not done
    assert (await browser.post("/auth/logout", headers=csrf)).status_code == 200
    async with asyncio.timeout(1):
        ended = await waiting
    # By then the browser may have the cookie of another session.
    assert (ended.status_code, "set-cookie" in ended.headers) == (401, False)


async def test_after_signing_out_the_cookie_opens_nothing(
    browser: httpx.AsyncClient, token: IssuedToken, library: Library
) -> None:
    csrf = await sign_in(browser, token)
    kept = {"cookie": f"trawl_session={browser.cookies['trawl_session']}"}
    forged = await browser.post("/auth/logout")
    assert (forged.status_code, forged.json()["error_category"]) == (403, "authorization")
    assert (await browser.get(ME)).status_code == 200
    answer = await browser.post("/auth/logout", headers=csrf)
    assert answer.json() == {"success": True}
    assert answer.headers["set-cookie"].startswith("trawl_session=; Path=/; Max-Age=0")
    assert "trawl_session" not in browser.cookies
    assert (await browser.get(ME, headers=kept)).status_code == 401
    assert library.engine.records.list("sessions") == []
    assert (await browser.post("/auth/logout")).json() == {"success": True}
    assert (await browser.post("/auth/logout", headers=kept)).json() == {"success": True}


async def test_who_signs_in_again_has_one_session(
    browser: httpx.AsyncClient, token: IssuedToken, library: Library
) -> None:
    await sign_in(browser, token)
    kept = {"cookie": f"trawl_session={browser.cookies['trawl_session']}"}
    await sign_in(browser, token)
    assert len(library.engine.records.list("sessions")) == 1
    assert (await browser.get(ME)).status_code == 200
    browser.cookies.clear()
    assert (await browser.get(ME, headers=kept)).status_code == 401


async def test_a_token_in_the_header_goes_before_the_cookie(
    browser: httpx.AsyncClient, store: TokenStore, token: IssuedToken
) -> None:
    await sign_in(browser, token)
    other = store.issue(TeamId("blue"), ["search", "write"], name="ben", created_by="test")
    header = {"authorization": f"Bearer {other.token}"}
    assert (await browser.get(ME, headers=header)).json()["team"] == "blue"
    assert (await browser.put(WRITE, json={"content": "reef"}, headers=header)).status_code == 200
    told = (await browser.get("/auth/session", headers=header)).json()
    assert (told["signed_in"], told["subject"], told["csrf"]) == (True, "token:ben", None)
    wrong = await browser.get(ME, headers={"authorization": "Bearer nonsense"})
    assert (wrong.status_code, "set-cookie" in wrong.headers) == (401, False)


@pytest.mark.parametrize("path", ["/mcp", "/mcp/", "/mcp/read", "/nowhere"])
async def test_programs_are_not_let_in_by_a_cookie(browser: httpx.AsyncClient, token: IssuedToken, path: str) -> None:
    csrf = await sign_in(browser, token)
    headers, body = modern_request("tools/list")
    answer = await browser.post(path, json=body, headers={**headers, **csrf})
    assert answer.status_code == 401
    assert "invalid_token" not in answer.headers["www-authenticate"]


async def test_a_team_of_others_is_no_choice(browser: httpx.AsyncClient, token: IssuedToken) -> None:
    await sign_in(browser, token)
    chosen = {"trawl-team": "blue"}
    assert (await browser.get(ME, headers=chosen)).status_code == 403
    told = (await browser.get("/auth/session", headers=chosen)).json()
    assert (told["signed_in"], told["subject"], told["team"], told["teams"]) == (True, "token:ann", None, ["red"])


async def test_signing_in_and_out_stands_in_the_audit_of_the_team(
    browser: httpx.AsyncClient, token: IssuedToken
) -> None:
    await sign_in(browser, token)
    csrf = await sign_in(browser, token)
    await browser.post("/auth/logout", headers=csrf)
    await sign_in(browser, token)
    records = (await browser.get("/api/v1/audit")).json()["records"]
    assert [(each["operation"], each["outcome"]) for each in records] == [
        ("sign_in", "ok"),
        ("sign_out", "ok"),
        ("sign_in", "ok"),
        ("sign_in", "ok"),
    ]
    assert {(each["team"], each["subject"], each["address"]) for each in records} == {("red", "token:ann", "127.0.0.1")}


async def test_a_document_sends_a_browser_to_the_sign_in_and_tells_a_program(
    browser: httpx.AsyncClient, token: IssuedToken
) -> None:
    page = {"accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
    sent = await browser.get("/d/a%20b?offset=3", headers=page)
    assert (sent.status_code, sent.headers["location"]) == (303, "/auth/login?next=%2Fd%2Fa%2520b%3Foffset%3D3")
    for headers in ({"accept": "application/json"}, {**page, "authorization": "Bearer nonsense"}):
        assert (await browser.get("/d/abc", headers=headers)).status_code == 401
    assert (await browser.get(ME, headers=page)).status_code == 401
    dead = await browser.get("/d/abc", headers={**page, "cookie": "trawl_session=nonsense"})
    assert (dead.status_code, dead.headers["set-cookie"].partition(";")[0]) == (303, "trawl_session=")
    await sign_in(browser, token)
    assert (await browser.get("/d/abc", headers=page)).status_code == 404


async def test_while_authentication_is_off_nobody_has_to_sign_in(open_service: OpenService, token: IssuedToken) -> None:
    async with open_service(auth="auto") as client:
        told = (await client.get("/auth/session")).json()
        assert told.items() >= {"signed_in": True, "needs_sign_in": False, "team": "main", "csrf": None}.items()
        assert (told["public_url"], bool(told["version"])) == (ORIGIN, True)
        stale = {"cookie": "trawl_session=nonsense"}
        assert (await client.put(WRITE, json={"content": "reef"}, headers=stale)).status_code == 200
        needless = await client.post("/auth/login", json={"token": token.token})
        assert (needless.status_code, needless.json()["error_category"]) == (400, "not_applicable")
        forwarded = {"x-forwarded-for": "203.0.113.9"}
        told = (await client.get("/auth/session", headers=forwarded)).json()
        assert (told["signed_in"], told["needs_sign_in"]) == (False, True)
        assert (await client.get(ME, headers={**forwarded, **stale})).status_code == 401
