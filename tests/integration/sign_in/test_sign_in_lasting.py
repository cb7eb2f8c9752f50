"""How long sessions last: in all processes, over restarts, until they are over."""

from collections.abc import Callable
from dataclasses import replace

import httpx
import pytest

from indexer.engines.record_port import Records
from indexer.library import Library
from indexer.records import Store
from mcp_server.access.session_store import IDLE_SECONDS, LONGEST_SECONDS, Session
from mcp_server.access.token_store import IssuedToken
from tests.integration.sign_in.conftest import ME, OpenService, sign_in, within_a_second

WRITE = "/api/v1/indices/default/documents/d1"
Change = Callable[[Session], Session]


def change_all(records: Records, change: Change) -> None:
    sessions = Store(records, "sessions", Session)
    for stored in sessions.list():
        sessions.change(stored.key, change)


async def test_two_processes_share_sessions(open_service: OpenService, token: IssuedToken) -> None:
    async with open_service() as first, open_service() as second:
        csrf = await sign_in(first, token)
        second.cookies.update(first.cookies)
        assert (await second.get(ME)).json()["subject"] == "token:ann"
        assert (await second.put(WRITE, json={"content": "reef"}, headers=csrf)).status_code == 200
        await first.post("/auth/logout", headers=csrf)
        await within_a_second(lambda: second.get(ME), 401)


async def test_a_restart_keeps_sessions(open_service: OpenService, token: IssuedToken) -> None:
    async with open_service() as client:
        csrf, cookies = await sign_in(client, token), client.cookies
    async with open_service() as client:
        client.cookies.update(cookies)
        assert (await client.get(ME)).status_code == 200
        assert (await client.put(WRITE, json={"content": "reef"}, headers=csrf)).status_code == 200


async def test_pages_stay_usable_while_the_secret_key_is_replaced(
    open_service: OpenService, token: IssuedToken
) -> None:
    async with open_service(indexer={"secret_key": "one"}) as client:
        csrf, cookies = await sign_in(client, token), client.cookies
    async with open_service(indexer={"secret_key": "two", "secret_key_old": "one"}) as client:
        client.cookies.update(cookies)
        assert (await client.put(WRITE, json={"content": "reef"}, headers=csrf)).status_code == 200
        fresh = (await client.get("/auth/session")).json()["csrf"]
        assert fresh != csrf["x-csrf-token"]
        new = {"x-csrf-token": fresh}
        assert (await client.put(WRITE, json={"content": "reef"}, headers=new)).status_code == 200
    async with open_service(indexer={"secret_key": "two"}) as client:
        client.cookies.update(cookies)
        assert (await client.put(WRITE, json={"content": "reef"}, headers=csrf)).status_code == 403
        assert (await client.put(WRITE, json={"content": "reef"}, headers=new)).status_code == 200


@pytest.mark.parametrize(
    "change",
    [
        lambda session: replace(session, used_at=session.used_at - IDLE_SECONDS - 1),
        lambda session: replace(session, created_at=session.created_at - LONGEST_SECONDS - 1),
    ],
    ids=["unused", "old"],
)
async def test_a_session_that_is_over_is_refused(
    browser: httpx.AsyncClient, token: IssuedToken, library: Library, change: Change
) -> None:
    await sign_in(browser, token)
    assert (await browser.get(ME)).status_code == 200
    change_all(library.engine.records, change)
    refused = await within_a_second(lambda: browser.get(ME), 401)
    assert "Max-Age=0" in refused.headers["set-cookie"]


async def test_a_session_in_use_does_not_end(browser: httpx.AsyncClient, token: IssuedToken, library: Library) -> None:
    await sign_in(browser, token)
    change_all(library.engine.records, lambda each: replace(each, used_at=each.used_at - IDLE_SECONDS + 60))
    (before,) = Store(library.engine.records, "sessions", Session).list()

    async def is_noted() -> httpx.Response:
        assert (await browser.get(ME)).status_code == 200
        (now,) = Store(library.engine.records, "sessions", Session).list()
        return httpx.Response(200 if now.value.used_at > before.value.used_at else 404)

    await within_a_second(is_noted, 200)


async def test_a_sign_in_removes_sessions_that_are_over(
    open_service: OpenService, token: IssuedToken, library: Library
) -> None:
    async with open_service() as client:
        await sign_in(client, token)
        change_all(library.engine.records, lambda each: replace(each, used_at=0.0))
    async with open_service() as client:
        await sign_in(client, token)
    (left,) = Store(library.engine.records, "sessions", Session).list()
    assert left.value.used_at > 0
