"""The official Python SDK signs in by itself: it finds the issuer, registers, and asks for more scopes when needed."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import anyio.to_thread
import httpx2
import pytest
from mcp import Client
from mcp.client.auth import OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import AuthorizationCodeResult, OAuthClientInformationFull, OAuthClientMetadata, OAuthToken

from deploy.local.ports import take_ports
from tests.integration.oidc.browser import sign_in
from tests.integration.oidc.provider import running_provider
from tests.service import run_service

REDIRECT = "http://127.0.0.1:3030/callback"
MODES = ["2026-07-28", "legacy"]

pytestmark = pytest.mark.xdist_group("oidc")


class Memory:
    """What the client keeps: its tokens and its registration."""

    def __init__(self) -> None:
        self.tokens: OAuthToken | None = None
        self.client: OAuthClientInformationFull | None = None

    async def get_tokens(self) -> OAuthToken | None:
        return self.tokens

    async def set_tokens(self, tokens: OAuthToken) -> None:
        self.tokens = tokens

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        return self.client

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        self.client = client_info


class Person:
    """Signs in where the client sends the browser."""

    def __init__(self, fill: dict[str, str]) -> None:
        self.fill = fill
        self.asked: list[dict[str, str]] = []
        self._answer: dict[str, str] = {}

    async def open_browser(self, address: str) -> None:
        self.asked.append(dict(parse_qsl(urlsplit(address).query)))
        answer = await anyio.to_thread.run_sync(lambda: sign_in(address, stop_at=REDIRECT, fill=self.fill))
        self._answer = dict(parse_qsl(urlsplit(answer).query))

    async def bring_answer(self) -> AuthorizationCodeResult:
        return AuthorizationCodeResult.model_validate(self._answer)


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


@asynccontextmanager
async def connected(url: str, memory: Memory, person: Person, mode: str) -> AsyncIterator[Client]:
    asked = OAuthClientMetadata(client_name="test", redirect_uris=[REDIRECT], token_endpoint_auth_method="none")
    auth = OAuthClientProvider(url, asked, memory, person.open_browser, person.bring_answer)
    async with (
        httpx2.AsyncClient(auth=auth, trust_env=False, timeout=60) as http,
        Client(streamable_http_client(url, http_client=http), mode=mode) as client,
    ):
        yield client


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
