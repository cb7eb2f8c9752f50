"""MCP over streamable HTTP: stateless, plain JSON, both eras of the protocol at /mcp."""

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from typing import Any, Final

from mcp.server.mcpserver import MCPServer
from mcp.server.transport_security import TransportSecurityMiddleware, TransportSecuritySettings
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

PATH: Final = "/mcp"
BODY_LIMIT: Final = 50 * 1024 * 1024


def mcp_app(
    server: MCPServer[Any],
    allowed_hosts: Sequence[str],
    allowed_origins: Sequence[str],
    *,
    body_limit: int = BODY_LIMIT,
) -> ASGIApp:
    """Make the ASGI application; a host or origin without a port is allowed with any. Run it inside `running`."""
    security = TransportSecuritySettings(
        allowed_hosts=_any_port(allowed_hosts), allowed_origins=_any_port(allowed_origins)
    )
    application = server.streamable_http_app(
        streamable_http_path=PATH,
        stateless_http=True,
        json_response=True,
        transport_security=security,
        max_request_body_size=body_limit,
    )
    return _PostOnly(application, TransportSecurityMiddleware(security))


def running(server: MCPServer[Any]) -> AbstractAsyncContextManager[None]:
    """Serve while inside; for the lifespan of what mounts the application, since a mounted one's own never runs."""
    return server.session_manager.run()


class _PostOnly:
    """Refuses what is not a POST: without sessions a GET would be a stream on which nothing ever comes."""

    def __init__(self, application: ASGIApp, security: TransportSecurityMiddleware) -> None:
        self._application = application
        self._security = security

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] == "POST" or scope["path"] != PATH:
            await self._application(scope, receive, send)
            return
        refused = await self._security.validate_request(Request(scope))
        response = refused or Response(status_code=405, headers={"Allow": "POST"})
        await response(scope, receive, send)


def _any_port(allowed: Sequence[str]) -> list[str]:
    patterns = []
    for name in allowed:
        patterns.append(name)
        host = name.rpartition("//")[2]
        if ":" not in host.rpartition("]")[2]:
            patterns.append(f"{name}:*")
    return patterns
