"""Cross-origin requests of web pages: which origins may call MCP and the API from a browser, and read the responses.

No response allows credentials: a caller sends its token itself, and a browser must not add a cookie for it.
"""

import re
from typing import Final

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.auth.forwarded import TokenRule
from app.settings import AppSettings, is_loopback

_WEB_ORIGIN: Final = re.compile(r"https?://(\[[0-9a-f:.]{2,45}\]|[0-9a-z._-]{1,255})(?::[0-9]{1,5})?", re.ASCII)
_PREFIXES: Final = ("/mcp", "/api/v1/")
_METHODS: Final = b"GET, POST, PUT, DELETE"
_REQUEST_HEADERS: Final = (
    b"Accept, Authorization, Content-Type, Last-Event-ID, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id, "
    b"Trawl-Team"
)
_RESPONSE_HEADERS: Final = b"Mcp-Session-Id, MCP-Protocol-Version, Retry-After, WWW-Authenticate, X-Request-Id"
_MAX_AGE_SECONDS: Final = b"600"


class CorsOrigins:
    """The origins that may call from a browser."""

    def __init__(self, settings: AppSettings) -> None:
        self._rule = TokenRule(settings)
        self._are_named = settings.cors_origins is not None
        self._named = frozenset(settings.cors_origins or ())

    def allow(self, origin: str, scope: Scope) -> bool:
        """Say whether pages of an origin may send this request."""
        lowered = origin.lower()
        if lowered in self._named or ("*" in self._named and lowered != "null"):
            return True
        if self._are_named or self._rule.applies_to(scope):
            return False
        # Without tokens only pages of this machine may call, on whichever port a developer serves them.
        found = _WEB_ORIGIN.fullmatch(lowered)
        return found is not None and is_loopback(found[1])


class Cors:
    """Answers preflight requests, and adds the CORS headers to responses for allowed origins."""

    def __init__(self, app: ASGIApp, origins: CorsOrigins) -> None:
        self.app = app
        self.origins = origins

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not scope["path"].startswith(_PREFIXES):
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        origin = headers.get("origin")
        added = [(b"vary", b"Origin")]
        is_allowed = origin is not None and self.origins.allow(origin, scope)
        if origin is not None and is_allowed:
            added += [
                (b"access-control-allow-origin", origin.encode("latin-1")),
                (b"access-control-expose-headers", _RESPONSE_HEADERS),
            ]

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", ()), *added]
            await send(message)

        if is_allowed and scope["method"] == "OPTIONS" and "access-control-request-method" in headers:
            added += [
                (b"access-control-allow-methods", _METHODS),
                (b"access-control-allow-headers", _REQUEST_HEADERS),
                (b"access-control-max-age", _MAX_AGE_SECONDS),
            ]
            await Response(status_code=204)(scope, receive, send_with_headers)
            return
        await self.app(scope, receive, send_with_headers)
