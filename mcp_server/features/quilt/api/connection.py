"""One catalog and its registry: asks them through the guard, and reads their answers."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import orjson

from indexer.tenancy import Principal
from mcp_server.features.quilt.api.client import QuiltClient, registry_of
from mcp_server.features.quilt.api.tokens import Tokens
from mcp_server.features.quilt.failures import Broken
from mcp_server.upstream.guard.guard import Guard
from mcp_server.upstream.telemetry import Telemetry
from mcp_server.upstream.transport import Transport


class QuiltConnection:
    """Contacts nothing before the first question."""

    def __init__(self, guard: Guard, transport: Transport, tokens: Tokens) -> None:
        self._guard = guard
        self._transport = transport
        self._tokens = tokens
        self._client = QuiltClient(transport, tokens)

    @property
    def telemetry(self) -> Telemetry:
        return self._guard.telemetry

    @property
    def authenticated(self) -> bool:
        """Say whether the registry has taken the token, as far as is known."""
        return self._client.authenticated

    async def registry(self, principal: Principal, catalog: str) -> str:
        """Return where the catalog's registry is."""
        body = await self._asked(principal, b"config", lambda: self._client.config(catalog), fresh=True)
        return str(registry_of(catalog, body))

    async def graphql(self, principal: Principal, registry: str, body: Mapping[str, Any], *, fresh: bool) -> Any:
        """Return the `data` of a GraphQL answer."""
        raw = orjson.dumps(body)
        answer = await self._asked(
            principal, b"graphql\n" + raw, lambda: self._client.graphql(registry, raw), fresh=fresh
        )
        return _read(answer)["data"]

    async def search(self, principal: Principal, registry: str, parameters: Mapping[str, str], *, fresh: bool) -> Any:
        """Return Elasticsearch's answer."""
        request = b"search\n" + orjson.dumps(parameters)
        return _read(
            await self._asked(principal, request, lambda: self._client.search(registry, parameters), fresh=fresh)
        )

    async def aclose(self) -> None:
        """Stop what runs in the background and close the connections."""
        await self._tokens.aclose()
        await self._transport.aclose()

    async def _asked(
        self, principal: Principal, request: bytes, send: Callable[[], Awaitable[bytes]], *, fresh: bool
    ) -> bytes:
        return (await self._guard.call(principal.team, request, send, fresh=fresh)).body


def _read(body: bytes) -> Any:
    try:
        return orjson.loads(body)
    except orjson.JSONDecodeError:
        raise Broken from None
