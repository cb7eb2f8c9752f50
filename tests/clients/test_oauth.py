"""The official Python SDK signs in by itself: it finds the issuer, registers, and asks for more scopes when needed."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from mcp.shared.auth import OAuthClientInformationFull

from deploy.local.ports import take_ports
from tests.clients.oauth_client import REDIRECT, Memory, Person, connected
from tests.integration.oidc.provider import running_provider
from tests.service import run_service

MODES = ["2026-07-28", "legacy"]

pytestmark = pytest.mark.xdist_group("oidc")


@pytest.fixture(scope="module")
def issuer(tmp_path_factory: pytest.TempPathFactory, packages: Path) -> Iterator[str]:
    with running_provider(tmp_path_factory.mktemp("provider"), packages) as provider:
        yield provider.issuer


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory, issuer: str) -> Iterator[str]:
    """The MCP endpoint of a service that accepts the issuer's tokens, on a port that is known before it starts."""
    settings = {"TRAWL_AUTH": "on", "TRAWL_PORT": str(take_ports(1)[0]), "TRAWL_OIDC_ISSUER": issuer}
    with run_service(tmp_path_factory.mktemp("service"), env=settings) as service:
        yield f"{service.url}/mcp"


@pytest.mark.parametrize("mode", MODES)
async def test_a_client_signs_in_searches_and_asks_for_more_scopes(url: str, issuer: str, mode: str) -> None:
    memory, person = Memory(), Person({"login": "ann", "password": "any"})
    memory.client = OAuthClientInformationFull(
        client_id="trawl", redirect_uris=[REDIRECT], token_endpoint_auth_method="none", issuer=issuer
    )
    async with connected(url, memory, person, mode) as client:
        tools = {tool.name for tool in (await client.list_tools()).tools}
        assert "search_index" in tools
        assert "search_add_document" not in tools
        added = await client.call_tool("search_add_document", {"doc_id": mode, "content": "a reef"})
        assert added.structured_content["success"] is True
        found = await client.call_tool("search_index", {"query": "reef"})
        assert mode in {hit["doc_id"] for hit in found.structured_content["results"]}
    assert [
        (each["client_id"], each["resource"], set(each["scope"].split()) - {"offline_access"}) for each in person.asked
    ] == [
        ("trawl", url, {"search"}),
        ("trawl", url, {"search", "write"}),
    ]


async def test_a_client_that_nobody_knows_registers_itself(url: str) -> None:
    memory, person = Memory(), Person({"login": "ann", "password": "any"})
    async with connected(url, memory, person, MODES[0]) as client:
        assert (await client.call_tool("search_index", {"query": "reef"})).structured_content["success"] is True
    assert memory.client is not None
    assert [each["client_id"] for each in person.asked] == [memory.client.client_id]
