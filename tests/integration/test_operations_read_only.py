"""A service that only reads: nothing changes, whichever way somebody comes in."""

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import httpx
import pytest
from mcp import Client, MCPError, StdioServerParameters, stdio_client

from tests.operations import OPERATIONS, example, filled, over_http, over_mcp
from tests.service import application, environment, trawl


async def filled_folder(folder: Path) -> tuple[str, Mapping[str, Any]]:
    """Fill a data folder while it may be changed; return a job, and what is there."""
    async with application(folder) as client:
        return await filled(client), await contents(client)


async def contents(client: httpx.AsyncClient) -> Mapping[str, Any]:
    """Return all that callers could have changed."""
    paths = ("indices", "indices/default/documents/one", "archives/documents", "jobs", "web/history")
    return {path: (await client.get(f"/api/v1/{path}")).json() for path in paths}


async def test_nothing_changes_over_any_way_into_a_service_that_only_reads(tmp_path: Path) -> None:
    job, before = await filled_folder(tmp_path)
    async with application(tmp_path, mcp={"read_only": True}) as client:
        listed = {tool["name"] for tool in (await over_mcp(client, "tools/list", {}))["result"]["tools"]}
        paths = (await client.get("/openapi.json")).json()["paths"]
        described = {each["operationId"] for methods in paths.values() for each in methods.values()}
        for operation in OPERATIONS:
            given = example(operation.name, job=job)
            answer = (await over_http(client, operation, given)).json()
            reply = await over_mcp(client, "tools/call", {"name": operation.name, "arguments": given})
            if operation.effect.changes:
                assert answer["error_category"] == "authorization", operation.name
                assert operation.name not in listed | described
                if operation.text is not None:
                    assert reply["result"]["structuredContent"]["error_category"] == "authorization"
            else:
                assert answer.get("error_category") != "authorization", operation.name
                assert operation.name in described
                assert (operation.name in listed) == (operation.text is not None)
        assert await contents(client) == before
    async with application(tmp_path) as client:
        assert await contents(client) == before


async def test_a_resource_that_is_left_out_is_not_listed_and_not_read(tmp_path: Path) -> None:
    await filled_folder(tmp_path)
    async with application(tmp_path, mcp={"tools": ("jobs",)}) as client:
        resources = (await over_mcp(client, "resources/list", {}))["result"]["resources"]
        templates = (await over_mcp(client, "resources/templates/list", {}))["result"]["resourceTemplates"]
        read = {address: await over_mcp(client, "resources/read", {"uri": address}) for address in (
            "doc://default/one", "catalog://info", "trawl://status",
        )}  # fmt: skip
        prompts = (await over_mcp(client, "prompts/list", {}))["result"]["prompts"]
    assert [each["uri"] for each in resources] == ["trawl://status"]
    assert templates == prompts == []
    for address in ("doc://default/one", "catalog://info"):
        assert read[address]["error"]["data"]["error_category"] == "authorization"
    assert "contents" in read["trawl://status"]["result"]


async def test_documents_are_still_read_by_address_where_nothing_may_change(tmp_path: Path) -> None:
    await filled_folder(tmp_path)
    async with application(tmp_path, mcp={"read_only": True}) as client:
        read = await over_mcp(client, "resources/read", {"uri": "doc://default/one"})
    assert read["result"]["contents"][0]["text"] == "A coral reef"


def read_only(folder: Path) -> dict[str, str]:
    """Settings of a process that only reads, without a worker: that would do the job that was accepted before."""
    return {"TRAWL_READ_ONLY": "true", "TRAWL_REDIS_URL": f"unix://{folder}/absent.sock"}


COMMANDS = [
    ("ingest", "notes", "--wait", "--json"),
    ("reindex", "default", "--json"),
    ("jobs", "cancel", "{job}", "--json"),
    ("jobs", "retry", "{job}", "--json"),
]


async def test_commands_that_open_the_folder_themselves_change_nothing_either(tmp_path: Path) -> None:
    job, before = await filled_folder(tmp_path)
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "a.md").write_text("# A reef")
    for command in COMMANDS:
        arguments = [part.format(job=job) for part in command]
        ended = trawl(*arguments, folder=tmp_path, env=read_only(tmp_path))
        assert ended.returncode == 1, ended.stderr
        assert json.loads(ended.stdout)["error_category"] == "authorization"
    found = trawl("search", "reef", "--index", "default", folder=tmp_path, env=read_only(tmp_path))
    assert found.returncode == 0
    async with application(tmp_path) as client:
        assert await contents(client) == before


async def test_the_same_holds_over_standard_input(tmp_path: Path) -> None:
    _, before = await filled_folder(tmp_path)
    settings = environment(tmp_path, read_only(tmp_path))
    program = StdioServerParameters(command=sys.executable, args=["-m", "app", "mcp"], env=settings, cwd=str(tmp_path))
    async with Client(stdio_client(program)) as client:
        tools = (await client.list_tools()).tools
        refused = await client.call_tool("search_delete_index", {"index_name": "geology"})
    assert all(tool.annotations and tool.annotations.read_only_hint for tool in tools)
    assert refused.structured_content is not None
    assert refused.structured_content["error_category"] == "authorization"
    async with application(tmp_path) as client:
        assert await contents(client) == before


@pytest.mark.parametrize("address", ["doc://default/one", "catalog://info"])
async def test_reading_what_is_left_out_names_no_address(tmp_path: Path, address: str) -> None:
    settings = environment(tmp_path, {"TRAWL_TOOLS": "web"})
    program = StdioServerParameters(command=sys.executable, args=["-m", "app", "mcp"], env=settings, cwd=str(tmp_path))
    async with Client(stdio_client(program)) as client:
        with pytest.raises(MCPError, match="does not offer") as raised:
            await client.read_resource(address)
    assert address not in raised.value.error.message
