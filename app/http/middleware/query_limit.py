"""Limits the length of query strings and the number of their arguments, which are parsed all at once."""

from typing import Final

from starlette.types import ASGIApp, Receive, Scope, Send

from app.http.failures import failure_response
from indexer.errors import Invalid

_MAX_BYTES: Final = 60_000
_MAX_ARGUMENTS: Final = 100


class QueryLimit:
    """Responds 422 to a longer query string."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and _exceeds(scope["query_string"]):
            failure = Invalid(
                "The query string is too long",
                action=f"Give at most {_MAX_ARGUMENTS} arguments in {_MAX_BYTES:,} bytes; searches also take a body",
                details={"limit_bytes": _MAX_BYTES, "limit_arguments": _MAX_ARGUMENTS},
            )
            await failure_response(failure)(scope, receive, send)
            return
        await self.app(scope, receive, send)


def _exceeds(query: bytes) -> bool:
    return len(query) > _MAX_BYTES or query.count(b"&") >= _MAX_ARGUMENTS
