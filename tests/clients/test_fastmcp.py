"""The client of fastmcp, in both revisions of the protocol."""

from typing import Any

import pytest
from fastmcp import Client

from tests.clients.journey import assert_complete, travel
from tests.service import Service

pytestmark = pytest.mark.xdist_group("clients")


@pytest.mark.parametrize("mode", ["2026-07-28", "legacy"])
async def test_a_client_searches_reads_on_and_is_told_why_it_fails(service: Service, index: str, mode: str) -> None:
    async with Client(f"{service.url}/mcp", mode=mode) as client:

        async def call(name: str, arguments: dict[str, Any]) -> dict[str, Any]:
            structured: dict[str, Any] | None = (await client.call_tool(name, arguments)).structured_content
            assert structured is not None
            return structured

        tools = [tool.name for tool in await client.list_tools()]
        assert_complete(await travel(tools, call, index))
