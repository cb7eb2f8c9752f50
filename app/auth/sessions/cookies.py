"""Cookies that scripts cannot read and pages of others cannot send along with a call that changes something."""

from typing import Final

from starlette.datastructures import Headers
from starlette.requests import cookie_parser
from starlette.types import Scope

_HOST_PREFIX: Final = "__Host-"
"""Browsers take such a cookie from its own host alone and by TLS alone: no neighbouring host can set it."""
_MAX_LENGTH: Final = 4_096


class Cookie:
    """One cookie of this service. With TLS, at the public URL or in the request, it is bound to the host."""

    def __init__(self, name: str, seconds: int, public_url: str) -> None:
        self._name = name
        self._seconds = seconds
        self._is_public_by_tls = public_url.startswith("https://")

    def read(self, scope: Scope) -> str | None:
        """Return the value that the browser sent; None if it sent none."""
        headers = Headers(scope=scope).getlist("cookie")
        value = cookie_parser("; ".join(headers)).get(self._name_for(scope)) if headers else None
        return value if value and len(value) <= _MAX_LENGTH else None

    def setting(self, scope: Scope, value: str) -> str:
        """Return the `Set-Cookie` header that makes the browser keep a value."""
        return self._header(scope, value, self._seconds)

    def clearing(self, scope: Scope) -> str:
        """Return the `Set-Cookie` header that makes the browser forget it."""
        return self._header(scope, "", 0)

    def _header(self, scope: Scope, value: str, seconds: int) -> str:
        secure = "; Secure" if self._is_by_tls(scope) else ""
        return f"{self._name_for(scope)}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}"

    def _name_for(self, scope: Scope) -> str:
        return f"{_HOST_PREFIX}{self._name}" if self._is_by_tls(scope) else self._name

    def _is_by_tls(self, scope: Scope) -> bool:
        return self._is_public_by_tls or scope["scheme"] == "https"
