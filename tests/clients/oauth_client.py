"""The official Python SDK as a client that signs in by itself, with a person at a browser."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from urllib.parse import parse_qsl, urlsplit

import anyio.to_thread
import httpx2
from mcp import Client
from mcp.client.auth import OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import AuthorizationCodeResult, OAuthClientInformationFull, OAuthClientMetadata, OAuthToken

from tests.integration.oidc.browser import sign_in

REDIRECT = "http://127.0.0.1:3030/callback"


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
        """What the client asked for, each time."""
        self._answer: dict[str, str] = {}

    async def open_browser(self, address: str) -> None:
        self.asked.append(dict(parse_qsl(urlsplit(address).query)))
        answer = await anyio.to_thread.run_sync(lambda: sign_in(address, stop_at=REDIRECT, fill=self.fill))
        self._answer = dict(parse_qsl(urlsplit(answer).query))

    async def bring_answer(self) -> AuthorizationCodeResult:
        return AuthorizationCodeResult.model_validate(self._answer)


@asynccontextmanager
async def connected(url: str, memory: Memory, person: Person, mode: str) -> AsyncIterator[Client]:
    asked = OAuthClientMetadata(client_name="test", redirect_uris=[REDIRECT], token_endpoint_auth_method="none")
    auth = OAuthClientProvider(url, asked, memory, person.open_browser, person.bring_answer)
    async with (
        httpx2.AsyncClient(auth=auth, trust_env=False, timeout=60) as http,
        Client(streamable_http_client(url, http_client=http), mode=mode) as client,
    ):
        yield client
