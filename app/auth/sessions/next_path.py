"""Where a browser goes after the sign-in: a place of this service, whatever an address asks for."""

from typing import Final

HOME: Final = "/"
_MAX_LENGTH: Final = 2_000
"""It travels in a cookie to the issuer and back."""
_OWN: Final = "/auth/"
"""The sign-in itself is no place to come back to."""


def safe_next(wanted: str | None) -> str:
    """Return the path and query that were asked for; the home page for anything else."""
    if wanted is None or len(wanted) > _MAX_LENGTH:
        return HOME
    # Browsers drop control characters and take \ for /, so that what is left could name another host.
    is_plain = all("!" <= character <= "~" and character != "\\" for character in wanted)
    path = wanted.partition("?")[0]
    is_own = path.startswith("/") and "//" not in path and not path.startswith(_OWN)
    return wanted if is_plain and is_own else HOME
