"""Hints for a search without results: fields and kinds that do not exist, with the closest that do."""

from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase
from typing import Final

import orjson

from indexer.errors import closest
from indexer.tenancy import Principal
from mcp_server.features.osdu.api.connection import OsduConnection
from mcp_server.features.osdu.api.records import parse_buckets
from mcp_server.features.osdu.api.request import QUERY, Search
from mcp_server.features.osdu.fields import sampled_fields, unknown_fields
from mcp_server.features.osdu.refreshing_cache import RefreshingCache
from mcp_server.features.osdu.results import Hints, OsduField

EVERYTHING: Final = "*:*:*:*"
_SAMPLE_SIZE: Final = 100


class PartitionContents:
    """The kinds and fields of a partition, cached and refreshed in the background."""

    def __init__(self, connection: OsduConnection, principal: Principal) -> None:
        self._connection = connection
        self._principal = principal
        self._kinds: RefreshingCache[list[str]] = RefreshingCache(self._fetch_kinds)
        self._fields: RefreshingCache[list[str]] = RefreshingCache(self._fetch_fields)

    def store_fields(self, kind: str | list[str], fields: Sequence[OsduField]) -> None:
        """Cache the fields of a kind that another call has sampled."""
        self._fields.put(_cache_key(kind), [field["path"] for field in fields])

    async def hints(self, kind: str | list[str], query_fields: Sequence[str]) -> Hints | None:
        """Return the likely mistakes of a search; None where none was found."""
        requested = [kind] if isinstance(kind, str) else kind
        kinds = [] if EVERYTHING in requested else closest_kinds(requested, await self._kinds.get("") or ())
        # A kind that does not exist has no fields, so those of all kinds are used.
        existing = await self._fields.get(_cache_key(EVERYTHING if kinds else kind)) if query_fields else None
        fields = unknown_fields(query_fields, existing) if existing else {}
        return Hints(unknown_fields=fields, closest_kinds=kinds) if fields or kinds else None

    async def aclose(self) -> None:
        """Cancel the refreshes that are running."""
        await self._kinds.aclose()
        await self._fields.aclose()

    async def _fetch_kinds(self, _: str) -> list[str]:
        search = Search(query="", kind=EVERYTHING, executed="", returned_fields=["id"], aggregate_by="kind")
        response = await self._connection.search(self._principal, QUERY, search.offset_body(1, 0))
        return [str(bucket["key"]) for bucket in parse_buckets(response.get("aggregations"))]

    async def _fetch_fields(self, key: str) -> list[str]:
        search = Search(query="", kind=orjson.loads(key), executed="")
        response = await self._connection.search(self._principal, QUERY, search.offset_body(_SAMPLE_SIZE, 0))
        return [field["path"] for field in sampled_fields(response["results"])]


def closest_kinds(requested: Iterable[str], existing: Iterable[str]) -> list[str]:
    """Return the existing kinds closest to the requested ones; none where a requested kind exists."""
    kinds = sorted(existing)
    patterns = [part for one in requested for part in one.split(",")]
    if not kinds or any(fnmatchcase(kind, pattern) for pattern in patterns for kind in kinds):
        return []
    near = [kind for pattern in patterns for kind in closest(pattern, kinds)]
    return list(dict.fromkeys(near))[:5]


def _cache_key(kind: str | list[str]) -> str:
    return orjson.dumps(kind).decode()
