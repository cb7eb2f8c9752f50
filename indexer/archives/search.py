"""Searches an archive: one page of hits with their locations and, on request, citations."""

from collections.abc import Collection, Sequence
from typing import Final

from indexer.archives.arguments import SearchLocalArchives
from indexer.archives.citations.graph import citation_graph
from indexer.archives.citations.resolve import ArchiveRecord, KeyLookup
from indexer.archives.highlights import FRAGMENTS, HitHighlighter
from indexer.archives.results import ArchiveDocument, ArchiveHit, ArchiveSearchMetadata, ArchiveSearchResult
from indexer.archives.stored import stored_fields
from indexer.archives.truncate import shorten_archive_hit, truncate_citations, truncate_graph
from indexer.engines.port import Hit, SearchRequest
from indexer.errors import PlatformError
from indexer.index.index import Index, Snapshot, on_snapshot
from indexer.library import Library
from indexer.open_views import caller_key
from indexer.query.ast import AnyValue
from indexer.search.corrections import corrected_words
from indexer.search.page import PageRequest, PageResult, search_page
from indexer.search.truncate import TruncatedPage, truncate_page
from indexer.tenancy import ARCHIVE_INDEX, DocumentId, Principal

_MAX_HITS_PER_LOOKUP: Final = 1_000
_KEYS_PER_LOOKUP: Final = 1_000


async def search_archive(library: Library, principal: Principal, arguments: SearchLocalArchives) -> ArchiveSearchResult:
    """Return one page of the documents that match."""
    try:
        return await _search(Index(library, principal.team, ARCHIVE_INDEX), library, principal, arguments)
    except PlatformError as error:
        error.message = f"Failed to search local archives: {error.message}"
        raise


@on_snapshot
async def _search(
    snapshot: Snapshot, library: Library, principal: Principal, arguments: SearchLocalArchives
) -> ArchiveSearchResult:
    is_ids_only = arguments.detail == "ids"
    request = PageRequest(
        query=arguments.query,
        size=arguments.limit,
        caller=caller_key(principal),
        filters=arguments.filters,
        sort=arguments.sort,
        facets=arguments.facets,
        fuzzy=arguments.fuzzy,
        cursor=arguments.cursor,
        snippets=0 if is_ids_only else FRAGMENTS,
        text=not is_ids_only,
        may_be_cut=arguments.max_chars is not None,
    )
    page_result = await search_page(snapshot, library, request)
    documents = [ArchiveRecord(hit.id, stored_fields(hit.payload)) for hit in page_result.hits]
    highlighter = HitHighlighter(page_result.validated.query, snapshot.definition.analysis)
    rendered = [
        _render_hit(hit, document, page_result.best, highlighter)
        for hit, document in zip(page_result.hits, documents, strict=True)
    ]
    page = truncate_page(rendered, arguments.max_chars, shorten_archive_hit, arguments.detail)
    result = _build_result(page_result, page, arguments)
    if arguments.includeCitations:
        documents = documents[: len(page.hits)]
        direct, graph = await citation_graph(key_lookup(snapshot), documents, arguments.citationDepth)
        for hit in result["results"]:
            hit["citations"] = direct[DocumentId(hit["document"]["id"])]
        result["truncated"] |= truncate_citations(result["results"], arguments.max_chars)
        result["citationGraph"] = truncate_graph(graph, arguments.max_chars)
    return result


def key_lookup(snapshot: Snapshot) -> KeyLookup:
    """Return a function that finds documents by the values of an internal term."""

    async def find(name: str, values: Collection[str]) -> Sequence[ArchiveRecord]:
        documents: dict[DocumentId, ArchiveRecord] = {}
        ordered = sorted(values)
        for start in range(0, len(ordered), _KEYS_PER_LOOKUP):
            batch = tuple(ordered[start : start + _KEYS_PER_LOOKUP])
            request = SearchRequest(AnyValue(name, batch, internal=True), size=_MAX_HITS_PER_LOOKUP)
            for hit in (await snapshot.search(request)).hits:
                documents[hit.id] = ArchiveRecord(hit.id, stored_fields(hit.payload))
        return list(documents.values())

    return find


def _render_hit(hit: Hit, document: ArchiveRecord, best: float, highlighter: HitHighlighter) -> ArchiveHit:
    rendered = ArchiveDocument(
        id=hit.id,
        title=document.fields["title"],
        path=document.fields["path"],
        source=document.fields["source"],
        date=document.fields["date"],
        score=min(1.0, round(hit.score / best, 4)) if best > 0 else 0.0,
    )
    return ArchiveHit(document=rendered, matched=hit.matched, highlights=highlighter.highlight(hit, document.fields))


def _build_result(
    result: PageResult, page: TruncatedPage[ArchiveHit], arguments: SearchLocalArchives
) -> ArchiveSearchResult:
    return ArchiveSearchResult(
        success=True,
        results=page.hits,
        metadata=ArchiveSearchMetadata(
            totalResults=result.total,
            query=arguments.query,
            fuzzy=arguments.fuzzy,
            includeCitations=arguments.includeCitations,
            citationDepth=arguments.citationDepth,
            limit=arguments.limit,
            corrected=corrected_words(result.corrections),
        ),
        facets=result.facets,
        did_you_mean=result.did_you_mean,
        next_cursor=result.cursor_after(len(page.hits)),
        truncated=page.truncated,
    )
