"""HTTP client of a Quilt catalog and its registry. A rejected access token is renewed once."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final
from urllib.parse import urlencode, urljoin, urlsplit

import orjson

from mcp_server.features.quilt.api.tokens import Tokens
from mcp_server.features.quilt.failures import (
    CatalogFailed,
    IndicesNotSearchable,
    StackChanged,
    UnexpectedResponse,
    attempt_failure,
)
from mcp_server.upstream.guard.attempts import AttemptFailed
from mcp_server.upstream.transport import Reply, Transport

_JSON_HEADERS: Final = {"accept": "application/json"}


class QuiltClient:
    """Sends one request and returns the response body; every failure is raised as `AttemptFailed`."""

    def __init__(self, transport: Transport, tokens: Tokens) -> None:
        self._transport = transport
        self._tokens = tokens
        self.authenticated = False
        """Whether the registry accepted the token in the last request."""

    async def config(self, catalog: str) -> bytes:
        """Return the catalog's configuration, which needs no authentication."""
        reply = await self._transport.get(f"{catalog}/config.json", _JSON_HEADERS)
        if reply.status in {429, 502, 503, 504}:
            raise attempt_failure(reply)
        if reply.status != 200 or registry_url(catalog, reply.body) is None:
            raise AttemptFailed(
                CatalogFailed("There is no catalog at TRAWL_QUILT_CATALOG_URL: its config.json names no registry"),
                upstream_broke=reply.status >= 500,
            )
        return reply.body

    async def graphql(self, registry: str, body: bytes) -> bytes:
        """Return a response that has `data`; a query that the stack does not understand raises `StackChanged`."""
        headers = {**_JSON_HEADERS, "content-type": "application/json"}
        reply = await self._send_authenticated(
            registry, lambda extra: self._transport.post(f"{registry}/graphql", body, headers | extra)
        )
        response = _parse_object(reply.body)
        match response.get("errors"):
            case [*errors] if errors and reply.status in {200, 400} and not _was_executed(errors):
                raise AttemptFailed(StackChanged())
            case [*errors] if errors and reply.status == 200:
                raise AttemptFailed(CatalogFailed("The registry failed while it answered"), upstream_broke=True)
        if reply.status != 200:
            raise attempt_failure(reply)
        if not isinstance(response.get("data"), dict):
            raise AttemptFailed(UnexpectedResponse())
        return reply.body

    async def search(self, registry: str, parameters: Mapping[str, str]) -> bytes:
        """Return Elasticsearch's response; indices that cannot be searched raise `IndicesNotSearchable`."""
        url = f"{registry}/api/search?{urlencode(parameters)}"
        reply = await self._send_authenticated(registry, lambda extra: self._transport.get(url, _JSON_HEADERS | extra))
        response = _parse_object(reply.body)
        if reply.status == 403:
            raise AttemptFailed(IndicesNotSearchable(denied=True))
        if reply.status == 404 and b"index_not_found" in reply.body:
            raise AttemptFailed(IndicesNotSearchable(denied=False))
        if reply.status != 200:
            raise attempt_failure(reply)
        if not isinstance(response.get("hits"), dict):
            raise AttemptFailed(UnexpectedResponse())
        return reply.body

    async def _send_authenticated(self, registry: str, send: Callable[[dict[str, str]], Awaitable[Reply]]) -> Reply:
        for is_last in (False, True):
            token = await self._token(registry)
            reply = await send({"authorization": f"Bearer {token}"})
            self.authenticated = reply.status != 401
            if self.authenticated or not self._tokens.invalidate(token) or is_last:
                break
        return reply

    async def _token(self, registry: str) -> str:
        try:
            return await self._tokens.token(registry)
        except AttemptFailed as error:
            self.authenticated = self.authenticated and error.error.category != "authentication"
            raise


def registry_url(catalog: str, config: bytes) -> str | None:
    """Return the registry's URL from the catalog's configuration; None where it is missing or invalid.

    An HTTPS catalog needs an HTTPS registry, or the token would be sent unencrypted.
    """
    configured = _parse_object(config).get("registryUrl")
    if not isinstance(configured, str) or not configured:
        return None
    address = urljoin(f"{catalog}/", configured).rstrip("/")
    schemes = {"https"} if urlsplit(catalog).scheme == "https" else {"http", "https"}
    return address if urlsplit(address).scheme in schemes and urlsplit(address).hostname else None


def _parse_object(body: bytes) -> dict[str, Any]:
    try:
        value = orjson.loads(body)
    except orjson.JSONDecodeError:
        return {}
    return value if isinstance(value, dict) else {}


def _was_executed(errors: list[Any]) -> bool:
    """Return whether the query was executed: errors of execution have a path into the response."""
    return any(isinstance(error, dict) and error.get("path") for error in errors)
