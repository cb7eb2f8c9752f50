"""Authenticates each request, and puts its principal into the ASGI scope, from which MCP and the routes read it."""

from collections.abc import Callable
from typing import Final

from starlette.datastructures import Headers
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.auth.authentication import SessionEnded, is_wrong, origin_of
from app.auth.identity import Identity
from app.http.failures import failure_response
from app.http.middleware.withdrawal import run_while_allowed
from app.http.sign_in_page import sign_in_page
from app.principals import NOBODY
from indexer.errors import Authentication, PlatformError
from mcp_server.access.challenge import METADATA_PATH
from mcp_server.audit.call_audit import CallAudit
from mcp_server.principal import put_principal

_OPEN: Final = frozenset({"/livez", "/readyz", "/openapi.json"})
_SIGN_IN: Final = "/auth/"
"""These routes find out by themselves who is signed in."""
_DOCUMENTS: Final = "/d/"


class Authenticate:
    """Responds 401 to requests that need a token or a session and have no valid one. The pages' own files need none.

    A browser that opens a document is sent to the page where one signs in. A request whose token is revoked or expires
    while it runs is ended: with 401, or if its response has begun, by the end of that.
    """

    def __init__(
        self,
        app: ASGIApp,
        identity: Identity,
        is_page: Callable[[Scope], bool],
        public_url: str,
        audit: CallAudit,
    ) -> None:
        self.app = app
        self.authentication = identity.authentication
        self.cookie = identity.sessions.cookie
        self.is_page = is_page
        self.public_url = public_url
        self.audit = audit

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        if self._is_open(scope):
            put_principal(scope, NOBODY)
            await self.app(scope, receive, send)
            return
        # As the request came: authentication removes the choice of a team from its scope.
        original = dict(scope)
        try:
            principal = await self.authentication.principal(scope)
        except PlatformError as error:
            response = self._refusal(error, scope)
            if isinstance(error, SessionEnded):
                response.headers.append("set-cookie", self.cookie.clearing(scope))
            await response(scope, receive, send)
            return
        put_principal(scope, principal)
        if principal.is_local:
            await self.app(scope, receive, send)
            return
        sending = _Sending(send)
        refusal = await run_while_allowed(
            lambda: self.app(scope, receive, sending.send), lambda: self.authentication.check(original)
        )
        if refusal is not None and sending.has_begun:
            await sending.end()
        elif refusal is not None:
            # The browser keeps its cookie: it may have got that of another session meanwhile.
            await self._refusal(refusal, scope)(scope, receive, send)

    def _refusal(self, error: PlatformError, scope: Scope) -> Response:
        if is_wrong(error):
            origin = origin_of(scope)
            self.audit.authentication_failed(origin.client, origin.address)
        if isinstance(error, Authentication) and _opens_document(scope):
            return RedirectResponse(sign_in_page(_address(scope)), status_code=303)
        return failure_response(error, challenge_for=(self.public_url, scope["path"]))

    def _is_open(self, scope: Scope) -> bool:
        path = scope["path"]
        return path in _OPEN or path.startswith((METADATA_PATH, _SIGN_IN)) or self.is_page(scope)


def _opens_document(scope: Scope) -> bool:
    """Say whether a person follows a link to a document; programs send a token, and want to know what is wrong."""
    headers = Headers(scope=scope)
    is_link = scope["method"] in {"GET", "HEAD"} and "text/html" in headers.get("accept", "")
    return is_link and scope["path"].startswith(_DOCUMENTS) and "authorization" not in headers


def _address(scope: Scope) -> str:
    """Return the path and query as they were sent."""
    query = scope["query_string"].decode("latin-1")
    path = scope["raw_path"].partition(b"?")[0].decode("latin-1")
    return f"{path}?{query}" if query else path


class _Sending:
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
