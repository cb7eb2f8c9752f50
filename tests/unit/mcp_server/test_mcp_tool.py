"""Tools as callers meet them: results, failures, refusals and bugs."""

import logging
from collections.abc import Awaitable, Callable
from typing import Any, Literal

import jsonschema  # type: ignore[import-untyped] # ships no types
import pytest
from mcp import Client, MCPError
from mcp.types import CallToolResult, TextContent
from typing_extensions import TypedDict

from indexer.errors import NotFound
from indexer.local.arguments import CreateIndex
from indexer.tenancy import Principal
from mcp_server.effect import READ
from mcp_server.feature import Feature
from mcp_server.operation import Group, Operation
from mcp_server.protocol.schema import output_schema
from mcp_server.protocol.server import OperationServer, build_server
from mcp_server.route import Route
from mcp_server.services import Services
from tests.made_services import MAIN, made_services

CANARY = "canary_7f3a"


class Made(TypedDict):
    """What the tools of these tests return."""

    success: Literal[True]
    name: str
    nothing: None
    nested: dict[str, Any]


Handler = Callable[[Services, Principal, CreateIndex], Awaitable[Made]]


def made(name: str, nested: dict[str, Any] | None = None) -> Made:
    return Made(success=True, name=name, nothing=None, nested=nested or {})


def server_with(handler: Handler) -> OperationServer:
    operation = Operation(
        name="make",
        title="Make",
        description="Makes something",
        group=Group("makers", "Make things", reads="search", changes="write"),
        effect=READ,
        arguments=CreateIndex,
        result=Made,
        handler=handler,
        route=Route("POST", "/api/v1/make"),
        text=lambda result: f"made {result['name']}",
    )
    return build_server(made_services(features=(Feature((operation,)),)), MAIN)


async def called(handler: Handler, arguments: dict[str, Any], mode: str = "auto") -> CallToolResult:
    async with Client(server_with(handler), mode=mode) as client:
        return await client.call_tool("make", arguments)


def text_of(result: CallToolResult) -> str:
    (content,) = result.content
    assert isinstance(content, TextContent)
    return content.text


async def makes(_services: Services, _principal: Principal, arguments: CreateIndex) -> Made:
    return made(arguments.index_name, {"null": None, "list": [{"null": None}]})


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_the_structured_content_is_the_result_itself(mode: str) -> None:
    result = await called(makes, {"index_name": "x"}, mode)
    assert not result.is_error
    assert result.structured_content == made("x", {"null": None, "list": [{"null": None}]})
    assert text_of(result) == "made x"


async def test_a_handler_is_called_for_the_current_principal_with_validated_arguments() -> None:
    seen: list[tuple[Principal, CreateIndex]] = []

    async def handler(_services: Services, principal: Principal, arguments: CreateIndex) -> Made:
        seen.append((principal, arguments))
        return made("x")

    await called(handler, {"index_name": "x", "tokenizer_config": {"min_length": 3}})
    ((principal, arguments),) = seen
    assert principal == MAIN
    assert arguments.tokenizer_config.min_length == 3


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_an_expected_failure_is_a_result(mode: str) -> None:
    async def fails(_services: Services, _principal: Principal, _arguments: CreateIndex) -> Made:
        raise NotFound(
            "Index not found: x",
            action="Create it",
            command='search_create_index(index_name="x")',
            details={"closest": ["y"]},
            alternatives={"search_list_indices": "List them"},
        )

    result = await called(fails, {"index_name": "x"}, mode)
    assert not result.is_error
    assert result.structured_content == {
        "success": False,
        "error": "Index not found: x",
        "error_category": "not_found",
        "details": {"closest": ["y"]},
        "fix": {"required_action": "Create it", "command": 'search_create_index(index_name="x")'},
        "alternatives": {"search_list_indices": "List them"},
    }
    jsonschema.validate(result.structured_content, output_schema(Made))
    said = text_of(result)
    assert all(part in said for part in ("Index not found: x", "Create it", "search_list_indices", '["y"]'))


async def test_a_bug_is_masked_and_its_reference_finds_the_log_entry(caplog: pytest.LogCaptureFixture) -> None:
    async def breaks(_services: Services, _principal: Principal, arguments: CreateIndex) -> Made:
        try:
            int(arguments.index_name)
        except ValueError as error:
            raise RuntimeError(arguments.index_name) from error
        return made("x")

    with caplog.at_level(logging.DEBUG):
        result = await called(breaks, {"index_name": CANARY})
    assert result.is_error
    assert result.structured_content is None
    (entry,) = [record for record in caplog.records if record.name == "mcp_server.observability.bug_reports"]
    reference = entry.getMessage().split("reference ")[1].split(":")[0]
    assert reference in text_of(result)
    assert "RuntimeError at" in entry.getMessage()
    assert "ValueError at" in entry.getMessage()
    assert "test_mcp_tool.py" in entry.getMessage()
    assert CANARY not in text_of(result) + caplog.text


async def test_half_a_surrogate_pair_does_not_break_the_answer() -> None:
    async def surrogate(_services: Services, _principal: Principal, _arguments: CreateIndex) -> Made:
        return made("a\ud800b", {"k\udc00": ["ok", "\ud83d\ude00", 1]})

    result = await called(surrogate, {"index_name": "x"})
    assert result.structured_content == made("a�b", {"k�": ["ok", "😀", 1]})
    assert text_of(result) == "made a�b"


WRONG: list[tuple[dict[str, Any], list[str]]] = [
    ({}, ["index_name", "required"]),
    ({"index_name": [CANARY]}, ["index_name", "valid string"]),
    ({"index_name": "x", CANARY: 1}, ["unknown argument", "index_name, backend, tokenizer_config"]),
    ({"index_name": "x", f"{CANARY} {CANARY}": 1}, ["unknown argument", "index_name, backend"]),
    ({"index_name": "x", "tokenizer_config": CANARY}, ["tokenizer_config", "object"]),
    ({"index_name": "x", "tokenizer_config": {CANARY: 1}}, ["tokenizer_config.*", "language, lowercase, min_length"]),
    ({"index_name": "x", "tokenizer_config": {"min_length": 21}}, ["tokenizer_config.min_length", "20"]),
    ({"index_name": "x", "tokenizer_config": {"min_length": "2"}}, ["tokenizer_config.min_length", "integer"]),
    ({"index_name": "x", "sortable_fields": {CANARY: CANARY}}, ["sortable_fields.*", "'number', 'string'"]),
]


@pytest.mark.parametrize(("arguments", "said"), WRONG)
async def test_wrong_arguments_are_refused_by_name_with_what_is_allowed(
    arguments: dict[str, Any], said: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG):
        result = await called(makes, arguments)
    assert result.is_error
    text = text_of(result)
    assert all(part in text for part in said), text
    shown = text.replace(f"- {CANARY}: unknown argument", "") if CANARY in arguments else text
    assert CANARY not in shown + caplog.text


async def test_a_mistyped_argument_is_answered_with_the_nearest_one() -> None:
    result = await called(makes, {"index_nam": "x", "index_name": "x"})
    assert "index_nam: unknown argument; did you mean index_name?" in text_of(result)


async def test_many_wrong_arguments_are_counted_not_listed() -> None:
    result = await called(makes, {"index_name": "x"} | {f"a{number}": 1 for number in range(30)})
    assert "and 20 more" in text_of(result)
    assert text_of(result).count("\n") == 11


@pytest.mark.parametrize(("name", "hint"), [("maker", "did you mean make?"), (CANARY, "there are make")])
async def test_an_unknown_tool_is_an_error_with_the_nearest_one(name: str, hint: str) -> None:
    async with Client(server_with(makes)) as client:
        with pytest.raises(MCPError) as raised:
            await client.call_tool(name, {})
    assert raised.value.error.code == -32602
    assert hint in raised.value.error.message
    assert CANARY not in raised.value.error.message
