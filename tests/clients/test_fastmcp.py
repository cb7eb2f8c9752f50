"""The client of fastmcp, which makes objects of the results by the schemas that the tools declare."""

from typing import Any

import pytest
from fastmcp import Client

from tests.clients.journey import UNKNOWN, assert_complete, search_arguments, travel
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


async def test_a_result_and_a_failure_are_objects_with_all_their_fields(service: Service, index: str) -> None:
    async with Client(f"{service.url}/mcp") as client:
        found = (await client.call_tool("search_index", search_arguments(index))).data
        failed = (await client.call_tool("search_index", search_arguments(UNKNOWN))).data
    assert len(found.results) == 2
    assert (found.success, found.total_matches) == (True, 5)
    assert (failed.success, failed.error_category) == (False, "not_found")
