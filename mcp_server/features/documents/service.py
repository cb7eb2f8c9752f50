"""Reads one document of any source by its ID, with the matches of a query."""

from typing import Final

from indexer.archives.reading import places_around, read_places
from indexer.errors import NotFound
from indexer.index.index import Index
from indexer.library import Library
from indexer.local.names import index_to_read
from indexer.search.marking import Marking, marking_of_index, plain_marking
from indexer.tenancy import ARCHIVE_INDEX, Principal
from indexer.text.truncate import json_size, shorten_to
from indexer.threads import Check
from mcp_server.document_ids import DocumentKey, UnknownId, decode_id
from mcp_server.features.documents.arguments import ReadDocument
from mcp_server.features.documents.part import Part, part_of
from mcp_server.features.documents.results import DocumentPlace, DocumentReadResult
from mcp_server.features.everywhere.document_fields import web_address
from mcp_server.features.everywhere.service import unrestricted
from mcp_server.features.everywhere.sources import sources_of
from mcp_server.sandbox import marked
from mcp_server.search_source import FetchedDocument
from mcp_server.services import Services

_METADATA_SHARE: Final = 2
"""Metadata takes at most one part in so many of `max_chars`."""


async def read_document(services: Services, principal: Principal, arguments: ReadDocument) -> DocumentReadResult:
    """Return a document, or a part of it; its source checks the rights of the caller."""
    key = decode_id(arguments.id)
    document = await _fetch(services, principal, key)
    total = len(document.text)
    if arguments.offset > total:
        raise NotFound(
            "The text ends before this offset",
            action="Leave out offset, or use next_offset",
            details={"total_chars": total},
        )
    marking = await _marking(services.library, principal, key, arguments.query)
    metadata, size = document.metadata, arguments.max_chars
    if size is not None:
        metadata = shorten_to(metadata, size // _METADATA_SHARE)
        size -= json_size(metadata)
    # Marking a long text would hold up other calls.
    library = services.library
    part, matches_total = await library.search_threads.run(
        lambda check: _mark(document.text, marking, arguments.offset, size, check), library.search_timeout
    )
    result = DocumentReadResult(
        success=True,
        id=arguments.id,
        document_id=key.id,
        source=key.source,
        index_name=key.index_name,
        title=document.title,
        text=part.text,
        url=web_address(document.url),
        metadata=metadata,
        total_chars=total,
        offset=arguments.offset,
        next_offset=part.end if part.end < total else None,
        matches=part.matches,
        matches_total=matches_total,
        places=await _places(services.library, principal, key, document, part),
    )
    bound = next(each for each in sources_of(services, principal) if each.name == key.source)
    return marked(result) if bound.is_sandbox else result


async def _fetch(services: Services, principal: Principal, key: DocumentKey) -> FetchedDocument:
    sources = (feature.source for feature in services.features if feature.source is not None)
    fetch = next((source.fetch for source in sources if source.name == key.source), None)
    if fetch is None:
        raise UnknownId
    return await fetch(unrestricted(services), principal, key.index_name, key.id)


async def _marking(library: Library, principal: Principal, key: DocumentKey, query: str | None) -> Marking | None:
    if not query:
        return None
    match key.source:
        case "archive":
            return await marking_of_index(Index(library, principal.team, ARCHIVE_INDEX), query)
        case "indices":
            index = Index(library, principal.team, index_to_read(key.index_name))
            return await marking_of_index(index, query)
        case _:
            return plain_marking(query)


def _mark(text: str, marking: Marking | None, offset: int, size: int | None, check: Check) -> tuple[Part, int]:
    """Return a part of the text, and the number of matches in all of it."""
    matches = marking.matches(text, check) if marking else []
    return part_of(text, matches, offset, size), len(matches)


async def _places(
    library: Library, principal: Principal, key: DocumentKey, document: FetchedDocument, part: Part
) -> list[DocumentPlace]:
    if key.source != "archive":
        return []
    places = await read_places(library, principal, key.id, document.metadata["revision"])
    around = places_around(places, part.end - len(part.text), part.end)
    return [DocumentPlace(start=start, page=page, heading=heading, line=line) for start, page, heading, line in around]
