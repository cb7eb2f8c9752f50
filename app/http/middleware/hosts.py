"""Checks `Host` and `Origin`, against DNS rebinding and cross-site requests."""

import re
from collections.abc import Iterable
from typing import Final, Protocol

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from app.http.failures import failure_response
from app.http.own_pages import is_own_form, own_origin
from app.settings import is_loopback
from indexer.errors import Authorization

_HOST: Final = re.compile(r"(\[[0-9a-f:.]{2,45}\]|[0-9a-z._-]{1,255})(?::[0-9]{1,5})?", re.IGNORECASE | re.ASCII)


class Origins(Protocol):
    """Which pages of others may call."""

    def allow(self, origin: str, scope: Scope) -> bool:
        """Say whether pages of an origin may send this request."""


class AllowedHosts:
    """Responds 403 if `Host` is neither loopback nor allowed, or a browser's `Origin` neither allowed nor our own."""

    def __init__(
        self, app: ASGIApp, allowed: Iterable[str], origins: Origins | None = None, public_url: str | None = None
    ) -> None:
        self.app = app
        self.origins = origins
        self.allowed = frozenset(host.lower() for host in allowed)
        self.public_origin = own_origin(public_url)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            headers = Headers(scope=scope)
            hosts, origins = headers.getlist("host"), headers.getlist("origin")
            if len(hosts) != 1 or not self._is_allowed(hosts[0]):
                failure = _not_allowed("host")
            elif not is_own_form(headers) and not all(
                self._is_own(origin.lower(), hosts[0].lower()) or self._is_named(origin, scope) for origin in origins
            ):
                failure = _not_allowed("origin")
            else:
                failure = None
            if failure is not None:
                await failure_response(failure)(scope, receive, send)
                return
        await self.app(scope, receive, send)

    def _is_allowed(self, host: str) -> bool:
        found = _HOST.fullmatch(host)
        name = "" if found is None else found[1].lower().removeprefix("[").removesuffix("]")
        return bool(name) and (name in self.allowed or is_loopback(name))

    def _is_named(self, origin: str, scope: Scope) -> bool:
        return self.origins is not None and self.origins.allow(origin, scope)

    def _is_own(self, origin: str, host: str) -> bool:
        """Say whether a page of this service sent the request; another port of this machine is somebody else."""
        return origin == self.public_origin or origin in {f"http://{host}", f"https://{host}"}


def _not_allowed(header: str) -> Authorization:
    return Authorization(
        f"This {header} is not allowed here",
        action="Use the address that this service printed at its start, or name the host in TRAWL_ALLOWED_HOSTS"
        + (", or the page's origin in TRAWL_CORS_ORIGINS" if header == "origin" else ""),
    )
