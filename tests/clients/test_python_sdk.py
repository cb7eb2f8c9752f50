"""The official Python SDK: both revisions of the protocol, over HTTP and with a service that the client starts."""

import sys
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters, stdio_client

from tests.clients.journey import DOCUMENTS, Journey, assert_complete, travel
from tests.service import Service, environment

MODES = ["2026-07-28", "legacy"]

pytestmark = pytest.mark.xdist_group("clients")


async def travel_with(client: Client, index: str, documents: list[dict[str, str]] | None = None) -> Journey:
    async def call(name: str, arguments: dict[str, Any]) -> dict[str, Any]:
        result = await client.call_tool(name, arguments)
        assert not result.is_error, result.content
        structured: dict[str, Any] = result.structured_content
        return structured

    if documents is not None:
        added = await call("search_add_documents", {"documents": documents, "index_name": index})
        assert added["indexed"] == len(documents)
    tools = [tool.name for tool in (await client.list_tools()).tools]
    return await travel(tools, call, index)


@pytest.mark.parametrize("mode", MODES)
async def test_a_client_searches_reads_on_and_is_told_why_it_fails(service: Service, index: str, mode: str) -> None:
    async with Client(f"{service.url}/mcp", mode=mode) as client:
        assert_complete(await travel_with(client, index))


@pytest.mark.parametrize("mode", MODES)
async def test_a_client_that_starts_the_service_does_the_same(tmp_path: Path, mode: str) -> None:
    program = StdioServerParameters(
        command=sys.executable, args=["-m", "app", "mcp"], env=environment(tmp_path), cwd=str(tmp_path)
    )
    async with Client(stdio_client(program), mode=mode) as client:
        assert_complete(await travel_with(client, "default", DOCUMENTS))
