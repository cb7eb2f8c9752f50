"""Trawl's own tokens over HTTP: who gets in, what a scope allows, and how soon a revoked one is refused."""

import time

import httpx
import pytest

from indexer.schema.dates import utc_now
from mcp_server.access.token_format import PREFIX, is_well_formed
from mcp_server.access.token_store import TokenStore
from tests.integration.teams.conftest import Issue, bearer
from tests.modern import modern_request

SEARCH = "/api/v1/indices/default/search"


@pytest.mark.parametrize("path", ["/api/v1/indices", "/api/v1/me", "/mcp", "/metrics", "/d/abc", "/nowhere"])
async def test_without_a_token_everything_is_401_and_says_where_tokens_come_from(
    client: httpx.AsyncClient, path: str
) -> None:
    answer = await client.get(path)
    assert answer.status_code == 401
    challenge = answer.headers["www-authenticate"]
    assert challenge.startswith('Bearer resource_metadata="http')
    assert 'scope="search"' in challenge
    assert answer.json()["error_category"] == "authentication"


@pytest.mark.parametrize("path", ["/livez", "/readyz", "/", "/docs", "/.well-known/oauth-protected-resource"])
async def test_what_holds_nothing_of_a_team_needs_no_token(client: httpx.AsyncClient, path: str) -> None:
    assert (await client.get(path)).status_code in {200, 503}


@pytest.mark.parametrize(
    "header",
    ["Bearer nonsense", "Basic YTpi", "Bearer", "Bearer trawl_" + "x" * 49, "trawl_abc"],
)
async def test_a_bad_token_is_401_and_is_never_repeated(client: httpx.AsyncClient, header: str) -> None:
    answer = await client.get("/api/v1/indices", headers={"authorization": header})
    assert answer.status_code == 401
    assert header.partition(" ")[2] not in answer.text or not header.partition(" ")[2]


async def test_a_token_in_the_address_is_no_token(client: httpx.AsyncClient, issue: Issue) -> None:
    token = issue().token
    answer = await client.get("/api/v1/indices", params={"access_token": token, "token": token})
    assert answer.status_code == 401
    assert token not in answer.text


async def test_a_token_opens_its_own_team_alone(client: httpx.AsyncClient, issue: Issue) -> None:
    red, blue = issue("red"), issue("blue")
    await client.put("/api/v1/indices/default/documents/d1", json={"content": "a reef"}, headers=bearer(red))
    mine = await client.post(SEARCH, json={"query": "reef"}, headers=bearer(red))
    theirs = await client.post(SEARCH, json={"query": "reef"}, headers=bearer(blue))
    assert (mine.json()["total_matches"], theirs.json()["total_matches"]) == (1, 0)
    me = (await client.get("/api/v1/me", headers=bearer(blue))).json()
    assert (me["team"], me["teams"], me["subject"]) == ("blue", ["blue"], "token:test")


async def test_a_missing_scope_is_403_and_named(client: httpx.AsyncClient, issue: Issue) -> None:
    reader = bearer(issue("red", "search"))
    answer = await client.put("/api/v1/indices/default/documents/d1", json={"content": "x"}, headers=reader)
    assert answer.status_code == 403
    assert answer.json()["error_category"] == "authorization"
    assert answer.json()["details"] == {"missing_scopes": ["write"]}
    assert 'error="insufficient_scope", scope="write"' in answer.headers["www-authenticate"]
    assert (await client.get("/metrics", headers=reader)).status_code == 403


@pytest.mark.parametrize("era", ["2026-07-28", "2025-11-25"])
async def test_over_mcp_a_missing_scope_is_http_403_with_a_json_rpc_error(
    client: httpx.AsyncClient, issue: Issue, era: str
) -> None:
    headers, body = modern_request("tools/call", {"name": "search_delete_index", "arguments": {"index_name": "x"}})
    if era == "2025-11-25":
        headers = {"accept": headers["accept"], "mcp-protocol-version": era}
        del body["params"]["_meta"]
    answer = await client.post("/mcp", json=body, headers={**headers, **bearer(issue("red", "search"))})
    assert answer.status_code == 403
    assert answer.json()["error"]["code"] == -32600
    assert 'scope="write"' in answer.headers["www-authenticate"]
    assert "/.well-known/oauth-protected-resource/mcp" in answer.headers["www-authenticate"]


async def test_tools_that_a_caller_may_not_use_are_not_listed(client: httpx.AsyncClient, issue: Issue) -> None:
    headers, body = modern_request("tools/list")
    answer = await client.post("/mcp", json=body, headers={**headers, **bearer(issue("red", "search"))})
    names = {tool["name"] for tool in answer.json()["result"]["tools"]}
    assert {"search_index", "fetch", "job_status"} <= names
    assert not names & {"search_delete_index", "archive_ingest", "search_web", "search_query"}
    assert answer.json()["result"]["cacheScope"] == "private"


async def test_a_revoked_token_is_refused_within_a_second(client: httpx.AsyncClient, issue: Issue) -> None:
    admin, other = issue("red"), issue("red", "search")
    assert (await client.get("/api/v1/indices", headers=bearer(other))).status_code == 200
    gone = await client.delete(f"/api/v1/tokens/{other.record.id}", headers=bearer(admin))
    assert gone.json() == {"success": True, "status": "revoked", "id": other.record.id}
    deadline = time.monotonic() + 1
    while (await client.get("/api/v1/indices", headers=bearer(other))).status_code != 401:
        assert time.monotonic() < deadline, "a revoked token still works after a second"


async def test_an_expired_token_is_refused(client: httpx.AsyncClient, issue: Issue) -> None:
    assert (await client.get("/api/v1/indices", headers=bearer(issue(lifetime=-1)))).status_code == 401


async def test_an_administrator_makes_lists_and_revokes_tokens_of_its_team(
    client: httpx.AsyncClient, issue: Issue, store: TokenStore
) -> None:
    admin, stranger = bearer(issue("red", "admin")), issue("blue")
    asked = {"scopes": ["search", "osdu"], "name": "laptop", "indices": ["notes"], "expires": "90d"}
    made = (await client.post("/api/v1/tokens", json=asked, headers=admin)).json()
    assert made["token"].startswith(PREFIX)
    assert is_well_formed(made["token"])
    assert (made["team"], made["scopes"], made["name"], made["indices"]) == (
        "red",
        ["search", "osdu"],
        "laptop",
        ["notes"],
    )
    assert made["expires_at"] > utc_now()
    listed = (await client.get("/api/v1/tokens", headers=admin)).json()["tokens"]
    assert {entry["id"] for entry in listed} >= {made["id"]}
    assert stranger.record.id not in {entry["id"] for entry in listed}
    assert made["token"] not in str(listed)
    assert made["token"] not in str(store.all())
    unknown = await client.delete("/api/v1/tokens/t_unknown", headers=admin)
    theirs = await client.delete(f"/api/v1/tokens/{stranger.record.id}", headers=admin)
    assert unknown.status_code == theirs.status_code == 404
    assert unknown.json() == theirs.json()


async def test_a_token_limited_to_an_index_sees_no_other(client: httpx.AsyncClient, issue: Issue) -> None:
    everything, limited = bearer(issue("red")), bearer(issue("red", "search", "write", indices=("notes",)))
    for index in ("notes", "plans"):
        await client.post("/api/v1/indices", json={"index_name": index}, headers=everything)
        await client.put(f"/api/v1/indices/{index}/documents/{index}1", json={"content": "reef"}, headers=everything)
    listed = (await client.get("/api/v1/indices", headers=limited)).json()["indices"]
    assert [entry["index_name"] for entry in listed] == ["notes"]
    found = (await client.post("/api/v1/search/simple", json={"query": "reef"}, headers=limited)).json()["results"]
    assert len(found) == 1
    refused = await client.post("/api/v1/indices/plans/search", json={"query": "reef"}, headers=limited)
    assert refused.status_code == 403
    assert (await client.post("/api/v1/archives/search", json={"query": "x"}, headers=limited)).status_code == 403
