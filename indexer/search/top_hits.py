"""Searches one index for its best hits, without cursors.

A search of several indices names fields that some of them do not have. Such an index has no hits where a filter names
the field, no facet counts, and no values to sort by.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from indexer.engines.port import Hit, Reader, SearchRequest, Target
from indexer.index.known_fields import KnownFields
from indexer.query.ast import Query, SortKey
from indexer.query.parse_text import Clause
from indexer.query.validate import validate
from indexer.query.validate_words import NO_CORRECTIONS, Corrections, correctable_words
from indexer.search.corrections import find_corrections
from indexer.search.facets import FacetValues
from indexer.search.suggest import suggest_query, suggestable_words

_FACET_VALUES: Final = 50
"""More than are shown: a value that is rare in one index may be frequent in all of them together."""


@dataclass(frozen=True, slots=True)
class TopHitsRequest:
    """One search, for any number of indices."""

    clauses: tuple[Clause, ...]
    size: int
    """The maximum number of hits."""
    filters: Mapping[str, Query] = field(default_factory=dict)
    sort: tuple[SortKey, ...] = ()
    """Empty: by score."""
    facets: tuple[str, ...] = ()
    snippets: int = 0
    parts: bool = False


@dataclass(frozen=True, slots=True)
class TopHits:
    """The best hits of one index, with their texts; without a target if nothing was ever written to the index."""

    target: Target | None = None
    query: Query | None = None
    """The query as the index understood it; None if it was not searched."""
    hits: list[Hit] = field(default_factory=list)
    total: int = 0
    facets: FacetValues = field(default_factory=dict)
    corrections: Corrections = field(default_factory=dict)
    """Of a fuzzy search: words that occur nowhere in the index, with the words in their place."""


async def top_hits(
    reader: Reader, known_fields: KnownFields, target: Target, request: TopHitsRequest, *, fuzzy: bool
) -> TopHits:
    """Return the best hits of an index; a fuzzy search without a misspelt word has none.

    So search exactly first, and fuzzily only if that finds nothing.
    """
    named = {*request.filters, *(key.field for key in request.sort)}
    known = await known_fields.names(target.definition.kind, target, named) if named else None
    if known is not None and not all(name in known for name in request.filters):
        return TopHits(target)
    corrections = await _find_corrections(reader, target, request) if fuzzy else NO_CORRECTIONS
    if fuzzy and not corrections:
        return TopHits(target)
    definition = target.definition
    validated = validate(request.clauses, definition, filters=request.filters, corrections=corrections)
    if validated.empty:
        return TopHits(target)
    sort = tuple(key for key in request.sort if known is None or key.field in known)
    search_request = SearchRequest(
        query=validated.query,
        size=request.size,
        sort=sort,
        by_id=bool(request.sort),
        facets=request.facets,
        facet_values=_FACET_VALUES,
        snippets=request.snippets,
        text=True,
        parts=request.parts,
    )
    response = await reader.search(target, search_request)
    return TopHits(target, validated.query, response.hits, response.total, response.facets, corrections)


async def suggest_for(
    reader: Reader, target: Target, request: TopHitsRequest, *, total: int, found: Corrections | None
) -> str | None:
    """Return a corrected query that has more than `total` matches in this index, or None; see `suggest_query`."""
    return await suggest_query(
        reader,
        target,
        request.clauses,
        filters=request.filters,
        corrections=NO_CORRECTIONS,
        total=total,
        found=found,
    )


async def _find_corrections(reader: Reader, target: Target, request: TopHitsRequest) -> Corrections:
    analysis = target.definition.analysis
    words = (*correctable_words(request.clauses, analysis), *suggestable_words(request.clauses, analysis))
    return await find_corrections(reader, target, list(dict.fromkeys(words)))
