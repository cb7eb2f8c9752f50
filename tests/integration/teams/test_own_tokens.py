"""Tokens that callers make for themselves: with no more rights than they have, as themselves, and not for ever."""

import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest

from indexer.library import Library
from mcp_server.access.scopes import SCOPES
from mcp_server.access.token_store import TokenStore
from tests.integration.teams.conftest import Issue, bearer
from tests.service import application

OWN, ALL = "/api/v1/me/tokens", "/api/v1/tokens"
Headers = dict[str, str]


async def make(client: httpx.AsyncClient, headers: Headers, **asked: Any) -> httpx.Response:
    return await client.post(OWN, json={"scopes": ["search"], **asked}, headers=headers)


async def made(client: httpx.AsyncClient, headers: Headers, **asked: Any) -> dict[str, Any]:
    answer = await make(client, headers, **asked)
    assert answer.status_code == 200, answer.text
    told: dict[str, Any] = answer.json()
    return told


def with_token(token: str) -> Headers:
    return {"authorization": f"Bearer {token}"}


async def ids(client: httpx.AsyncClient, headers: Headers) -> set[str]:
    return {entry["id"] for entry in (await client.get(OWN, headers=headers)).json()["tokens"]}


async def test_a_caller_makes_lists_and_revokes_its_own_tokens(
    client: httpx.AsyncClient, issue: Issue, store: TokenStore
) -> None:
    me, neighbour = bearer(issue()), bearer(issue())
    token = await made(client, me, name="Cursor", scopes=["search", "osdu"], indices=["notes"], expires="7d")
    assert set(token) == {"success", "id", "token", "team", "scopes", "name", "indices", "expires_at"}
    assert (token["team"], token["scopes"], token["indices"]) == ("red", ["search", "osdu"], ["notes"])
    (entry,) = (await client.get(OWN, headers=me)).json()["tokens"]
    assert (entry["id"], entry["name"], entry["created_by"]) == (token["id"], "Cursor", "token:test")
    assert token["token"] not in str(store.all())
    # Another token of the same name is somebody else.
    assert await ids(client, neighbour) == set()
    theirs = await client.delete(f"{OWN}/{token['id']}", headers=neighbour)
    unknown = await client.delete(f"{OWN}/t_none", headers=neighbour)
    assert theirs.status_code == unknown.status_code == 404
    assert theirs.json() == unknown.json()
    assert token["id"] in {each["id"] for each in (await client.get(ALL, headers=me)).json()["tokens"]}
    own = with_token(token["token"])
    assert (await client.get("/api/v1/me", headers=own)).json()["indices"] == ["notes"]
    gone = await client.delete(f"{OWN}/{token['id']}", headers=me)
    assert gone.json() == {"success": True, "status": "revoked", "id": token["id"]}
    deadline = time.monotonic() + 1
    while (await client.get("/api/v1/me", headers=own)).status_code != 401:
        assert time.monotonic() < deadline, "a revoked token still works after a second"


async def test_such_a_token_acts_as_its_maker_with_its_own_rights(client: httpx.AsyncClient, issue: Issue) -> None:
    token = await made(client, bearer(issue()), name="whatever")
    me = (await client.get("/api/v1/me", headers=with_token(token["token"]))).json()
    assert (me["subject"], me["scopes"], me["team"]) == ("token:test", ["search"], "red")


@pytest.mark.parametrize(("asked", "lifetime"), [({}, timedelta(days=90)), ({"expires": "12h"}, timedelta(hours=12))])
async def test_it_lives_ninety_days_at_most(
    client: httpx.AsyncClient, issue: Issue, asked: dict[str, str], lifetime: timedelta
) -> None:
    token = await made(client, bearer(issue()), **asked)
    left = datetime.fromisoformat(token["expires_at"]) - datetime.now(UTC)
    assert abs(left - lifetime) < timedelta(minutes=1)
    for wrong in ("91d", "13w", "2161h", "soon", None):
        assert (await make(client, bearer(issue()), expires=wrong)).json()["error_category"] == "validation"


async def test_it_allows_no_more_than_its_maker_may_do(client: httpx.AsyncClient, issue: Issue) -> None:
    limited = bearer(issue("red", "search", "admin", indices=("notes", "plans")))
    missing = await make(client, limited, scopes=["search", "write", "web"])
    assert missing.status_code == 403
    assert missing.json()["details"] == {"missing_scopes": ["write", "web"]}
    beyond = await make(client, limited, indices=["notes", "archive"])
    assert (beyond.status_code, beyond.json()["details"]) == (403, {"indices": ["notes", "plans"]})
    assert (await made(client, limited))["indices"] == ["notes", "plans"]
    assert (await made(client, limited, indices=["Plans"]))["indices"] == ["plans"]
    assert (await make(client, limited, scopes=["serach"])).json()["details"] == {"closest": ["search"]}


@pytest.mark.parametrize("scope", [scope for scope in SCOPES if scope != "admin"])
async def test_a_token_without_the_scope_admin_makes_none(client: httpx.AsyncClient, issue: Issue, scope: str) -> None:
    reader = bearer(issue("red", scope))
    refused = await make(client, reader, scopes=[scope])
    assert (refused.status_code, refused.json()["error_category"]) == (403, "authorization")
    assert "Sign in" in refused.json()["fix"]["required_action"]
    assert (await client.get(OWN, headers=reader)).json() == {"success": True, "tokens": []}
    assert (await client.delete(f"{OWN}/t_none", headers=reader)).status_code == 404


async def test_a_token_that_was_made_so_makes_none_and_revokes_itself_alone(
    client: httpx.AsyncClient, issue: Issue
) -> None:
    me = bearer(issue())
    first, second = [await made(client, me, scopes=list(SCOPES)) for _ in range(2)]
    own = with_token(first["token"])
    for path in (OWN, ALL):
        refused = await client.post(path, json={"scopes": ["search"]}, headers=own)
        assert (refused.status_code, refused.json()["error_category"]) == (403, "authorization")
        assert "signed in" in refused.json()["fix"]["required_action"]
    assert await ids(client, own) == {first["id"], second["id"]}
    assert (await client.delete(f"{OWN}/{second['id']}", headers=own)).status_code == 403
    assert (await client.delete(f"{OWN}/{first['id']}", headers=own)).json()["status"] == "revoked"
    assert await ids(client, me) == {second["id"]}


async def test_a_hundred_tokens_are_enough_for_one_caller(
    client: httpx.AsyncClient, issue: Issue, store: TokenStore
) -> None:
    me, other = issue(), bearer(issue())
    for number in range(100):
        store.issue(me.record.team, ["search"], name=str(number), created_by="token:test", owner=me.record.id)
    refused = await make(client, bearer(me))
    assert (refused.status_code, refused.json()["error_category"]) == (409, "conflict")
    await made(client, other)


async def test_calls_of_a_caller_and_of_its_tokens_are_listed_and_no_others(
    client: httpx.AsyncClient, issue: Issue, store: TokenStore
) -> None:
    me, blue = bearer(issue()), bearer(issue("blue"))
    colleague = store.issue(issue().record.team, ["search", "write"], name="colleague", created_by="test")
    token = await made(client, me)
    own = with_token(token["token"])
    for headers in (own, bearer(colleague), blue, me):
        await client.get("/api/v1/indices", headers={**headers, "user-agent": f"agent-{headers is own}"})
    await client.get("/api/v1/indices/default/documents/none", headers=own)
    await client.delete(f"{OWN}/{token['id']}", headers=me)

    async def calls(headers: Headers, **wanted: Any) -> list[tuple[str, str, str]]:
        answer = await client.get("/api/v1/me/calls", params=wanted, headers=headers)
        assert answer.status_code == 200, answer.text
        listed = [each for each in answer.json()["records"] if each["operation"] != "own_calls"]
        return [(each["operation"], each["outcome"], each["client"]) for each in reversed(listed)]

    mine = await calls(me)
    assert [operation for operation, _, _ in mine] == [
        "own_token_create",
        "search_list_indices",
        "search_list_indices",
        "search_get_document",
        "own_token_revoke",
    ]
    # What a revoked token did stays in the list.
    assert mine[1] == ("search_list_indices", "ok", "agent-True")
    assert await calls(bearer(colleague)) == [("search_list_indices", "ok", "agent-False")]
    assert [each[0] for each in await calls(me, outcome="not_found")] == ["search_get_document"]
    assert [each[0] for each in await calls(me, operation="own_token_create")] == ["own_token_create"]
    assert await calls(me, since="2100-01-01") == []
    page = (await client.get("/api/v1/me/calls", params={"limit": 1}, headers=me)).json()
    more = {"limit": 1, "cursor": page["next_cursor"]}
    assert (await client.get("/api/v1/me/calls", params=more, headers=me)).status_code == 200
    stolen = await client.get("/api/v1/me/calls", params=more, headers=bearer(colleague))
    assert stolen.json()["error_category"] == "validation"
    wrong = await client.get("/api/v1/me/calls", params={"subject": "token:test"}, headers=bearer(colleague))
    assert wrong.json()["error_category"] == "validation"


async def test_while_authentication_is_off_everybody_may_make_tokens(tmp_path: Path, library: Library) -> None:
    async with application(tmp_path, library=library) as client:
        token = await made(client, {}, scopes=list(SCOPES))
        assert await ids(client, {}) == {token["id"]}
        own = with_token(token["token"])
        assert (await client.get("/api/v1/me", headers=own)).json()["subject"] == "anonymous"
        assert (await make(client, own)).status_code == 403
        assert (await client.delete(f"{OWN}/{token['id']}")).json()["status"] == "revoked"
    await library.aclose()
