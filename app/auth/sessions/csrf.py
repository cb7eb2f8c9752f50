"""The CSRF token of a session: only a page that may read this service's answers knows it."""

import hmac
from typing import Final

from indexer.errors import Authorization
from mcp_server.upstream.telemetry import Hashes

CSRF_HEADER: Final = "x-csrf-token"
_PURPOSE: Final = "csrf"


class WrongCsrfToken(Authorization):
    """The request has a session's cookie and not its CSRF token: perhaps a page of others sent it."""

    def __init__(self) -> None:
        super().__init__(
            "The request does not have the CSRF token of this session",
            action="Reload the page and try again; a program sends a token in the header Authorization, and no cookie",
        )


class CsrfTokens:
    """Derived from the session and the service's key, so nothing has to be stored."""

    def __init__(self, keys: tuple[bytes, ...]) -> None:
        """Take the service's secret keys, the current one first: pages keep a token while the key is replaced."""
        self._hashes = [Hashes(key, _PURPOSE) for key in keys]

    def of(self, session: str) -> str:
        """Return the token of a session, by its id."""
        return self._hashes[0].name(session)

    def check(self, session: str, given: str) -> None:
        """Raise `WrongCsrfToken` unless this is the session's token."""
        raw = given.encode("utf-8", "surrogatepass")
        if not any(hmac.compare_digest(hashes.name(session).encode(), raw) for hashes in self._hashes):
            raise WrongCsrfToken
