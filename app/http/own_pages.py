"""Which requests come from pages of this service: browsers say so, and no page of others can make them say it."""

from typing import Final

from starlette.datastructures import Headers
from starlette.types import Scope

from indexer.errors import Authorization

_SAME_ORIGIN: Final = "same-origin"
_HIDDEN: Final = "null"
"""What a browser sends as the origin of a form on a page that may not tell where it is."""


class ForeignPage(Authorization):
    """No page of this service sent the request."""

    def __init__(self) -> None:
        super().__init__(
            "This request does not come from a page of this service",
            action="Open the page of this service in a browser and sign in there; a program needs no session, and "
            "sends a token in the header Authorization",
        )


def own_origin(public_url: str | None) -> str | None:
    """Return the origin of the service's public URL."""
    return None if public_url is None else "/".join(public_url.lower().split("/")[:3])


def is_own_form(headers: Headers) -> bool:
    """Say whether a browser vouches that a page of this service sent the request, and hides only its origin."""
    hidden = headers.getlist("origin") in ([], [_HIDDEN])
    return hidden and headers.getlist("sec-fetch-site") == [_SAME_ORIGIN]


def refuse_foreign_page(scope: Scope, public_url: str) -> None:
    """Raise `ForeignPage` unless a page of this service sent the request: not even a program may."""
    headers = Headers(scope=scope)
    origins = {origin.lower() for origin in headers.getlist("origin")}
    public, host = own_origin(public_url), headers.get("host", "").lower()
    # Behind a proxy that ends TLS, the request itself may say http.
    own = {public, f"https://{host}", *([] if _has_tls(scope, public_url) else [f"http://{host}"])}
    if not is_own_form(headers) and (len(origins) != 1 or not origins <= own):
        raise ForeignPage


def _has_tls(scope: Scope, public_url: str) -> bool:
    return scope["scheme"] == "https" or public_url.startswith("https://")
