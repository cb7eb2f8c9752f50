"""Searching an archive: the common page of hits, with places, and with citations where asked for."""

from collections.abc import Collection, Sequence
from typing import Final

from indexer.archives.arguments import SearchLocalArchives
from indexer.archives.citations.graph import citation_graph
from indexer.archives.citations.resolve import ArchiveRecord, KeyLookup
from indexer.archives.definition import FILTERABLE
from indexer.archives.highlights import field_highlights
from indexer.archives.results import ArchiveDocument, ArchiveHit, ArchiveSearchMetadata, ArchiveSearchResult
from indexer.archives.stored import stored_fields
from indexer.archives.truncate import fit_citations, shorten_archive_hit
from indexer.engines.port import Hit, SearchRequest, Target
from indexer.errors import PlatformError
from indexer.index.reading import read
from indexer.index.record import IndexRecord
from indexer.library import Library
from indexer.query.ast import AnyValue
from indexer.search.page import PageRequest, PageResult, search_page
from indexer.search.truncate import TruncatedPage, truncate_page
from indexer.tenancy import ARCHIVE_INDEX, DocumentId, Principal

_MOST_HOLDERS: Final = 1_000
_KEYS_AT_ONCE: Final = 1_000


async def search_archive(library: Library, principal: Principal, arguments: SearchLocalArchives) -> ArchiveSearchResult:
    """Return one page of the archive's documents that match."""
    try:
        return await read(library, principal.team, ARCHIVE_INDEX, lambda record: _search(library, record, arguments))
    except PlatformError as error:
        error.message = f"Failed to search local archives: {error.message}"
        raise


async def _search(library: Library, record: IndexRecord, arguments: SearchLocalArchives) -> ArchiveSearchResult:
    found: dict[str, ArchiveRecord] = {}

    def render(hits: list[Hit], best: float) -> TruncatedPage[ArchiveHit]:
        found.update((hit.id, ArchiveRecord(hit.id, stored_fields(hit.payload))) for hit in hits)
        shown = [_shown(hit, found[hit.id], best) for hit in hits]
        return truncate_page(shown, arguments.max_chars, shorten_archive_hit)

    asked = PageRequest(
        query=arguments.query,
        size=arguments.limit,
        filters=arguments.filters,
        sort=arguments.sort,
        facets=arguments.facets,
        fuzzy=arguments.fuzzy,
        cursor=arguments.cursor,
        text=True,
    )
    answered = await search_page(library, record, asked, filterable, render)
    result = _result(answered, arguments)
    target = record.serving_target()
    if arguments.includeCitations and target is not None:
        documents = [found[hit["document"]["id"]] for hit in result["results"]]
        direct, graph = await citation_graph(key_lookup(library, target), documents, arguments.citationDepth)
        for hit in result["results"]:
            hit["citations"] = direct[DocumentId(hit["document"]["id"])]
        result["truncated"] |= fit_citations(result["results"], arguments.max_chars)
        result["citationGraph"] = graph
    elif arguments.includeCitations:
        result["citationGraph"] = {"nodes": [], "edges": [], "truncated": False}
    return result


def key_lookup(library: Library, target: Target) -> KeyLookup:
    """Return how citations look documents up by their internal terms."""

    async def find(name: str, values: Collection[str]) -> Sequence[ArchiveRecord]:
        known: dict[DocumentId, ArchiveRecord] = {}
        ordered = sorted(values)
        for start in range(0, len(ordered), _KEYS_AT_ONCE):
            some = tuple(ordered[start : start + _KEYS_AT_ONCE])
            wanted = SearchRequest(AnyValue(name, some, internal=True), size=_MOST_HOLDERS)
            for hit in (await library.engine.reader.search(target, wanted)).hits:
                known[hit.id] = ArchiveRecord(hit.id, stored_fields(hit.payload))
        return list(known.values())

    return find


async def filterable(_named: Collection[str]) -> Collection[str]:
    """Return the fields of every archive, whatever the caller names."""
    return FILTERABLE


def _shown(hit: Hit, known: ArchiveRecord, best: float) -> ArchiveHit:
    document = ArchiveDocument(
        id=hit.id,
        title=known.fields["title"],
        path=known.fields["path"],
        source=known.fields["source"],
        date=known.fields["date"],
        score=min(1.0, round(hit.score / best, 4)) if best > 0 else 0.0,
    )
    return ArchiveHit(document=document, highlights=field_highlights(hit.highlights, hit.text, known.fields))


def _result(answered: PageResult[ArchiveHit], arguments: SearchLocalArchives) -> ArchiveSearchResult:
    return ArchiveSearchResult(
        success=True,
        results=answered.fitted.hits,
        metadata=ArchiveSearchMetadata(
            totalResults=answered.total,
            query=arguments.query,
            fuzzy=arguments.fuzzy,
            includeCitations=arguments.includeCitations,
            citationDepth=arguments.citationDepth,
            limit=arguments.limit,
        ),
        facets=answered.facets,
        did_you_mean=answered.did_you_mean,
        next_cursor=answered.next_cursor,
        truncated=answered.fitted.truncated,
    )
