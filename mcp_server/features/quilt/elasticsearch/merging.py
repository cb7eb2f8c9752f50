"""Packages and objects in one order, though their indices have none in common: each is asked for by itself."""

from collections.abc import Awaitable, Callable
from dataclasses import replace

from mcp_server.features.quilt.backend import Found, Page, Position
from mcp_server.features.quilt.hits import rank
from mcp_server.features.quilt.query.question import Question
from mcp_server.features.quilt.results import CatalogHit, Kind


async def merged(question: Question, page: Page, ask: Callable[[Question, Page], Awaitable[Found]]) -> Found:
    """Return one page of all kinds; a position has the places of the kinds that are not at their end."""
    places: dict[Kind, Position | None] = (
        dict.fromkeys(question.kinds) if page.position is None else dict(page.position)
    )
    kinds = list(places)
    founds = [
        await ask(replace(question, conditions={kind: question.conditions[kind]}), replace(page, position=places[kind]))
        for kind in kinds
    ]
    left = [found.hits[::-1] for found in founds]
    taken: list[tuple[int, CatalogHit]] = []
    while len(taken) < (page.limit or 0) and (heads := [number for number, hits in enumerate(left) if hits]):
        best = min(heads, key=lambda number: rank(left[number][-1], question.order))
        taken.append((best, left[best].pop()))

    def after(count: int) -> Position | None:
        numbers = [number for number, _ in taken[:count]]
        following: Position = []
        for number, (kind, found) in enumerate(zip(kinds, founds, strict=True)):
            shown = numbers.count(number)
            place = found.after(shown) if shown else places[kind]
            if found.hits and (place is not None or not shown):
                following.append([kind, place])
        return following or None

    return Found(
        hits=[hit for _, hit in taken],
        total=sum(found.total or 0 for found in founds),
        after=after,
        skipped_buckets=sorted({bucket for found in founds for bucket in found.skipped_buckets}),
        at_least=any(found.at_least for found in founds),
    )
