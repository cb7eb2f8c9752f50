"""Checks `Host` and `Origin`, against DNS rebinding and cross-site requests."""

from collections.abc import Container, Iterable
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from app.http.failures import failure_response
from app.settings import is_loopback
from indexer.errors import Authorization


class AllowedHosts:
    """Responds 403 if `Host`, or a browser's `Origin`, is neither loopback nor allowed."""

    def __init__(self, app: ASGIApp, allowed: Iterable[str], origins: Container[str] = ()) -> None:
        self.app = app
        self.origins = origins
        self.allowed = frozenset(host.lower() for host in allowed)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            headers = Headers(scope=scope)
            hosts, origins = headers.getlist("host"), headers.getlist("origin")
            if len(hosts) != 1 or not self._is_allowed("//" + hosts[0]):
                failure = _not_allowed("host")
            elif not all(origin in self.origins or self._is_allowed(origin) for origin in origins):
                failure = _not_allowed("origin")
            else:
                failure = None
            if failure is not None:
                await failure_response(failure)(scope, receive, send)
                return
        await self.app(scope, receive, send)

    def _is_allowed(self, address: str) -> bool:
        try:
            host = urlsplit(address).hostname
        except ValueError:
            return False
        return host is not None and (host in self.allowed or is_loopback(host))


def _not_allowed(header: str) -> Authorization:
    return Authorization(
        f"This {header} is not allowed here",
        action="Use the address that this service printed at its start, or name the host in TRAWL_ALLOWED_HOSTS"
        + (", or the page's origin in TRAWL_CORS_ORIGINS" if header == "origin" else ""),
    )
