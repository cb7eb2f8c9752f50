"""Refuses requests from a proxy while TRAWL_AUTH is auto and authentication is off: their sender may be anybody."""

from typing import Final

from starlette.types import ASGIApp, Receive, Scope, Send

from app.http.failures import failure_response
from indexer.errors import Authorization

_FORWARDED_HEADERS: Final = frozenset(
    {b"forwarded", b"x-forwarded-for", b"x-forwarded-host", b"x-forwarded-proto", b"x-real-ip"}
)


class RefuseForwarded:
    """Responds 403 to requests with a forwarded header."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and any(name.lower() in _FORWARDED_HEADERS for name, _ in scope["headers"]):
            failure = Authorization(
                "This request was passed on by a proxy, and authentication is off",
                action="Ask the service directly on its own machine; "
                "if the proxy lets in nobody else, set TRAWL_AUTH=off",
            )
            await failure_response(failure)(scope, receive, send)
            return
        await self.app(scope, receive, send)
