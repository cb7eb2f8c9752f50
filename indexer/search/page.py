"""One page of any kind of index: parse, validate, read, and suggest; how a hit looks is the caller's business."""

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from indexer.cursors import digest
from indexer.engines.port import SearchRequest
from indexer.index.record import IndexRecord
from indexer.library import Library
from indexer.query.filters import parse_filters
from indexer.query.parse_text import parse_text
from indexer.query.validate import Validated, validate
from indexer.search.facets import FacetCount, facet_counts
from indexer.search.paging import Render, read_page
from indexer.search.suggest import corrected
from indexer.search.truncate import TruncatedPage
from indexer.text.clean import clean, clean_text

Shown = TypeVar("Shown")


@dataclass(frozen=True, slots=True)
class PageRequest:
    """What a caller asks of an index, whatever its kind."""

    query: str
    size: int
    filters: Mapping[str, Any] | None = None
    sort: Sequence[str] | None = None
    facets: Sequence[str] | None = None
    fuzzy: bool = False
    explain: bool = False
    cursor: str | None = None
    snippets: int = 3
    text: bool = False


@dataclass(frozen=True, slots=True)
class PageResult(Generic[Shown]):
    """One page as the caller's `render` made it, and everything that is said about it."""

    checked: Validated
    fitted: TruncatedPage[Shown]
    total: int
    facets: dict[str, list[FacetCount]]
    did_you_mean: str | None
    next_cursor: str | None


KnownFields = Callable[[Collection[str]], Awaitable[Collection[str] | None]]
"""Returns the index's fields, given those that the caller names; None if they need no check."""


async def search_page(
    library: Library,
    record: IndexRecord,
    asked: PageRequest,
    known: KnownFields,
    render: Render[Shown],
) -> PageResult[Shown]:
    """Answer for one index; a blank query, or an index that was never written to, gives an empty page."""
    bound_to = _bound_to(record, asked)
    cursor = library.cursors.read(asked.cursor, bound_to) if asked.cursor is not None else None
    # The same text as stored documents have, or a word that looks the same would not be found.
    query, filters = clean_text(asked.query), parse_filters(clean(asked.filters))
    named = {*filters, *(field.removeprefix("-") for field in asked.sort or ()), *(asked.facets or ())}
    clauses = parse_text(query)
    target = record.serving_target()
    checked = validate(
        clauses,
        record.definition,
        filters=filters,
        sort=asked.sort,
        facets=asked.facets,
        known=await known(named) if named else None,
        fuzzy=asked.fuzzy,
    )
    if checked.empty or target is None:
        nothing: TruncatedPage[Shown] = TruncatedPage([], truncated=False)
        return PageResult(checked, nothing, 0, {name: [] for name in checked.facets}, None, None)
    wanted = SearchRequest(
        query=checked.query,
        size=asked.size,
        sort=checked.sort,
        facets=checked.facets,
        snippets=asked.snippets,
        explain=asked.explain,
        text=asked.text,
    )
    reader = library.engine.reader
    paged = await read_page(reader, record, wanted, cursor, render)
    suggestion = None
    if cursor is None:
        suggestion = await corrected(reader, target, clauses, filters=filters, fuzzy=asked.fuzzy, total=paged.total)
    return PageResult(
        checked=checked,
        fitted=paged.fitted,
        total=paged.total,
        facets=facet_counts(paged.facets),
        did_you_mean=suggestion,
        next_cursor=library.cursors.write(paged.following, bound_to) if paged.following else None,
    )


def _bound_to(record: IndexRecord, asked: PageRequest) -> str:
    said = {"query": asked.query, "filters": asked.filters, "sort": asked.sort, "fuzzy": asked.fuzzy}
    return digest(record.team, record.index, said)
