"""Only requests that name this service: a page elsewhere must not reach it under a host name of its own."""

from collections.abc import Iterable
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from app.http.failures import failure_response
from app.settings import is_loopback
from indexer.errors import Authorization


class Hosts:
    """Refuses a `Host`, or an `Origin` sent by a browser, that is neither loopback nor allowed."""

    def __init__(self, app: ASGIApp, allowed: Iterable[str]) -> None:
        self.app = app
        self.allowed = frozenset(host.lower() for host in allowed)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            headers = Headers(scope=scope)
            hosts, origins = headers.getlist("host"), headers.getlist("origin")
            if len(hosts) != 1 or not self._known("//" + hosts[0]):
                refused = _refused("host")
            elif not all(self._known(origin) for origin in origins):
                refused = _refused("origin")
            else:
                refused = None
            if refused is not None:
                await failure_response(refused)(scope, receive, send)
                return
        await self.app(scope, receive, send)

    def _known(self, address: str) -> bool:
        try:
            host = urlsplit(address).hostname
        except ValueError:
            return False
        return host is not None and (host in self.allowed or is_loopback(host))


def _refused(what: str) -> Authorization:
    return Authorization(
        f"This {what} is not allowed here",
        action="Use the address that this service printed at its start, or name the host in TRAWL_ALLOWED_HOSTS",
    )
