"""Calls to a service that may die at any moment, over both of its doors."""

from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack
from types import TracebackType
from typing import Any, Self

import httpx

PATIENCE = 240.0
UNANSWERED = frozenset({"unavailable", "timeout", "rate_limit"})
"""Failures after which a change may have been carried out or not."""


class Unanswered(Exception):
    """Nobody knows whether the call was carried out; it says what is known."""

    def __init__(self, kind: str, known: object) -> None:
        super().__init__(kind, known)
        self.kind = kind
        """The category of the failure, or what became of the connection."""


class Refused(AssertionError):
    """An answer that no fault excuses."""

    def __init__(self, result: dict[str, Any]) -> None:
        super().__init__(result)
        self.category = result.get("error_category")


class Calling:
    """A client; an answer that is neither a success nor one of `UNANSWERED` fails the test."""

    def __init__(self, url: str) -> None:
        self.url = url
        self._http = httpx.AsyncClient(base_url=url, trust_env=False, timeout=PATIENCE)
        self._open = AsyncExitStack()

    async def __aenter__(self) -> Self:
        await self._open.enter_async_context(self._http)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._open.aclose()

    async def rest(
        self, method: str, path: str, body: dict[str, Any] | None = None, query: dict[str, str] | None = None
    ) -> dict[str, Any]:
        try:
            answer = await self._http.request(method, f"/api/v1{path}", json=body, params=query)
            result: dict[str, Any] = answer.json()
        except httpx.TransportError as error:
            raise Unanswered(type(error).__name__, repr(error)) from error
        return _success(result)

    async def tool(self, name: str, **arguments: Any) -> dict[str, Any]:
        asked = {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "tools/call",
            "params": {"name": name, "arguments": arguments},
        }
        headers = {"accept": "application/json, text/event-stream", "mcp-protocol-version": "2025-11-25"}
        try:
            answer = await self._http.post("/mcp", json=asked, headers=headers)
            body: dict[str, Any] = answer.json()
        except httpx.TransportError as error:
            raise Unanswered(type(error).__name__, repr(error)) from error
        result = body.get("result", {"isError": True})
        if result.get("isError"):
            raise Refused(body)
        return _success(result["structuredContent"])

    async def add(self, documents: Mapping[str, int], text: Callable[[str, int], str]) -> None:
        """Add documents at once over REST; one that failed alone leaves all of them uncertain."""
        given = [
            {"doc_id": id_, "content": text(id_, value), "metadata": {"n": value}} for id_, value in documents.items()
        ]
        result = await self.rest("POST", "/indices/default/documents", {"documents": given})
        if result["failed"]:
            raise Unanswered("in part", result["results"])

    async def document(self, id_: str) -> dict[str, Any] | None:
        """Return a document; None if there is none."""
        try:
            return await self.rest("GET", f"/indices/default/documents/{id_}")
        except Refused as failure:
            if failure.category != "not_found":
                raise
            return None

    async def numbered(self, query: str) -> dict[str, int]:
        """Return all documents that match, each with its number; one that comes twice fails the test."""
        found: dict[str, int] = {}
        asked: dict[str, Any] = {"query": query, "k": 1_000}
        while True:
            page = await self.rest("POST", "/indices/default/search", asked)
            for hit in page["results"]:
                assert hit["doc_id"] not in found
                found[hit["doc_id"]] = hit["metadata"]["n"]
            if page["next_cursor"] is None:
                assert page["total_matches"] == len(found)
                return found
            asked["cursor"] = page["next_cursor"]

    async def archived(self) -> Counter[str]:
        """Return the paths in the archive and how often each is there."""
        paths: Counter[str] = Counter()
        query = {"limit": "200"}
        while True:
            page = await self.rest("GET", "/archives/documents", query=query)
            paths.update(document["path"] for document in page["documents"])
            if page["next_cursor"] is None:
                assert page["total"] == paths.total()
                return paths
            query["cursor"] = page["next_cursor"]


def _success(result: dict[str, Any]) -> dict[str, Any]:
    if not result["success"]:
        if result.get("error_category") not in UNANSWERED:
            raise Refused(result)
        raise Unanswered(result["error_category"], result)
    return result
