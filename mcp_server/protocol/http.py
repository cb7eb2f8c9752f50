"""MCP over streamable HTTP: stateless, for protocol versions with and without a handshake."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.types import INVALID_PARAMS, INVALID_REQUEST
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from indexer.errors import Invalid
from indexer.tenancy import Principal
from mcp_server.principal import principal_of
from mcp_server.protocol.address import put_selection
from mcp_server.protocol.long_strings import put_body
from mcp_server.protocol.progress_requests import wants_progress
from mcp_server.protocol.rejection import header_mismatch, insufficient_scope, json_rpc_error
from mcp_server.protocol.request import give_body, read_body, trim_headers
from mcp_server.protocol.rights import Rights
from mcp_server.protocol.server import OperationServer

BODY_LIMIT: Final = 50 * 1024 * 1024
_PEEK_BYTES: Final = 64


class McpApp:
    """The ASGI application, to be run inside `running`. The application around it checks `Host` and `Origin`.

    Responses are plain JSON, which halves the latency of short calls. A call that waits and asks for progress gets a
    stream of server-sent events instead, with the response as the last event. There are no sessions, so every method
    but POST is rejected: a GET would open a stream without events.
    """

    def __init__(self, server: OperationServer, *, body_limit: int = BODY_LIMIT) -> None:
        self._services = server.services
        self._rights = Rights(server.services)
        self._local = server.local
        self._body_limit = body_limit
        self._plain, self._streamed = (
            StreamableHTTPSessionManager(
                server,
                json_response=json_response,
                stateless=True,
                max_request_body_size=body_limit,
            )
            for json_response in (True, False)
        )

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Serve inside this context; the mounting application must enter it, since a mounted lifespan never runs."""
        async with self._plain.run(), self._streamed.run():
            yield

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] != "POST":
            await Response(status_code=405, headers={"Allow": "POST"})(scope, receive, send)
            return
        scope = trim_headers(scope)
        principal = self._local or principal_of(scope)
        body = await read_body(receive, self._body_limit)
        rejection = _too_large() if len(body) > self._body_limit else _batch(body)
        if rejection is None:
            try:
                checked = await self._services.bodies.check(body)
                body = checked.json
                put_body(scope, checked)
                rejection = await self._rejection(scope, body, principal)
            except Invalid as error:
                # Its id is not known before it is parsed.
                rejection = json_rpc_error(INVALID_REQUEST, f"{error.message}. {error.action}", b"")
        if rejection is not None:
            await rejection(scope, receive, send)
            return
        manager = self._streamed if wants_progress(scope, body) else self._plain
        await manager.handle_request(scope, give_body(body, receive), send)

    async def _rejection(self, scope: Scope, body: bytes, principal: Principal) -> Response | None:
        """Return the response to a request that the SDK must not see."""
        rejection = header_mismatch(scope, body)
        try:
            put_selection(scope, self._services)
        except Invalid as error:
            rejection = json_rpc_error(INVALID_PARAMS, f"{error.message}. {error.action}", body)
        if (missing := await self._rights.missing(scope, body, principal)) is not None:
            rejection = insufficient_scope(self._services, scope, missing, body)
        return rejection


def _batch(body: bytes) -> Response | None:
    """Refuse several requests in one body, before any of them is parsed; the SDK would repeat them in its error."""
    if not body[:_PEEK_BYTES].lstrip().startswith(b"["):
        return None
    return json_rpc_error(INVALID_REQUEST, "Batches are not supported. Send one request at a time", b"")


def _too_large() -> Response:
    return json_rpc_error(INVALID_REQUEST, "Request body too large. Send less at a time", b"", status=413)
