"""The bearer token of a request. It is taken from the header alone: addresses end up in logs and histories."""

from typing import Final

from starlette.datastructures import Headers

from indexer.errors import Authentication

_SCHEME: Final = "bearer"
_MAX_LENGTH: Final = 16_384


def bearer_token(headers: Headers) -> str | None:
    """Return the token; None without an Authorization header, `Authentication` if the header holds something else."""
    given = headers.getlist("authorization")
    if not given:
        return None
    scheme, _, token = given[0].partition(" ")
    if len(given) > 1 or scheme.lower() != _SCHEME or not token.strip() or len(token) > _MAX_LENGTH:
        raise Authentication(
            "The Authorization header is not a bearer token", action="Send one header: Authorization: Bearer <token>"
        )
    return token.strip()
