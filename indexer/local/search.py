"""Searches a local index."""

import time
from typing import Final

from indexer.engines.port import Hit
from indexer.index.index import Index, Snapshot, on_snapshot
from indexer.library import Library
from indexer.local.arguments import SearchIndex
from indexer.local.mapping import metadata_of, stated_title
from indexer.local.names import index_to_read
from indexer.local.results import QueryParsed, SearchHit, SearchResult
from indexer.open_views import caller_key
from indexer.query.validate import ParsedQuery
from indexer.query.validate_words import Corrections
from indexer.search.corrections import corrected_words
from indexer.search.detail import snippets_for
from indexer.search.page import PageRequest, search_page
from indexer.search.truncate import truncate_page
from indexer.tenancy import Principal
from indexer.text.truncate import SizeLimits, shorten_highlight, shorten_text, shorten_title, shorten_value

MAX_HIGHLIGHTS: Final = 3


async def search(library: Library, principal: Principal, arguments: SearchIndex) -> SearchResult:
    """Return one page of the documents that match."""
    started = time.perf_counter()
    index = Index(library, principal.team, index_to_read(arguments.index_name))
    result = await _search(index, library, principal, arguments)
    result["took_ms"] = round((time.perf_counter() - started) * 1_000)
    return result


@on_snapshot
async def _search(snapshot: Snapshot, library: Library, principal: Principal, arguments: SearchIndex) -> SearchResult:
    request = PageRequest(
        query=arguments.query,
        size=arguments.k,
        caller=caller_key(principal),
        filters=arguments.filters,
        sort=arguments.sort,
        facets=arguments.facets,
        fuzzy=arguments.fuzzy,
        explain=arguments.explain,
        cursor=arguments.cursor,
        snippets=snippets_for(arguments.detail, MAX_HIGHLIGHTS),
        may_be_cut=arguments.max_chars is not None,
    )
    result = await search_page(snapshot, library, request)
    rendered = [_render_hit(hit) for hit in result.hits]
    page = truncate_page(rendered, arguments.max_chars, shorten_hit, arguments.detail)
    return SearchResult(
        success=True,
        results=page.hits,
        total_matches=result.total,
        query_parsed=_query_parsed(result.validated.parsed, result.corrections),
        facets=result.facets,
        did_you_mean=result.did_you_mean,
        next_cursor=result.cursor_after(len(page.hits)),
        truncated=page.truncated,
        took_ms=0,
    )


def _render_hit(hit: Hit) -> SearchHit:
    highlights, metadata = list(hit.highlights), metadata_of(hit.payload)
    rendered = SearchHit(
        doc_id=hit.id,
        title=stated_title(metadata) or hit.id,
        score=hit.score,
        matched=hit.matched,
        highlights=highlights,
        metadata=metadata,
    )
    if hit.explanation is not None:
        rendered["explanation"] = hit.explanation
    return rendered


def shorten_hit(hit: SearchHit, limits: SizeLimits) -> SearchHit:
    """Shorten the highlights, metadata and explanation of a hit."""
    short = SearchHit(
        doc_id=hit["doc_id"],
        title=hit["title"] if hit["title"] == hit["doc_id"] else shorten_title(hit["title"], limits),
        score=hit["score"],
        matched=hit["matched"],
        highlights=[shorten_highlight(text, limits.characters) for text in hit["highlights"][: limits.highlights]],
        metadata=shorten_value(hit["metadata"], limits),
    )
    if "explanation" in hit and limits.highlights:
        short["explanation"] = shorten_text(hit["explanation"], limits.characters)
    return short


def _query_parsed(parsed: ParsedQuery, corrections: Corrections) -> QueryParsed:
    return QueryParsed(
        terms=parsed.terms,
        must=parsed.must,
        must_not=parsed.must_not,
        phrases=parsed.phrases,
        corrected=corrected_words(corrections),
    )
