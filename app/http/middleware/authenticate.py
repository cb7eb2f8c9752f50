"""Authenticates each request, and puts its principal into the ASGI scope, from which MCP and the routes read it."""

from collections.abc import Callable
from typing import Final

from starlette.types import ASGIApp, Receive, Scope, Send

from app.auth.authentication import MissingToken, RequestAuthentication, origin_of
from app.http.failures import failure_response
from app.principals import NOBODY
from indexer.errors import Authentication, PlatformError
from mcp_server.access.challenge import METADATA_PATH
from mcp_server.audit.call_audit import CallAudit
from mcp_server.principal import put_principal

_OPEN: Final = frozenset({"/livez", "/readyz", "/openapi.json"})


class Authenticate:
    """Responds 401 to requests that need a token and have no valid one. The pages' own files need none."""

    def __init__(
        self,
        app: ASGIApp,
        authentication: RequestAuthentication,
        is_page: Callable[[str], bool],
        public_url: str,
        audit: CallAudit,
    ) -> None:
        self.app = app
        self.authentication = authentication
        self.is_page = is_page
        self.public_url = public_url
        self.audit = audit

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            if self._is_open(scope["path"]):
                put_principal(scope, NOBODY)
            else:
                try:
                    put_principal(scope, await self.authentication.principal(scope))
                except PlatformError as error:
                    if isinstance(error, Authentication) and not isinstance(error, MissingToken):
                        origin = origin_of(scope)
                        self.audit.authentication_failed(origin.client, origin.address)
                    response = failure_response(error, challenge_for=(self.public_url, scope["path"]))
                    await response(scope, receive, send)
                    return
        await self.app(scope, receive, send)

    def _is_open(self, path: str) -> bool:
        return path in _OPEN or path.startswith(METADATA_PATH) or self.is_page(path)
