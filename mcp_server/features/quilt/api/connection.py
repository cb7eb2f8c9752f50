"""Connection to one catalog and its registry: sends requests through the guard and parses the responses."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

import orjson

from indexer.errors import PlatformError
from indexer.tenancy import Principal
from mcp_server.features.quilt.api.client import QuiltClient, registry_url
from mcp_server.features.quilt.api.tokens import Tokens
from mcp_server.features.quilt.failures import CatalogFailed
from mcp_server.upstream.guard.guard import Guard
from mcp_server.upstream.telemetry import Telemetry
from mcp_server.upstream.transport import Transport

_UNANSWERED: Final = frozenset({"authentication", "timeout", "unavailable"})


class QuiltConnection:
    """Sends nothing before the first search."""

    def __init__(self, guard: Guard, transport: Transport, tokens: Tokens) -> None:
        self._guard = guard
        self._transport = transport
        self._tokens = tokens
        self._client = QuiltClient(transport, tokens)
        self.last_failure: PlatformError | None = None
        """Why the last request failed; None where the catalog answered it."""

    @property
    def telemetry(self) -> Telemetry:
        return self._guard.telemetry

    @property
    def authenticated(self) -> bool:
        """Whether the registry accepted the token in the last request."""
        return self._client.authenticated

    async def registry(self, principal: Principal, catalog: str) -> str:
        """Return the URL of the catalog's registry."""
        body = await self._call(principal, b"config", lambda: self._client.config(catalog), fresh=True)
        return str(registry_url(catalog, body))

    async def graphql(self, principal: Principal, registry: str, body: Mapping[str, Any], *, fresh: bool) -> Any:
        """Return the `data` of a GraphQL response."""
        raw = orjson.dumps(body)
        response = await self._call(
            principal, b"graphql\n" + raw, lambda: self._client.graphql(registry, raw), fresh=fresh
        )
        return _parse(response)["data"]

    async def search(self, principal: Principal, registry: str, parameters: Mapping[str, str], *, fresh: bool) -> Any:
        """Return Elasticsearch's response."""
        request = b"search\n" + orjson.dumps(parameters)
        return _parse(
            await self._call(principal, request, lambda: self._client.search(registry, parameters), fresh=fresh)
        )

    async def aclose(self) -> None:
        """Cancel a running token renewal and close the connections."""
        await self._tokens.aclose()
        await self._transport.aclose()

    async def _call(
        self, principal: Principal, request: bytes, send: Callable[[], Awaitable[bytes]], *, fresh: bool
    ) -> bytes:
        try:
            response = await self._guard.call(principal.team, request, send, fresh=fresh)
        except PlatformError as error:
            if error.category != "rate_limit":
                # Any other refusal is an answer too; the caller knows whether it is a failure of the search.
                self.last_failure = error if error.category in _UNANSWERED else None
            raise
        if not response.cached:
            self.last_failure = None
        return response.body


def _parse(body: bytes) -> Any:
    try:
        return orjson.loads(body)
    except orjson.JSONDecodeError:
        raise CatalogFailed from None
