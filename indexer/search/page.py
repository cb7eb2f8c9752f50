"""Searches one page of any kind of index: parse, validate, read, suggest. The caller renders the hits."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from indexer.cursors import Binding, Cursors, bind
from indexer.engines.port import Hit, Reader, SearchRequest, Target
from indexer.index.index import Index, Snapshot
from indexer.library import Library
from indexer.open_views import CallerKey, CallerViews
from indexer.query.filters import parse_filters
from indexer.query.parse_text import Clause, parse_text
from indexer.query.validate import ValidatedQuery, validate
from indexer.query.validate_words import NO_CORRECTIONS, Corrections, correctable_words
from indexer.search.corrections import find_corrections
from indexer.search.facets import FacetCount, facet_counts
from indexer.search.page_cursor import PageCursor
from indexer.search.paging import Page, read_page
from indexer.search.suggest import suggest_query
from indexer.text.clean import clean, clean_text


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
    may_be_cut: bool = False
    """Whether the caller may return fewer hits than the page has."""


@dataclass(frozen=True, slots=True)
class PageResult:
    """One page of hits, with totals, facets and suggestion."""

    validated: ValidatedQuery
    cursors: Cursors
    bound_to: Binding
    page: Page | None = None
    """None if nothing was searched."""
    facets: dict[str, list[FacetCount]] = field(default_factory=dict)
    did_you_mean: str | None = None
    corrections: Corrections = field(default_factory=dict)
    """Misspelt words of a fuzzy search, with the words that were searched instead."""

    @property
    def hits(self) -> list[Hit]:
        return self.page.hits if self.page else []

    @property
    def total(self) -> int:
        return self.page.start.total if self.page else 0

    @property
    def best(self) -> float:
        """The best score of the first page."""
        return (self.page.start.best if self.page else None) or 0.0

    def cursor_after(self, returned: int) -> str | None:
        """Return the cursor after the hits that the caller returns, the first ones of this page; None at the end."""
        cursor = self.page.cursor_after(returned) if self.page else None
        if cursor is None:
            return None
        return self.cursors.write(replace(cursor, corrections=self.corrections), self.bound_to)


async def search_page(snapshot: Snapshot, library: Library, request: PageRequest) -> PageResult:
    """Return one page of hits; the page is empty if the query is blank or the index was never written to."""
    bound_to = _binding(snapshot.index, request)
    cursor = library.cursors.read(request.cursor, bound_to, PageCursor) if request.cursor is not None else None
    # Stored text is cleaned too: without this, an invisible character in the query would hide a match.
    query, filters = clean_text(request.query), parse_filters(clean(request.filters))
    named = {*filters, *(field.removeprefix("-") for field in request.sort or ()), *(request.facets or ())}
    clauses = parse_text(query)
    reader, target = snapshot.reader, snapshot.target
    corrections = await _corrections(reader, target, clauses, cursor) if request.fuzzy else NO_CORRECTIONS
    validated = validate(
        clauses,
        snapshot.definition,
        filters=filters,
        sort=request.sort,
        facets=request.facets,
        known=await library.known_fields.names(snapshot.definition.kind, target, named) if named else None,
        corrections=corrections,
    )
    result = PageResult(validated, library.cursors, bound_to, facets={name: [] for name in validated.facets})
    if validated.empty or target is None:
        return result
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
    page = await read_page(views, snapshot, target, search_request, cursor, may_be_cut=request.may_be_cut)
    suggestion = None
    if cursor is None:
        suggestion = await suggest_query(
            reader, target, clauses, filters=filters, corrections=corrections, total=page.start.total
        )
    return replace(
        result, page=page, facets=facet_counts(page.facets), did_you_mean=suggestion, corrections=corrections
    )


async def _corrections(
    reader: Reader, target: Target | None, clauses: Sequence[Clause], cursor: PageCursor | None
) -> Corrections:
    """Return the corrections of the first page, which the cursor carries, so that all pages are of one search."""
    if cursor is not None:
        return cursor.corrections
    if target is None:
        return NO_CORRECTIONS
    return await find_corrections(reader, target, correctable_words(clauses, target.definition.analysis))


def _binding(index: Index, request: PageRequest) -> Binding:
    """Bind a cursor to this search: all that decides which hits come in which order."""
    search = {"query": request.query, "filters": request.filters, "sort": request.sort, "fuzzy": request.fuzzy}
    return bind(index.team, index.name, search)
