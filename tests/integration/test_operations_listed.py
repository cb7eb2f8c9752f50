"""An operation is declared once: everything else finds it in the list."""

from pathlib import Path
from typing import Annotated, Any, Literal

import httpx
import pytest
from pydantic import Field
from typing_extensions import TypedDict

from indexer.arguments import Arguments
from indexer.errors import NotFound
from indexer.tenancy import Principal
from mcp_server.effect import CREATE, READ, Effect
from mcp_server.feature import Feature
from mcp_server.features.all import FEATURES
from mcp_server.operation import Group, Operation
from mcp_server.route import Route
from mcp_server.services import Services
from tests.operations import EXAMPLES, OPERATIONS, over_mcp
from tests.reference import tools_page
from tests.service import application


class Greet(Arguments):
    """Whom to greet."""

    name: Annotated[str, Field(description="Whom to greet")]
    times: Annotated[int, Field(ge=1, le=3, description="How often")] = 1


class Greeting(TypedDict):
    """What was said."""

    success: Literal[True]
    greeting: str
    team: str


async def _greet(_: Services, principal: Principal, arguments: Greet) -> Greeting:
    if arguments.name == "nobody":
        raise NotFound("There is nobody", action="Greet somebody")
    greeting = " ".join(["hello", arguments.name] * arguments.times)
    return Greeting(success=True, greeting=greeting, team=principal.team)


def throw_away(effect: Effect) -> tuple[Feature, ...]:
    operation = Operation(
        name="greet",
        title="Greet somebody",
        description="Greet somebody by name, for the fun of it.",
        group=Group("greetings", "Be polite: greet.", reads="search", changes="write"),
        effect=effect,
        arguments=Greet,
        result=Greeting,
        handler=_greet,
        route=Route("POST", "/api/v1/greetings/{name}"),
        text=lambda result: result["greeting"],
    )
    return (*FEATURES, Feature((operation,)))


async def called(client: httpx.AsyncClient, **arguments: Any) -> dict[str, Any]:
    result: dict[str, Any] = (await over_mcp(client, "tools/call", {"name": "greet", "arguments": arguments}))["result"]
    return result


async def test_an_operation_that_is_added_to_the_list_is_everywhere(tmp_path: Path) -> None:
    async with application(tmp_path, features=throw_away(READ)) as client:
        tools = {tool["name"]: tool for tool in (await over_mcp(client, "tools/list", {}))["result"]["tools"]}
        assert tools["greet"]["inputSchema"]["properties"]["times"]["maximum"] == 3
        assert tools["greet"]["annotations"]["readOnlyHint"] is True
        reply = await called(client, name="Ada")
        assert reply["structuredContent"] == {"success": True, "greeting": "hello Ada", "team": "main"}
        assert reply["content"][0]["text"] == "hello Ada"
        assert (await called(client, name="Ada", times=9))["isError"] is True
        answer = await client.post("/api/v1/greetings/Ada", json={"times": 2})
        assert answer.json()["greeting"] == "hello Ada hello Ada"
        assert (await client.post("/api/v1/greetings/nobody", json={})).status_code == 404
        document = (await client.get("/openapi.json")).json()
        described = document["paths"]["/api/v1/greetings/{name}"]["post"]
        assert described["operationId"] == "greet"
        assert "Greeting" in document["components"]["schemas"]
        metrics = (await client.get("/metrics")).text
    assert 'trawl_tool_calls_total{outcome="ok",tool="greet"} 2.0' in metrics
    assert 'trawl_tool_calls_total{outcome="not_found",tool="greet"} 1.0' in metrics
    assert 'trawl_tool_calls_total{outcome="validation",tool="greet"} 1.0' in metrics
    assert "## greet\n\nGreet somebody by name" in tools_page(throw_away(READ))


@pytest.mark.parametrize("offered", [{"read_only": True}, {"tools": ("archives",)}])
async def test_settings_hold_for_an_operation_that_was_just_added(tmp_path: Path, offered: dict[str, Any]) -> None:
    async with application(tmp_path, features=throw_away(CREATE), mcp=offered) as client:
        assert "greet" not in {tool["name"] for tool in (await over_mcp(client, "tools/list", {}))["result"]["tools"]}
        assert "/api/v1/greetings/{name}" not in (await client.get("/openapi.json")).json()["paths"]
        reply = await called(client, name="Ada")
        assert reply["isError"] is False
        assert reply["structuredContent"]["error_category"] == "authorization"
        answer = await client.post("/api/v1/greetings/Ada", json={})
        assert (answer.status_code, answer.json()["error_category"]) == (403, "authorization")
        metrics = (await client.get("/metrics")).text
    assert 'trawl_tool_calls_total{outcome="authorization",tool="greet"} 2.0' in metrics


def test_every_operation_has_an_example() -> None:
    assert set(EXAMPLES) == {operation.name for operation in OPERATIONS}
