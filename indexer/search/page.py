"""Searches one page of any kind of index: parse, validate, read, suggest. The caller renders the hits."""

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypeVar

from indexer.cursors import Binding, Cursor, bind
from indexer.engines.port import Reader, SearchRequest, Target
from indexer.index.record import IndexRecord
from indexer.library import Library
from indexer.open_views import CallerKey, CallerViews
from indexer.query.filters import parse_filters
from indexer.query.parse_text import Clause, parse_text
from indexer.query.validate import ValidatedQuery, validate
from indexer.query.validate_words import NO_CORRECTIONS, Corrections, correctable_words
from indexer.search.corrections import find_corrections
from indexer.search.facets import FacetCount, facet_counts
from indexer.search.paging import Render, read_page
from indexer.search.suggest import suggest_query
from indexer.search.truncate import TruncatedPage
from indexer.text.clean import clean, clean_text

RenderedHit = TypeVar("RenderedHit")


@dataclass(frozen=True, slots=True)
class PageRequest:
    """One search request, for any kind of index."""

    query: str
    size: int
    caller: CallerKey
    """Whose open views a further page counts towards."""
    filters: Mapping[str, Any] | None = None
    sort: Sequence[str] | None = None
    facets: Sequence[str] | None = None
    fuzzy: bool = False
    explain: bool = False
    cursor: str | None = None
    snippets: int = 3
    text: bool = False


@dataclass(frozen=True, slots=True)
class PageResult(Generic[RenderedHit]):
    """One page of hits, rendered by the caller's `render`, with totals, facets, suggestion and next cursor."""

    validated: ValidatedQuery
    page: TruncatedPage[RenderedHit]
    total: int
    facets: dict[str, list[FacetCount]]
    did_you_mean: str | None
    next_cursor: str | None
    corrections: Corrections = field(default_factory=dict)
    """Misspelt words of a fuzzy search, with the words that were searched instead."""


FieldLookup = Callable[[Collection[str]], Awaitable[Collection[str] | None]]
"""Takes the fields that the request names and returns the fields of the index; None if they need no check."""


async def search_page(
    library: Library,
    record: IndexRecord,
    request: PageRequest,
    lookup_fields: FieldLookup,
    render: Render[RenderedHit],
) -> PageResult[RenderedHit]:
    """Return one page of hits; the page is empty if the query is blank or the index was never written to."""
    bound_to = _binding(record, request)
    cursor = library.cursors.read(request.cursor, bound_to) if request.cursor is not None else None
    # Stored text is cleaned too: without this, an invisible character in the query would hide a match.
    query, filters = clean_text(request.query), parse_filters(clean(request.filters))
    named = {*filters, *(field.removeprefix("-") for field in request.sort or ()), *(request.facets or ())}
    clauses = parse_text(query)
    target = record.serving_target()
    reader = library.engine.reader
    corrections = await _corrections(reader, target, clauses, cursor) if request.fuzzy else NO_CORRECTIONS
    validated = validate(
        clauses,
        record.definition,
        filters=filters,
        sort=request.sort,
        facets=request.facets,
        known=await lookup_fields(named) if named else None,
        corrections=corrections,
    )
    if validated.empty or target is None:
        empty_page: TruncatedPage[RenderedHit] = TruncatedPage([], truncated=False)
        return PageResult(validated, empty_page, 0, {name: [] for name in validated.facets}, None, None)
    search_request = SearchRequest(
        query=validated.query,
        size=request.size,
        sort=validated.sort,
        facets=validated.facets,
        snippets=request.snippets,
        explain=request.explain,
        text=request.text,
    )
    views = CallerViews(library.open_views, request.caller)
    rendered = await read_page(reader, views, record, search_request, cursor, render=render)
    suggestion = None
    if cursor is None:
        suggestion = await suggest_query(
            reader, target, clauses, filters=filters, corrections=corrections, total=rendered.total
        )
    next_cursor = rendered.next_cursor and replace(rendered.next_cursor, corrections=corrections)
    return PageResult(
        validated=validated,
        page=rendered.page,
        total=rendered.total,
        facets=facet_counts(rendered.facets),
        did_you_mean=suggestion,
        next_cursor=library.cursors.write(next_cursor, bound_to) if next_cursor else None,
        corrections=corrections,
    )


async def _corrections(
    reader: Reader, target: Target | None, clauses: Sequence[Clause], cursor: Cursor | None
) -> Corrections:
    """Return the corrections of the first page, which the cursor carries, so that all pages are of one search."""
    if cursor is not None:
        return cursor.corrections
    if target is None:
        return NO_CORRECTIONS
    return await find_corrections(reader, target, correctable_words(clauses, target.definition.analysis))


def _binding(record: IndexRecord, request: PageRequest) -> Binding:
    """Bind a cursor to this search: all that decides which hits come in which order."""
    search = {"query": request.query, "filters": request.filters, "sort": request.sort, "fuzzy": request.fuzzy}
    return bind(record.team, record.index, search)
