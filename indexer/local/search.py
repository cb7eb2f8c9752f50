"""Searching a local index, in the shape that tools return."""

import time
from collections.abc import Collection

from indexer.engines.port import Hit
from indexer.index.reading import read
from indexer.index.record import IndexRecord
from indexer.library import Library
from indexer.local.arguments import SearchIndex
from indexer.local.mapping import metadata_of
from indexer.local.names import index_to_read
from indexer.local.results import QueryParsed, SearchHit, SearchResult
from indexer.query.validate import Understood
from indexer.search.page import PageRequest, search_page
from indexer.search.truncate import TruncatedPage, truncate_page
from indexer.tenancy import Principal
from indexer.text.truncate import Room, shorten_highlight, shorten_text, shorten_value


async def search(library: Library, principal: Principal, arguments: SearchIndex) -> SearchResult:
    """Return one page of an index's documents that match."""
    started = time.perf_counter()
    name = index_to_read(arguments.index_name)
    result = await read(library, principal.team, name, lambda record: _search(library, record, arguments))
    result["took_ms"] = round((time.perf_counter() - started) * 1_000)
    return result


async def _search(library: Library, record: IndexRecord, arguments: SearchIndex) -> SearchResult:
    async def known(named: Collection[str]) -> Collection[str] | None:
        target = record.serving_target()
        return await library.known_fields.names(target, named) if target is not None else None

    def render(hits: list[Hit], _best: float) -> TruncatedPage[SearchHit]:
        return truncate_page([_shown(hit) for hit in hits], arguments.max_chars, shorten_hit)

    asked = PageRequest(
        query=arguments.query,
        size=arguments.k,
        filters=arguments.filters,
        sort=arguments.sort,
        facets=arguments.facets,
        fuzzy=arguments.fuzzy,
        explain=arguments.explain,
        cursor=arguments.cursor,
    )
    answered = await search_page(library, record, asked, known, render)
    return SearchResult(
        success=True,
        results=answered.fitted.hits,
        total_matches=answered.total,
        query_parsed=_parsed(answered.checked.understood),
        facets=answered.facets,
        did_you_mean=answered.did_you_mean,
        next_cursor=answered.next_cursor,
        truncated=answered.fitted.truncated,
        took_ms=0,
    )


def _shown(hit: Hit) -> SearchHit:
    highlights, metadata = list(hit.highlights), metadata_of(hit.payload)
    shown = SearchHit(doc_id=hit.id, score=hit.score, highlights=highlights, metadata=metadata)
    if hit.explanation is not None:
        shown["explanation"] = hit.explanation
    return shown


def shorten_hit(hit: SearchHit, room: Room) -> SearchHit:
    """Cut what is text in one hit of a local index."""
    short = SearchHit(
        doc_id=hit["doc_id"],
        score=hit["score"],
        highlights=[shorten_highlight(text, room.characters) for text in hit["highlights"][: room.highlights]],
        metadata=shorten_value(hit["metadata"], room),
    )
    if "explanation" in hit:
        short["explanation"] = shorten_text(hit["explanation"], room.characters)
    return short


def _parsed(understood: Understood) -> QueryParsed:
    return QueryParsed(
        terms=understood.terms, must=understood.must, must_not=understood.must_not, phrases=understood.phrases
    )
