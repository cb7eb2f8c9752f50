"""Authenticates each request, and puts its principal into the ASGI scope, from which MCP and the routes read it."""

from collections.abc import Callable
from typing import Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.auth.authentication import MissingToken, RequestAuthentication, origin_of
from app.http.failures import failure_response
from app.http.middleware.withdrawal import run_while_allowed
from app.principals import NOBODY
from indexer.errors import Authentication, PlatformError
from mcp_server.access.challenge import METADATA_PATH
from mcp_server.audit.call_audit import CallAudit
from mcp_server.principal import put_principal

_OPEN: Final = frozenset({"/livez", "/readyz", "/openapi.json"})


class Authenticate:
    """Responds 401 to requests that need a token and have no valid one. The pages' own files need none.

    A request whose token is revoked or expires while it runs is ended: with 401, or if its response has begun, by the
    end of that.
    """

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
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        if self._is_open(scope["path"]):
            put_principal(scope, NOBODY)
            await self.app(scope, receive, send)
            return
        # As the request came: authentication removes the choice of a team from its scope.
        original = dict(scope)
        try:
            principal = await self.authentication.principal(scope)
        except PlatformError as error:
            await self._refuse(error, scope, receive, send)
            return
        put_principal(scope, principal)
        if principal.is_local:
            await self.app(scope, receive, send)
            return
        response = _Response(send)
        refusal = await run_while_allowed(
            lambda: self.app(scope, receive, response.send), lambda: self.authentication.check(original)
        )
        if refusal is not None and response.has_begun:
            await response.end()
        elif refusal is not None:
            await self._refuse(refusal, scope, receive, send)

    async def _refuse(self, error: PlatformError, scope: Scope, receive: Receive, send: Send) -> None:
        if isinstance(error, Authentication) and not isinstance(error, MissingToken):
            origin = origin_of(scope)
            self.audit.authentication_failed(origin.client, origin.address)
        response = failure_response(error, challenge_for=(self.public_url, scope["path"]))
        await response(scope, receive, send)

    def _is_open(self, path: str) -> bool:
        return path in _OPEN or path.startswith(METADATA_PATH) or self.is_page(path)


class _Response:
    """The response to a request, and how far it is."""

    def __init__(self, send: Send) -> None:
        self.has_begun = False
        self._has_ended = False
        self._send = send

    async def send(self, message: Message) -> None:
        self.has_begun = True
        self._has_ended = message["type"] == "http.response.body" and not message.get("more_body")
        await self._send(message)

    async def end(self) -> None:
        """End a response that has begun."""
        if not self._has_ended:
            await self._send({"type": "http.response.body", "body": b"", "more_body": False})
