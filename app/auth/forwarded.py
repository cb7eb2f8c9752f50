"""Whether a proxy passed a request on: its sender may then be anybody, also on a service that listens on loopback."""

from typing import Final

from starlette.types import Scope

from app.settings import AppSettings, needs_tokens

_HEADERS: Final = frozenset({b"forwarded", b"via", b"x-real-ip", b"cf-connecting-ip", b"true-client-ip"})
_PREFIX: Final = b"x-forwarded-"


def is_forwarded(scope: Scope) -> bool:
    """Say whether the request has a header of a proxy."""
    names = (name.lower() for name, _ in scope["headers"])
    return any(name in _HEADERS or name.startswith(_PREFIX) for name in names)


def requires_token(settings: AppSettings, scope: Scope) -> bool:
    """Say whether a request needs a token or a session, by the settings and by how it came."""
    return needs_tokens(settings) or (settings.auth == "auto" and is_forwarded(scope))
