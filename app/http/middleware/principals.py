"""Sets the principal of each request."""

from starlette.types import ASGIApp, Receive, Scope, Send

from app.principals import ANONYMOUS
from mcp_server.principal import put_principal


class SetPrincipal:
    """Puts the principal into the ASGI scope, from which MCP and the routes read it."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        put_principal(scope, ANONYMOUS)
        await self.app(scope, receive, send)
