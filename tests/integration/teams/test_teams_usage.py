"""What administrators are told of the use of their team, over HTTP."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

import httpx
import pytest

from indexer.engines.audit_port import LogEntry
from indexer.errors import Unavailable
from indexer.library import Library
from mcp_server.features.usage import calls
from mcp_server.services import Services
from tests.integration.teams.conftest import Issue, bearer
from tests.modern import modern_request
from tests.redis import RedisServer
from tests.service import application
from tests.upstreams.openai import Answer, OpenAiServer

USAGE, SEARCHES, SEARCH = "/api/v1/usage", "/api/v1/searches", "/api/v1/indices/default/search"
CANARY = "kittiwake"
Serve = Callable[..., Any]


@pytest.fixture
def serve(tmp_path: Path, library: Library) -> Serve:
    """Run a service where tokens are needed, with these connections."""
    path = tmp_path / "connections.toml"

    @asynccontextmanager
    async def serve(text: str = "", redis_url: str | None = None, **settings: Any) -> AsyncIterator[httpx.AsyncClient]:
        path.write_text(text)
        worker = {"connections": path, "redis_url": redis_url}
        async with application(
            tmp_path, library=library, worker=worker, mcp={"calls_per_minute": 0}, **{"auth": "on", **settings}
        ) as client:
            yield client

    return serve


async def told(client: httpx.AsyncClient, path: str, headers: dict[str, str], **params: Any) -> dict[str, Any]:
    answer = await client.get(path, headers=headers, params=params)
    assert answer.status_code == 200, answer.text
    result: dict[str, Any] = answer.json()
    return result


async def of_operation(client: httpx.AsyncClient, headers: dict[str, str], name: str) -> dict[str, Any] | None:
    """Return the use of one operation; the audit trail is up to date when it has been listed."""
    await client.get("/api/v1/audit", headers=headers)
    usage = await told(client, USAGE, headers)
    return next((use for use in usage["calls"] if use["operation"] == name), None)


def count_all(client: httpx.AsyncClient) -> None:
    """Let searches count that somebody might still type on."""
    transport = client._transport
    assert isinstance(transport, httpx.ASGITransport)
    services: Services = cast("Any", transport.app).state.services
    services.searches.flush(now=float("inf"))


async def test_calls_of_the_team_are_told_from_the_audit_trail(serve: Serve, issue: Issue) -> None:
    red, blue = bearer(issue("red")), bearer(issue("blue"))
    async with serve() as client:
        for index in ("default", "default", "default", "none"):
            await client.post(f"/api/v1/indices/{index}/search", json={"query": CANARY}, headers=red)
        await client.put("/api/v1/indices/default/documents/d1", json={"content": "A reef"}, headers=red)
        use = await of_operation(client, red, "search_index")
        added = await of_operation(client, red, "search_add_document")
        theirs = await of_operation(client, blue, "search_index")
        usage = await told(client, USAGE, red)
        me = await told(client, "/api/v1/me", red)
    assert use is not None
    assert added is not None
    assert (use["calls"], use["failures"], added["calls"], added["failures"]) == (4, 1, 1, 0)
    assert 0 <= use["median_ms"] <= use["p95_ms"]
    assert theirs is None
    assert usage["calls"][0]["operation"] == "search_index"
    since = datetime.fromisoformat(usage["covers"]["calls"]["since"])
    assert usage["covers"]["calls"]["scope"] == "team"
    assert (datetime.now(UTC) - since).total_seconds() == pytest.approx(86_400, abs=60)
    assert usage["truncated"] is False
    assert usage["limits"] == me["limits"]


async def test_of_very_many_calls_the_latest_are_told_and_since_when(
    serve: Serve, issue: Issue, monkeypatch: pytest.MonkeyPatch
) -> None:
    red = bearer(issue("red"))
    monkeypatch.setattr(calls, "_MAX_RECORDS", 3)
    async with serve() as client:
        for _ in range(5):
            await client.post(SEARCH, json={"query": "reef"}, headers=red)
        records = (await told(client, "/api/v1/audit", red))["records"]
        usage = await told(client, USAGE, red)
    assert usage["truncated"] is True
    assert sum(use["calls"] for use in usage["calls"]) == 3
    assert usage["covers"]["calls"]["since"] >= records[2]["time"]


async def test_while_the_audit_trail_cannot_be_read_this_process_tells_its_own_calls(
    serve: Serve, issue: Issue, library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    red = bearer(issue("red"))

    def down(*_: object, **__: object) -> list[LogEntry]:
        raise Unavailable("The disk is full", action="Free some space")

    async with serve() as client:
        await client.post(SEARCH, json={"query": "reef"}, headers=red)
        with monkeypatch.context() as patched:
            patched.setattr(library.engine.audit, "find", down)
            usage = await told(client, USAGE, red)
    assert usage["covers"]["calls"]["scope"] == "process"
    assert [use["calls"] for use in usage["calls"] if use["operation"] == "search_index"] == [1]


async def test_without_authentication_the_calls_are_those_of_the_process(serve: Serve) -> None:
    async with serve(auth="off") as client:
        for index in ("default", "none"):
            await client.post(f"/api/v1/indices/{index}/search", json={"query": "reef"})
        usage = await told(client, USAGE, {})
        searches = await told(client, SEARCHES, {})
    (use,) = [use for use in usage["calls"] if use["operation"] == "search_index"]
    assert (use["calls"], use["failures"]) == (2, 1)
    assert 0 <= use["median_ms"] <= use["p95_ms"]
    assert usage["covers"]["calls"]["scope"] == "process"
    assert usage["covers"]["upstreams"] == usage["covers"]["calls"]
    assert searches["words_kept"] is False


async def test_upstreams_tell_their_calls_and_what_they_cost_the_team(
    serve: Serve, issue: Issue, redis: RedisServer, tmp_path: Path
) -> None:
    red, blue = bearer(issue("red")), bearer(issue("blue"))
    (tmp_path / "key").write_text("sk-proj-loopback0123456789")
    async with OpenAiServer().running() as web:
        text = f'[teams.red.web]\nbase_url = "{web.url}"\napi_key = "file:key"\ndaily_calls = 5\n'
        async with serve(text, redis_url=redis.url) as client:
            question = {"query": "are reefs well in Belize"}
            for _ in range(2):
                await client.post("/api/v1/web/search", json=question, headers=red)
            web.always = Answer(status=400)
            await client.post("/api/v1/web/search", json={"query": "how deep is the sea"}, headers=red)
            mine = {each["name"]: each for each in (await told(client, USAGE, red))["upstreams"]}
            theirs = {each["name"]: each for each in (await told(client, USAGE, blue))["upstreams"]}
        async with serve(text, redis_url=redis.url) as client:
            again = {each["name"]: each for each in (await told(client, USAGE, red))["upstreams"]}
    assert set(mine) == {"osdu", "quilt", "web"}
    assert [mine[name]["configured"] for name in ("osdu", "web")] == [False, True]
    assert (mine["web"]["requests"], mine["web"]["failures"], mine["web"]["cached"]) == (2, 1, 1)
    midnight = f"{datetime.now(UTC):%Y-%m-%d}T00:00:00Z"
    assert mine["web"]["cost"]["calls"] == {"used": 2, "limit": 5, "scope": "team", "since": midnight}
    tokens = mine["web"]["cost"]["tokens"]
    assert (tokens["used"] > 0, tokens["limit"], tokens["scope"]) == (True, None, "process")
    assert (theirs["web"]["configured"], theirs["web"]["cost"]) == (False, {})
    # Another process knows what all of them have used today, and nothing else.
    assert again["web"]["requests"] == 0
    assert again["web"]["cost"] == {"calls": mine["web"]["cost"]["calls"]}


async def test_searches_are_told_by_day_and_to_the_team_alone(serve: Serve, issue: Issue) -> None:
    red, blue = bearer(issue("red")), bearer(issue("blue"))
    async with serve("[teams.red.searches]\nkeep_words = true\n") as client:
        await client.put("/api/v1/indices/default/documents/d1", json={"content": "A reef"}, headers=red)
        for query in ("reef", CANARY, "puffin"):
            await client.post(SEARCH, json={"query": query}, headers=red)
        headers, body = modern_request("tools/call", {"name": "search_everywhere", "arguments": {"query": CANARY}})
        await client.post("/mcp", json=body, headers={**headers, **red})
        await client.post(SEARCH, json={"query": CANARY}, headers=blue)
        count_all(client)
        mine, theirs = await told(client, SEARCHES, red), await told(client, SEARCHES, blue)
        today = await told(client, SEARCHES, red, days=1)
        wrong = await client.get(SEARCHES, params={"days": 91}, headers=red)
        refused = [
            (await client.get(path, headers=bearer(issue("red", "search")))).status_code for path in (USAGE, SEARCHES)
        ]
    # The search over MCP takes the place of the one before it for the same, unless this machine is very slow.
    day = {"date": f"{datetime.now(UTC):%Y-%m-%d}", "searches": 4, "without_results": 3}
    assert mine["days"] in ([day], [{**day, "searches": 3, "without_results": 2}])
    assert mine["words_kept"] is True
    assert {each["query"] for each in mine["without_results"]} == {CANARY, "puffin"}
    assert all(datetime.fromisoformat(each["last_at"]) for each in mine["without_results"])
    assert today == mine
    assert (theirs["words_kept"], theirs["without_results"]) == (False, [])
    assert theirs["days"] == [{**day, "searches": 1, "without_results": 1}]
    assert wrong.status_code == 422
    assert refused == [403, 403]
