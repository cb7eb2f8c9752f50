"""Whether a proxy passed a request on: its sender may then be anybody, also on a service that listens on loopback."""

from typing import Final

from starlette.types import Scope

_HEADERS: Final = frozenset(
    {
        b"forwarded",
        b"via",
        b"x-forwarded-for",
        b"x-forwarded-host",
        b"x-forwarded-proto",
        b"x-real-ip",
        b"cf-connecting-ip",
        b"true-client-ip",
    }
)


def is_forwarded(scope: Scope) -> bool:
    """Say whether the request has a header of a proxy."""
    return any(name.lower() in _HEADERS for name, _ in scope["headers"])
