"""The wire of a Quilt catalog and its registry: addresses, headers, one renewed token where the first was refused."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final
from urllib.parse import urlencode, urljoin, urlsplit

import orjson

from mcp_server.features.quilt.api.tokens import Tokens
from mcp_server.features.quilt.failures import Broken, NoIndices, StackChanged, Unreadable, failed
from mcp_server.upstream.guard.attempts import AttemptFailed
from mcp_server.upstream.transport import Reply, Transport

_JSON: Final = {"accept": "application/json"}


class QuiltClient:
    """Sends one request and returns its body; every other reply is `AttemptFailed`."""

    def __init__(self, transport: Transport, tokens: Tokens) -> None:
        self._transport = transport
        self._tokens = tokens
        self.authenticated = False
        """Whether the registry has taken the token, as far as is known."""

    async def config(self, catalog: str) -> bytes:
        """Return the catalog's configuration, which anybody may read."""
        reply = await self._transport.get(f"{catalog}/config.json", _JSON)
        if reply.status in {429, 502, 503, 504}:
            raise failed(reply)
        if reply.status != 200 or registry_of(catalog, reply.body) is None:
            raise AttemptFailed(
                Broken("There is no catalog at TRAWL_QUILT_CATALOG_URL: its config.json names no registry"),
                upstream_broke=reply.status >= 500,
            )
        return reply.body

    async def graphql(self, registry: str, body: bytes) -> bytes:
        """Return an answer that has `data`; what the stack does not understand is `StackChanged`."""
        headers = {**_JSON, "content-type": "application/json"}
        reply = await self._authenticated(
            registry, lambda extra: self._transport.post(f"{registry}/graphql", body, headers | extra)
        )
        answer = _object(reply.body)
        match answer.get("errors"):
            case [*errors] if errors and reply.status in {200, 400} and not _ran(errors):
                raise AttemptFailed(StackChanged())
            case [*errors] if errors and reply.status == 200:
                raise AttemptFailed(Broken("The registry failed while it answered"), upstream_broke=True)
        if reply.status != 200:
            raise failed(reply)
        if not isinstance(answer.get("data"), dict):
            raise AttemptFailed(Unreadable())
        return reply.body

    async def search(self, registry: str, parameters: Mapping[str, str]) -> bytes:
        """Return Elasticsearch's answer; indices that cannot be searched are `NoIndices`."""
        url = f"{registry}/api/search?{urlencode(parameters)}"
        reply = await self._authenticated(registry, lambda extra: self._transport.get(url, _JSON | extra))
        answer = _object(reply.body)
        if reply.status == 403:
            raise AttemptFailed(NoIndices(denied=True))
        if reply.status == 404 and b"index_not_found" in reply.body:
            raise AttemptFailed(NoIndices(denied=False))
        if reply.status != 200:
            raise failed(reply)
        if not isinstance(answer.get("hits"), dict):
            raise AttemptFailed(Unreadable())
        return reply.body

    async def _authenticated(self, registry: str, send: Callable[[dict[str, str]], Awaitable[Reply]]) -> Reply:
        for last in (False, True):
            token = await self._token(registry)
            reply = await send({"authorization": f"Bearer {token}"})
            self.authenticated = reply.status != 401
            if self.authenticated or not self._tokens.refused(token) or last:
                break
        return reply

    async def _token(self, registry: str) -> str:
        try:
            return await self._tokens.token(registry)
        except AttemptFailed as error:
            self.authenticated = self.authenticated and error.error.category != "authentication"
            raise


def registry_of(catalog: str, config: bytes) -> str | None:
    """Return the registry's address by a catalog's configuration; a secure catalog's token never goes in the clear."""
    named = _object(config).get("registryUrl")
    if not isinstance(named, str) or not named:
        return None
    address = urljoin(f"{catalog}/", named).rstrip("/")
    schemes = {"https"} if urlsplit(catalog).scheme == "https" else {"http", "https"}
    return address if urlsplit(address).scheme in schemes and urlsplit(address).hostname else None


def _object(body: bytes) -> dict[str, Any]:
    try:
        answer = orjson.loads(body)
    except orjson.JSONDecodeError:
        return {}
    return answer if isinstance(answer, dict) else {}


def _ran(errors: list[Any]) -> bool:
    """Say whether the query was run at all: what fails then has a path into the answer."""
    return any(isinstance(error, dict) and error.get("path") for error in errors)
