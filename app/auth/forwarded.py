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


class TokenRule:
    """Which requests need a token or a session. The settings are looked at once."""

    def __init__(self, settings: AppSettings) -> None:
        self._for_all = needs_tokens(settings)
        self._if_forwarded = settings.auth == "auto"

    def applies_to(self, scope: Scope) -> bool:
        """Say whether it is needed, by the settings and by how the request came."""
        return self._for_all or (self._if_forwarded and is_forwarded(scope))
