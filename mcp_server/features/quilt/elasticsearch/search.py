"""Searches the registry's Elasticsearch. Indices are listed by name; those that cannot be searched are left out."""

from collections.abc import Iterable, Sequence
from typing import Final

import orjson

from indexer.tenancy import Principal
from mcp_server.features.quilt.api.connection import QuiltConnection
from mcp_server.features.quilt.backend import PageRequest, PageResult, Position
from mcp_server.features.quilt.elasticsearch.merging import search_merged
from mcp_server.features.quilt.elasticsearch.query import FLAT_PACKAGES, MATCH_NONE, Body, search_body
from mcp_server.features.quilt.elasticsearch.responses import PACKAGES_SUFFIX, bucket_of, parse_page
from mcp_server.features.quilt.failures import IndicesNotSearchable, invalid, not_permitted, unknown_bucket, unsupported
from mcp_server.features.quilt.query.catalog_query import CatalogQuery
from mcp_server.features.quilt.results import Backend, Kind

_MAX_RESULT_WINDOW: Final = 10_000
_PROBE_INDEX: Final = "trawl-looks-whether-there-is-search"
"""An index that no catalog has. A request for it tells whether the registry has Elasticsearch."""
RefusedIndices = dict[str, bool]
"""Indices that cannot be searched: True where access is denied, False where the index is missing."""


class ElasticsearchSearch:
    """One registry's Elasticsearch. Buckets are None where the catalog cannot list them."""

    name: Backend = "elasticsearch"

    def __init__(self, connection: QuiltConnection, registry: str, buckets: list[str] | None) -> None:
        self._connection = connection
        self._registry = registry
        self._buckets = buckets
        self._refused: RefusedIndices = {}
        self._has_flat_packages: bool | None = None

    async def search(self, principal: Principal, query: CatalogQuery, page: PageRequest) -> PageResult:
        if page.limit is None or query.order == "best" or len(query.kinds) == 1:
            return await self._search_page(principal, query, page)
        return await search_merged(query, page, lambda of_kind, part: self._search_page(principal, of_kind, part))

    async def searchable_buckets(self, principal: Principal, *, fresh: bool = True) -> list[str] | None:
        """Ask for no results of all indices, which tells the denied ones, and whether there is Elasticsearch at all."""
        buckets = self._buckets or []
        indices = [index for bucket in buckets for index in _indices(bucket) if index not in self._refused]
        try:
            await self._request(principal, MATCH_NONE, indices or [_PROBE_INDEX], size=0, fresh=fresh)
        except IndicesNotSearchable as error:
            if indices:
                await self._find_refused(principal, indices, error, self._refused)
        if self._buckets is None:
            return None
        return [bucket for bucket in buckets if not self._refused.keys() >= set(_indices(bucket))]

    async def _search_page(self, principal: Principal, query: CatalogQuery, page: PageRequest) -> PageResult:
        start, search_after = page.position or (0, None)
        size, offset = page.limit or 0, start
        goes_past_window = start + size > _MAX_RESULT_WINDOW and search_after is not None
        if goes_past_window:
            # Offsets end at the result window; search_after continues from the sort values of the last hit.
            offset = 0
        elif size and start >= _MAX_RESULT_WINDOW:
            raise invalid(
                f"This catalog's search goes no further than {_MAX_RESULT_WINDOW:,} results",
                "Narrow the search by bucket, filters or more words",
            )
        else:
            size = min(size, _MAX_RESULT_WINDOW - start)
        body = search_body(
            query, with_hits=page.limit is not None, search_after=search_after if goes_past_window else None
        )
        # Refused indices are cached only for searches of all buckets; a named bucket is always requested again.
        refused = self._refused if query.bucket is None else {}
        indices = self._searchable(query, await self._index_names(principal, query), refused)
        while indices:
            try:
                await self._check_metadata(principal, query, indices)
                response = await self._request(principal, body, indices, size=size, start=offset, fresh=page.fresh)
            except IndicesNotSearchable as error:
                await self._find_refused(principal, indices, error, refused)
                remaining = self._searchable(query, indices, refused)
                if remaining == indices:
                    # Each index can be searched alone, but not so many at once: half of them are skipped and reported.
                    refused.update(dict.fromkeys(indices[len(indices) // 2 :], True))
                    remaining = indices[: len(indices) // 2]
                indices = remaining
                continue
            return _page_result(response, start, _denied_buckets(refused))
        return PageResult([], 0, lambda _: None)

    async def _index_names(self, principal: Principal, query: CatalogQuery) -> list[str]:
        buckets = self._buckets if query.bucket is None else [query.bucket]
        if buckets is None:
            await self.searchable_buckets(principal)
            raise invalid(
                "This catalog cannot list its buckets",
                "Name a bucket; the operator can name them all in TRAWL_QUILT_BUCKETS",
            )
        if self._buckets is not None and query.bucket is not None and query.bucket not in self._buckets:
            raise unknown_bucket(query.bucket, self._buckets)
        return [index for bucket in buckets for index in _indices(bucket, query.kinds)]

    def _searchable(self, query: CatalogQuery, indices: Sequence[str], refused: RefusedIndices) -> list[str]:
        """Return the indices that are not refused; raise a failure where all of them are denied."""
        remaining = [index for index in indices if index not in refused]
        if not remaining and any(refused[index] for index in indices):
            raise not_permitted(query.bucket)
        if not remaining and query.bucket is not None and self._buckets is None:
            raise unknown_bucket(query.bucket, [])
        return remaining

    async def _find_refused(
        self, principal: Principal, indices: Sequence[str], error: IndicesNotSearchable, refused: RefusedIndices
    ) -> None:
        """Find the indices that cannot be searched, by bisection, and add them to `refused`."""
        if len(indices) == 1:
            refused[indices[0]] = error.denied
            return
        half = len(indices) // 2
        for part in (indices[:half], indices[half:]):
            try:
                await self._request(principal, MATCH_NONE, part, size=0, fresh=True)
            except IndicesNotSearchable as narrower:
                await self._find_refused(principal, part, narrower, refused)

    async def _check_metadata(self, principal: Principal, query: CatalogQuery, indices: Sequence[str]) -> None:
        """Raise a failure for filters by user metadata where packages are indexed as text; requested once."""
        if not any(condition.pointer for condition in query.conditions.get("package", ())):
            return
        if self._has_flat_packages is None:
            self._has_flat_packages = (
                parse_page(await self._request(principal, FLAT_PACKAGES, indices, size=0, fresh=True)).total > 0
            )
        if self._has_flat_packages:
            raise unsupported(
                "This catalog's index cannot filter by user metadata",
                "Leave out meta.… and put the value into the query instead",
            )

    async def _request(
        self, principal: Principal, body: Body, indices: Sequence[str], *, size: int, start: int = 0, fresh: bool
    ) -> Body:
        parameters = {
            "index": ",".join(indices),
            "action": "freeform",
            "body": orjson.dumps(body).decode(),
            "size": str(size),
            "from": str(start),
        }
        response: Body = await self._connection.search(principal, self._registry, parameters, fresh=fresh)
        return response


def _indices(bucket: str, kinds: Iterable[Kind] = ("package", "object")) -> list[str]:
    return [bucket + (PACKAGES_SUFFIX if kind == "package" else "") for kind in kinds]


def _page_result(response: Body, start: int, skipped_buckets: list[str]) -> PageResult:
    page = parse_page(response)

    def position_after(count: int) -> Position | None:
        return [start + count, page.sort_values[count - 1]] if count and start + count < page.total else None

    return PageResult(page.hits, page.total, position_after, skipped_buckets, page.total_is_lower_bound)


def _denied_buckets(refused: RefusedIndices) -> list[str]:
    return sorted({bucket_of(index) for index, denied in refused.items() if denied})
