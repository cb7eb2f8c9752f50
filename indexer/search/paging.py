"""Reads one page of a search and decides where the next one starts.

Sorted by field, a page starts after the sort values of the last hit. Sorted by score, there are three cases:

- The first page is a plain search. Most searches end here, and an engine keeps only some hundreds of point-in-time
  views open.
- A later page that is probably the last is a plain search too. It excludes the hits already returned, whose IDs the
  cursor carries.
- Every other page is read from a point-in-time view, so that concurrent writes neither repeat nor skip a hit. The
  cursor carries the view and a position in it.

The caller's `render` may drop hits from the end of a page to fit `max_chars`. The next page then starts with them.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final, Generic, TypeVar

from indexer.cursors import Cursor
from indexer.engines.port import FacetValue, Hit, Reader, SearchRequest, SearchResponse, Target
from indexer.errors import ExpiredView, MissingIndex
from indexer.index.record import IndexRecord
from indexer.query.ast import Query
from indexer.search.truncate import TruncatedPage
from indexer.tenancy import DocumentId
from indexer.text.truncate import fits

RenderedHit = TypeVar("RenderedHit")
Render = Callable[[Query, list[Hit], float], TruncatedPage[RenderedHit]]
"""Renders the hits of a query for the caller, given the best score of the first page; may drop hits from the end."""

_MAX_RETURNED_IDS: Final = 100
_MAX_RETURNED_IDS_CHARS: Final = 4_000


@dataclass(frozen=True, slots=True)
class RenderedPage(Generic[RenderedHit]):
    """One rendered page; `next_cursor` is None on the last page."""

    page: TruncatedPage[RenderedHit]
    total: int
    facets: dict[str, list[FacetValue]]
    next_cursor: Cursor | None


@dataclass(frozen=True, slots=True)
class _RawPage:
    """The hits of one page, before rendering."""

    hits: list[Hit]
    facets: dict[str, list[FacetValue]]
    start: Cursor
    """The state of the search at the start of this page; `left` still counts the hits of this page."""
    has_more: bool = False
    """Whether more hits follow; set only when sorted by field."""


async def read_page(
    reader: Reader, record: IndexRecord, request: SearchRequest, cursor: Cursor | None, render: Render[RenderedHit]
) -> RenderedPage[RenderedHit]:
    """Read and render the page after the cursor, or the first page; the index must have a serving generation."""
    if request.sort:
        raw = await _read_by_field(reader, record, request, cursor)
    else:
        raw = await _read_by_score(reader, record, request, cursor)
    page = render(request.query, raw.hits, raw.start.best or 0.0)
    if not request.sort and raw.start.view is None and not _can_continue_without_view(raw, len(page.hits)):
        # The cursor cannot hold so many IDs, so this page is read again from a view.
        raw = await _read_in_new_view(reader, record, request, cursor)
        page = render(request.query, raw.hits, raw.start.best or 0.0)
    next_cursor = _next_cursor(raw, len(page.hits), by_field=bool(request.sort))
    return RenderedPage(page, raw.start.total, raw.facets, next_cursor)


async def _read_by_score(
    reader: Reader, record: IndexRecord, request: SearchRequest, cursor: Cursor | None
) -> _RawPage:
    if cursor is None:
        response = await reader.search(_serving_target(record), request)
        return _RawPage(response.hits, response.facets, _first_cursor(record, response))
    if cursor.view is not None:
        return await _read_in_view(reader, record, request, cursor)
    if cursor.total - len(cursor.shown) > request.size:
        return await _read_in_new_view(reader, record, request, cursor)
    # This page is probably the last one, and then needs no view.
    raw = await _read_after(reader, _serving_target(record), request, cursor)
    return raw if raw.start.left == len(raw.hits) else await _read_in_new_view(reader, record, request, cursor)


async def _read_in_new_view(
    reader: Reader, record: IndexRecord, request: SearchRequest, cursor: Cursor | None
) -> _RawPage:
    target = _serving_target(record)
    view = await reader.open_view(target)
    if cursor is not None:
        in_view = replace(cursor, view=view, generation=_serving_generation(record))
        return await _read_after(reader, target, request, in_view)
    response = await reader.search(target, replace(request, view=view))
    return _RawPage(response.hits, response.facets, replace(_first_cursor(record, response), view=view))


async def _read_in_view(reader: Reader, record: IndexRecord, request: SearchRequest, cursor: Cursor) -> _RawPage:
    """Read from the cursor's view, in the generation that the view belongs to."""
    target = record.serving_target(cursor.generation)
    if target is None:
        raise ExpiredView
    try:
        return await _read_after(reader, target, request, cursor)
    except MissingIndex:
        raise ExpiredView from None


async def _read_after(reader: Reader, target: Target, request: SearchRequest, cursor: Cursor) -> _RawPage:
    """Read the hits after the cursor, in its view if it has one."""
    request = replace(request, view=cursor.view)
    following = replace(request, after=cursor.position, without=_document_ids(cursor.shown), facets=())
    response = await reader.search(target, following)
    # Facets count all matches, also the hits of earlier pages, so they need a search of their own.
    facets = await _count_facets(reader, target, request)
    left = response.total if cursor.left is None else cursor.left
    return _RawPage(response.hits, facets, replace(cursor, left=left))


async def _read_by_field(
    reader: Reader, record: IndexRecord, request: SearchRequest, cursor: Cursor | None
) -> _RawPage:
    target = _serving_target(record)
    # One extra hit shows whether another page follows.
    extended = replace(request, size=request.size + 1, after=cursor.position if cursor else None)
    response = await reader.search(target, extended)
    start = cursor or replace(_first_cursor(record, response), left=None)
    has_more = len(response.hits) > request.size
    return _RawPage(response.hits[: request.size], response.facets, start, has_more=has_more)


async def _count_facets(reader: Reader, target: Target, request: SearchRequest) -> dict[str, list[FacetValue]]:
    if not request.facets:
        return {}
    counts_only = replace(request, size=0, snippets=0, text=False, explain=False)
    return (await reader.search(target, counts_only)).facets


def _can_continue_without_view(raw: _RawPage, returned: int) -> bool:
    """Return whether this is the last page, or the cursor can hold the IDs of all hits returned so far."""
    if returned >= (raw.start.left or 0):
        return True
    ids = _returned_ids(raw, returned)
    return len(ids) <= _MAX_RETURNED_IDS and fits(ids, _MAX_RETURNED_IDS_CHARS)


def _returned_ids(raw: _RawPage, returned: int) -> tuple[str, ...]:
    return (*raw.start.shown, *(hit.id for hit in raw.hits[:returned]))


def _next_cursor(raw: _RawPage, returned: int, *, by_field: bool) -> Cursor | None:
    """Return the cursor after the first `returned` hits of this page; None if no hit is left."""
    start = raw.start
    has_dropped = returned < len(raw.hits)
    if returned == 0:
        return None
    if by_field:
        return replace(start, position=raw.hits[returned - 1].position) if has_dropped or raw.has_more else None
    left = (start.left or 0) - returned
    if left <= 0:
        return None
    if start.view is not None:
        return replace(start, position=raw.hits[returned - 1].position, left=left)
    # Without a view the number of remaining hits can change; the next page counts them.
    return replace(start, shown=_returned_ids(raw, returned), left=None)


def _first_cursor(record: IndexRecord, response: SearchResponse) -> Cursor:
    best = response.hits[0].score if response.hits else None
    return Cursor(response.total, _serving_generation(record), left=response.total, best=best)


def _serving_target(record: IndexRecord) -> Target:
    target = record.serving_target()
    if target is None:
        raise MissingIndex
    return target


def _serving_generation(record: IndexRecord) -> int:
    return record.serving.number if record.serving else 0


def _document_ids(ids: Sequence[str]) -> tuple[DocumentId, ...]:
    return tuple(DocumentId(id_) for id_ in ids)
