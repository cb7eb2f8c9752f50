"""Sends search requests to the cluster: each ends by its deadline."""

import asyncio
from http import HTTPStatus
from math import ceil
from typing import Any, Final

from opensearchpy import AsyncOpenSearch

from indexer.deadline import remaining
from indexer.engines.opensearch.failures import raise_if_partial, timed_out, translate_errors
from indexer.engines.opensearch.retries import READ_BACKOFF_SECONDS
from indexer.engines.opensearch.search.request import Body
from indexer.engines.port import SearchRequest, Target
from indexer.errors import ExpiredView, MissingIndex, Unavailable
from indexer.tenancy import PhysicalName

_PARAMETERS: Final = {"allow_partial_search_results": "false", "include_named_queries_score": "true"}
"""The second one makes `matched_queries` an object of names and scores; it has no effect in the body."""


class Searches:
    """Sends search requests over one client. A late or partial response raises."""

    def __init__(self, client: AsyncOpenSearch, timeout: float) -> None:
        self._client = client
        self._timeout_seconds = timeout

    async def in_index_or_view(self, target: Target, request: SearchRequest, body: Body) -> dict[str, Any]:
        """Search the view of the request, or the index if it has none."""
        if request.view is None:
            return await self.send(body, target.physical)
        try:
            return await self.send(body, None)
        except MissingIndex:
            # The index that the view was opened on is gone, which says nothing about the target's index.
            raise ExpiredView from None
        except Unavailable as failure:
            if failure.details.get("status") == HTTPStatus.BAD_REQUEST:
                raise ExpiredView from None
            raise

    async def send(self, body: Body, physical: PhysicalName | None) -> dict[str, Any]:
        """Search before the deadline. The cluster gives up what takes longer; a closed connection ends it earlier."""
        seconds = remaining(self._timeout_seconds)
        body["timeout"] = f"{ceil(seconds * 1_000)}ms"
        try:
            async with asyncio.timeout(seconds):
                return await self._send_with_retry(body, physical)
        except TimeoutError:
            raise timed_out() from None

    async def _send_with_retry(self, body: Body, physical: PhysicalName | None) -> dict[str, Any]:
        """Retry with backoff while a shard is unavailable."""
        for backoff in READ_BACKOFF_SECONDS:
            try:
                return await self._send_once(body, physical)
            except Unavailable as failure:
                if failure.details.get("status") != HTTPStatus.SERVICE_UNAVAILABLE:
                    raise
            await asyncio.sleep(backoff)
        return await self._send_once(body, physical)

    async def _send_once(self, body: Body, physical: PhysicalName | None) -> dict[str, Any]:
        with translate_errors():
            response: dict[str, Any] = await self._client.search(
                index=physical, body=body, params={**_PARAMETERS, "cancel_after_time_interval": body["timeout"]}
            )
        raise_if_partial(response)
        return response
