"""Pages of one search. By score: a plain first page, then a frozen view without what was shown. By field: by value.

`Paged` is the same for every kind of index; how a hit looks, and how many fit, is the caller's `render`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final, Generic, TypeVar

from indexer.cursors import Cursor
from indexer.engines.port import FacetValue, Hit, Reader, SearchRequest, SearchResponse, Target
from indexer.errors import ExpiredView, MissingIndex
from indexer.index.record import IndexRecord
from indexer.search.truncate import TruncatedPage
from indexer.tenancy import DocumentId
from indexer.text.truncate import fits

Shown = TypeVar("Shown")
Render = Callable[[list[Hit], float], TruncatedPage[Shown]]
"""Makes what the caller sees of the hits, given the best score of the first page; may drop some from the end."""

_MOST_SHOWN: Final = 100
_LONGEST_SHOWN: Final = 4_000


@dataclass(frozen=True, slots=True)
class Paged(Generic[Shown]):
    """One page as the caller sees it, and where the next one starts, if there is one."""

    fitted: TruncatedPage[Shown]
    total: int
    facets: dict[str, list[FacetValue]]
    following: Cursor | None


@dataclass(frozen=True, slots=True)
class _Page:
    hits: list[Hit]
    facets: dict[str, list[FacetValue]]
    start: Cursor
    """The search before this page; `left` counts this page's hits too."""
    more: bool = False
    """For pages by field: whether any hit follows these."""


async def read_page(
    reader: Reader, record: IndexRecord, wanted: SearchRequest, cursor: Cursor | None, render: Render[Shown]
) -> Paged[Shown]:
    """Read the page after the cursor, or the first one; the index must have a serving generation."""
    if wanted.sort:
        page = await _by_field(reader, record, wanted, cursor)
    else:
        page = await _by_score(reader, record, wanted, cursor)
    fitted = render(page.hits, page.start.best or 0.0)
    if not wanted.sort and page.start.view is None and not _can_go_on_by_ids(page, len(fitted.hits)):
        page = await _in_new_view(reader, record, wanted, cursor)
        fitted = render(page.hits, page.start.best or 0.0)
    following = _following(page, len(fitted.hits), by_field=bool(wanted.sort))
    return Paged(fitted, page.start.total, page.facets, following)


async def _by_score(reader: Reader, record: IndexRecord, wanted: SearchRequest, cursor: Cursor | None) -> _Page:
    """Open no view where this page is likely the last: a cluster keeps only some hundreds of them."""
    if cursor is None:
        found = await reader.search(_serving(record), wanted)
        return _Page(found.hits, found.facets, _start(record, found))
    if cursor.view is not None:
        return await _in_view(reader, record, wanted, cursor)
    if cursor.total - len(cursor.shown) > wanted.size:
        return await _in_new_view(reader, record, wanted, cursor)
    page = await _rest(reader, _serving(record), wanted, cursor)
    return page if page.start.left == len(page.hits) else await _in_new_view(reader, record, wanted, cursor)


async def _in_new_view(reader: Reader, record: IndexRecord, wanted: SearchRequest, cursor: Cursor | None) -> _Page:
    target = _serving(record)
    view = await reader.open_view(target)
    if cursor is not None:
        return await _rest(reader, target, wanted, replace(cursor, view=view, generation=_generation(record)))
    found = await reader.search(target, replace(wanted, view=view))
    return _Page(found.hits, found.facets, replace(_start(record, found), view=view))


async def _in_view(reader: Reader, record: IndexRecord, wanted: SearchRequest, cursor: Cursor) -> _Page:
    target = record.serving_target(cursor.generation)
    if target is None:
        raise ExpiredView
    try:
        return await _rest(reader, target, wanted, cursor)
    except MissingIndex:
        raise ExpiredView from None


async def _rest(reader: Reader, target: Target, wanted: SearchRequest, cursor: Cursor) -> _Page:
    """Read what comes after the cursor, in its view if it has one."""
    wanted = replace(wanted, view=cursor.view)
    later = replace(wanted, after=cursor.position, without=_ids(cursor.shown), facets=())
    found = await reader.search(target, later)
    # Facets count all matches, also those that earlier pages have shown.
    facets = await _facets(reader, target, wanted)
    left = found.total if cursor.left is None else cursor.left
    return _Page(found.hits, facets, replace(cursor, left=left))


async def _by_field(reader: Reader, record: IndexRecord, wanted: SearchRequest, cursor: Cursor | None) -> _Page:
    target = _serving(record)
    one_more = replace(wanted, size=wanted.size + 1, after=cursor.position if cursor else None)
    found = await reader.search(target, one_more)
    start = cursor or replace(_start(record, found), left=None)
    return _Page(found.hits[: wanted.size], found.facets, start, more=len(found.hits) > wanted.size)


async def _facets(reader: Reader, target: Target, wanted: SearchRequest) -> dict[str, list[FacetValue]]:
    if not wanted.facets:
        return {}
    counted = replace(wanted, size=0, snippets=0, text=False, explain=False)
    return (await reader.search(target, counted)).facets


def _can_go_on_by_ids(page: _Page, shown: int) -> bool:
    if shown >= (page.start.left or 0):
        return True
    ids = _shown_so_far(page, shown)
    return len(ids) <= _MOST_SHOWN and fits(ids, _LONGEST_SHOWN)


def _shown_so_far(page: _Page, shown: int) -> tuple[str, ...]:
    return (*page.start.shown, *(hit.id for hit in page.hits[:shown]))


def _following(page: _Page, shown: int, *, by_field: bool) -> Cursor | None:
    start = page.start
    dropped = shown < len(page.hits)
    if shown == 0:
        return None
    if by_field:
        return replace(start, position=page.hits[shown - 1].position) if dropped or page.more else None
    left = (start.left or 0) - shown
    if left <= 0:
        return None
    if start.view is not None:
        return replace(start, position=page.hits[shown - 1].position, left=left)
    # Not a view yet: how many are left is counted when the next page opens one.
    return replace(start, shown=_shown_so_far(page, shown), left=None)


def _start(record: IndexRecord, found: SearchResponse) -> Cursor:
    best = found.hits[0].score if found.hits else None
    return Cursor(found.total, _generation(record), left=found.total, best=best)


def _serving(record: IndexRecord) -> Target:
    target = record.serving_target()
    if target is None:
        raise MissingIndex
    return target


def _generation(record: IndexRecord) -> int:
    return record.serving.number if record.serving else 0


def _ids(shown: Sequence[str]) -> tuple[DocumentId, ...]:
    return tuple(DocumentId(id_) for id_ in shown)
