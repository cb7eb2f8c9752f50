"""The port between a sandbox and its search engine: one request in Elasticsearch's language, one response."""

from collections.abc import Sequence
from typing import Any, Protocol

Body = dict[str, Any]


class BadRequest(Exception):
    """The engine refuses a request; the message says why, and may repeat parts of the request."""

    def __init__(self, reason: str, status: int = 400) -> None:
        super().__init__(reason)
        self.status = status


class SearchEngine(Protocol):
    """Holds indices, and searches them."""

    async def search(self, indices: Sequence[str], body: Body) -> Body:
        """Return the response of Elasticsearch to a search of these indices; raises `BadRequest`."""
