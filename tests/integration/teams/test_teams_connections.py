"""TRAWL_CONNECTIONS on a service with tokens: each team reaches its own upstreams, with the service's credentials."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import orjson
import pytest

from indexer.library import Library
from tests.integration.teams.conftest import Issue, bearer, eventually
from tests.modern import modern_request
from tests.service import application
from tests.upstreams.openai import OpenAiServer
from tests.upstreams.osdu import OsduServer

RECORD = {"kind": "osdu:wks:master-data--Well:1.0.0", "data": {}}
Serve = Callable[[str], Any]


def found(id_: str) -> bytes:
    return orjson.dumps({"results": [{**RECORD, "id": id_}], "totalCount": 1})


@pytest.fixture
async def servers() -> AsyncIterator[tuple[OsduServer, OsduServer, OpenAiServer]]:
    """OSDU of red, OSDU of blue, and a provider of web searches for all."""
    async with AsyncExitStack() as stack:
        red, blue = [await stack.enter_async_context(OsduServer(None).running()) for _ in range(2)]
        red.answer, blue.answer = found("red:well:1"), found("blue:well:1")
        yield red, blue, await stack.enter_async_context(OpenAiServer().running())


@pytest.fixture
def serve(tmp_path: Path, library: Library) -> Serve:
    """Run a service with these connections, tokens needed."""
    path = tmp_path / "connections.toml"

    @asynccontextmanager
    async def serve(text: str) -> AsyncIterator[tuple[httpx.AsyncClient, Path]]:
        path.write_text(text)
        async with application(tmp_path, library=library, auth="on", worker={"connections": path}) as client:
            yield client, path

    return serve


@pytest.fixture
def secrets(tmp_path: Path) -> None:
    for name in ("red", "blue", "key"):
        (tmp_path / name).write_text("sk-proj-loopback0123456789" if name == "key" else f"{name}-service-token")


def osdu(team: str, server: OsduServer, token: str) -> str:
    section = f'[teams.{team}.osdu]\nurl = "{server.url}"\npartition = "{team}"\ntoken = "file:{token}"\n'
    return section + "cache_seconds = 60\n"


async def query(client: httpx.AsyncClient, token: dict[str, str], **changes: Any) -> dict[str, Any]:
    body = {"query": "well", **changes}
    answer: dict[str, Any] = (await client.post("/api/v1/osdu/search", json=body, headers=token)).json()
    return answer


@pytest.mark.usefixtures("secrets")
async def test_each_team_reaches_its_own_upstream_and_the_callers_token_reaches_none(
    serve: Serve, servers: tuple[OsduServer, OsduServer, OpenAiServer], issue: Issue
) -> None:
    red_osdu, blue_osdu, web = servers
    tokens = {team: issue(team) for team in ("red", "blue", "green")}
    text = osdu("red", red_osdu, "red") + osdu("blue", blue_osdu, "blue")
    text += f'[default.web]\nbase_url = "{web.url}"\napi_key = "file:key"\n'
    async with serve(text) as (client, _):
        answers = {team: await query(client, bearer(token)) for team, token in tokens.items()}
        question = {"query": "are reefs well in Belize"}
        asked = [
            (await client.post("/api/v1/web/search", json=question, headers=bearer(token))).json()
            for token in tokens.values()
        ]
    assert [answers[team]["results"][0]["id"] for team in ("red", "blue")] == ["red:well:1", "blue:well:1"]
    assert [answers[team]["partition"] for team in ("red", "blue")] == ["red", "blue"]
    green = answers["green"]
    assert green["error_category"] == "not_configured"
    assert green["details"]["missing"] == ["teams.green.osdu"]
    for server, team in ((red_osdu, "red"), (blue_osdu, "blue")):
        assert {request.headers["authorization"] for request in server.requests} == {f"Bearer {team}-service-token"}
        assert {request.headers["data-partition-id"] for request in server.requests} == {team}
    # All teams share one connection to the provider, and no answer of another team.
    assert [answer["cached"] for answer in asked] == [False, False, False]
    assert len(web.requests) == 3
    sent = str([(each.headers, each.body) for each in (*red_osdu.requests, *blue_osdu.requests, *web.requests)])
    for token in tokens.values():
        assert token.token not in sent
        assert token.record.id not in sent


@pytest.mark.usefixtures("secrets")
async def test_a_cursor_of_another_team_is_none(
    serve: Serve, servers: tuple[OsduServer, OsduServer, OpenAiServer], issue: Issue
) -> None:
    red_osdu, blue_osdu, _ = servers
    red_osdu.answer = orjson.dumps({"results": [{**RECORD, "id": "red:well:1"}], "totalCount": 100})
    red, blue = bearer(issue("red")), bearer(issue("blue"))
    async with serve(osdu("red", red_osdu, "red") + osdu("blue", blue_osdu, "blue")) as (client, _):
        cursor = (await query(client, red, limit=1))["next_cursor"]
        theirs = await query(client, blue, limit=1, cursor=cursor)
        nonsense = await query(client, blue, limit=1, cursor="nonsense")
    assert theirs == nonsense
    assert theirs["error"] == "This cursor is not valid"


@pytest.mark.usefixtures("secrets")
async def test_lists_sources_and_status_follow_the_connections_of_the_team(
    serve: Serve, servers: tuple[OsduServer, OsduServer, OpenAiServer], issue: Issue
) -> None:
    red, blue = bearer(issue("red")), bearer(issue("blue"))
    headers, body = modern_request("tools/list")
    async with serve(osdu("red", servers[0], "red")) as (client, _):
        described = {}
        for name, token in (("red", red), ("blue", blue)):
            listed = (await client.post("/mcp", json=body, headers={**headers, **token})).json()["result"]["tools"]
            described[name] = {tool["name"]: tool["description"] for tool in listed}["search_query"]
        states = [(await client.get("/api/v1/status", headers=token)).json() for token in (red, blue)]
        everywhere = [
            (await client.post("/api/v1/search", json={"query": "well"}, headers=token)).json() for token in (red, blue)
        ]
    assert described["blue"] == "Not configured: add the section osdu to TRAWL_CONNECTIONS."
    assert not described["red"].startswith("Not configured")
    assert [state["sources"]["osdu"] for state in states] == ["configured", "not configured"]
    assert [state["rights"] for state in states] == [{"osdu": "service account"}, {}]
    assert {state["connections"] for state in states} == {"file"}
    assert ["osdu" in [source["source"] for source in each["sources"]] for each in everywhere] == [True, False]
    assert "osdu" in everywhere[1]["not_configured"]


@pytest.mark.usefixtures("secrets")
async def test_a_change_is_in_force_without_a_restart_and_a_broken_one_is_not(
    serve: Serve, servers: tuple[OsduServer, OsduServer, OpenAiServer], issue: Issue
) -> None:
    red_osdu, blue_osdu, _ = servers
    red = bearer(issue("red"))

    async def until(condition: Callable[[dict[str, Any]], bool]) -> str:
        return await eventually(
            lambda: client.get("/api/v1/status", headers=red), lambda answer: condition(answer.json())
        )

    async with serve(osdu("red", red_osdu, "red")) as (client, path):
        assert (await query(client, red))["results"][0]["id"] == "red:well:1"
        await asyncio.to_thread(path.write_text, "[teams.red.osdu]\ntoken = 'a plain secret'")
        status = await until(lambda status: "error" in status["connections"])
        assert "plain secret" not in status
        assert "teams.red" not in status
        assert (await query(client, red, query="still"))["results"][0]["id"] == "red:well:1"
        await asyncio.to_thread(path.write_text, osdu("red", blue_osdu, "blue"))
        await until(lambda status: status["connections"] == "file")
        assert (await query(client, red, query="moved"))["results"][0]["id"] == "blue:well:1"
        await asyncio.to_thread(path.write_text, "")
        await until(lambda status: status["sources"]["osdu"] == "not configured")
        assert (await query(client, red))["error_category"] == "not_configured"
