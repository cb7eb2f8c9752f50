"""MCP over streamable HTTP at /mcp: stateless, for protocol versions with and without a handshake."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any, Final, NamedTuple

from mcp.server.mcpserver import MCPServer
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecurityMiddleware, TransportSecuritySettings
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from mcp_server.protocol.progress_requests import wants_progress

PATH: Final = "/mcp"
BODY_LIMIT: Final = 50 * 1024 * 1024


class McpApp:
    """The ASGI application, to be run inside `running`. A host or origin without a port is allowed with any port.

    Responses are plain JSON, which halves the latency of short calls. A call that waits and asks for progress gets a
    stream of server-sent events instead, with the response as the last event. There are no sessions, so every method
    but POST is rejected: a GET would open a stream without events.
    """

    def __init__(
        self,
        server: MCPServer[Any],
        allowed_hosts: Sequence[str],
        allowed_origins: Sequence[str],
        *,
        body_limit: int = BODY_LIMIT,
    ) -> None:
        security = TransportSecuritySettings(
            allowed_hosts=_any_port(allowed_hosts), allowed_origins=_any_port(allowed_origins)
        )
        self._security = TransportSecurityMiddleware(security)
        self._plain, self._streamed = (
            _application(server, security, body_limit, json_response=json_response) for json_response in (True, False)
        )

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Serve inside this context; the mounting application must enter it, since a mounted lifespan never runs."""
        async with self._plain.manager.run(), self._streamed.manager.run():
            yield

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["method"] != "POST" and scope["path"] == PATH:
            rejection = await self._security.validate_request(Request(scope))
            response = rejection or Response(status_code=405, headers={"Allow": "POST"})
            await response(scope, receive, send)
            return
        wants_stream, receive = await wants_progress(scope, receive)
        application = self._streamed if wants_stream else self._plain
        await application.asgi(scope, receive, send)


class _Application(NamedTuple):
    asgi: ASGIApp
    manager: StreamableHTTPSessionManager


def _application(
    server: MCPServer[Any], security: TransportSecuritySettings, body_limit: int, *, json_response: bool
) -> _Application:
    application = server.streamable_http_app(
        streamable_http_path=PATH,
        stateless_http=True,
        json_response=json_response,
        transport_security=security,
        max_request_body_size=body_limit,
    )
    return _Application(application, server.session_manager)


def _any_port(allowed: Sequence[str]) -> list[str]:
    patterns = []
    for name in allowed:
        patterns.append(name)
        host = name.rpartition("//")[2]
        if ":" not in host.rpartition("]")[2]:
            patterns.append(f"{name}:*")
    return patterns
