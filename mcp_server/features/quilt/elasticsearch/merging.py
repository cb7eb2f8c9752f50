"""Merges packages and objects into one order. Their indices share no sort field, so each kind is searched alone."""

from collections.abc import Awaitable, Callable
from dataclasses import replace

from mcp_server.features.quilt.backend import PageRequest, PageResult, Position
from mcp_server.features.quilt.hits import sort_key
from mcp_server.features.quilt.query.catalog_query import CatalogQuery
from mcp_server.features.quilt.results import CatalogHit, Kind


async def search_merged(
    query: CatalogQuery, page: PageRequest, search_kind: Callable[[CatalogQuery, PageRequest], Awaitable[PageResult]]
) -> PageResult:
    """Return one page of all kinds; its position holds those of the kinds that have more results."""
    positions: dict[Kind, Position | None] = (
        dict.fromkeys(query.kinds) if page.position is None else dict(page.position)
    )
    kinds = list(positions)
    results = [
        await search_kind(
            replace(query, conditions={kind: query.conditions[kind]}), replace(page, position=positions[kind])
        )
        for kind in kinds
    ]
    remaining = [result.hits[::-1] for result in results]
    taken: list[tuple[int, CatalogHit]] = []
    while len(taken) < (page.limit or 0) and (candidates := [number for number, hits in enumerate(remaining) if hits]):
        best = min(candidates, key=lambda number: sort_key(remaining[number][-1], query.order))
        taken.append((best, remaining[best].pop()))

    def position_after(count: int) -> Position | None:
        numbers = [number for number, _ in taken[:count]]
        next_positions: Position = []
        for number, (kind, result) in enumerate(zip(kinds, results, strict=True)):
            count_of_kind = numbers.count(number)
            position = result.position_after(count_of_kind) if count_of_kind else positions[kind]
            if result.hits and (position is not None or not count_of_kind):
                next_positions.append([kind, position])
        return next_positions or None

    return PageResult(
        hits=[hit for _, hit in taken],
        total=sum(result.total or 0 for result in results),
        position_after=position_after,
        skipped_buckets=sorted({bucket for result in results for bucket in result.skipped_buckets}),
        total_is_lower_bound=any(result.total_is_lower_bound for result in results),
    )
