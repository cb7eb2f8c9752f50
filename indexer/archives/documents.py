"""Lists, gets, deletes and cites the documents of an archive."""

from typing import Final

from indexer.archives.arguments import Cite, DeleteFromArchive, GetArchiveDocument, ListArchive
from indexer.archives.citations.cite import render_citation
from indexer.archives.definition import ARCHIVE, FILTERABLE
from indexer.archives.results import (
    ArchiveDeleteResult,
    ArchiveDocumentResult,
    ArchiveListResult,
    CiteResult,
    DocumentDetails,
)
from indexer.archives.stored import stored_fields
from indexer.archives.truncate import shorten_details
from indexer.engines.port import Document, SearchRequest
from indexer.errors import Invalid, NotFound
from indexer.index.deleting import delete_documents
from indexer.index.index import Index, on_snapshot
from indexer.library import Library
from indexer.open_views import caller_key
from indexer.query.ast import Query
from indexer.query.filters import parse_filters
from indexer.query.parse_text import parse_text
from indexer.query.validate import validate
from indexer.search.page import PageRequest, search_page
from indexer.search.truncate import truncate_page
from indexer.tenancy import ARCHIVE_INDEX, DocumentId, Principal, document_id
from indexer.text.clean import clean
from indexer.text.truncate import json_size, truncate_text

_DELETE_BATCH_SIZE: Final = 500
_search_page = on_snapshot(search_page)


class ArchiveDocumentNotFound(NotFound):
    """The archive has no document with this id."""

    def __init__(self) -> None:
        super().__init__("Document not found in the archive", action="Check the id, or search for the document")


async def get_archive_document(
    library: Library, principal: Principal, arguments: GetArchiveDocument
) -> ArchiveDocumentResult:
    """Return a document, or the part of its content that fits `max_chars`."""
    document = await _get(library, principal, arguments.id, text=True)
    part = document.text[arguments.offset :]
    if arguments.max_chars is not None and json_size(part) > arguments.max_chars:
        part = truncate_text(part, arguments.max_chars)
    end = arguments.offset + len(part)
    return ArchiveDocumentResult(
        success=True,
        document=_details(document.id, document.payload, document.revision),
        content=part,
        total_chars=len(document.text),
        next_offset=end if end < len(document.text) else None,
    )


async def list_archive(library: Library, principal: Principal, arguments: ListArchive) -> ArchiveListResult:
    """Return one page of the archive's documents, sorted by path by default."""
    request = PageRequest(
        query="*",
        size=arguments.limit,
        caller=caller_key(principal),
        filters=arguments.filters,
        sort=arguments.sort or ["path"],
        cursor=arguments.cursor,
        snippets=0,
        may_be_cut=arguments.max_chars is not None,
    )
    result = await _search_page(Index(library, principal.team, ARCHIVE_INDEX), library, request)
    documents = [_details(hit.id, hit.payload, hit.revision) for hit in result.hits]
    page = truncate_page(documents, arguments.max_chars, shorten_details)
    listed = ArchiveListResult(
        success=True, documents=page.hits, total=result.total, next_cursor=result.cursor_after(len(page.hits))
    )
    if page.truncated:
        listed["truncated"] = True
    return listed


async def delete_from_archive(
    library: Library, principal: Principal, arguments: DeleteFromArchive
) -> ArchiveDeleteResult:
    """Delete documents by ID or by filters; searches no longer find them when this returns."""
    if (arguments.ids is None) == (not arguments.filters):
        raise Invalid("Give either ids or filters", action="Name the documents to delete, or say by filters which ones")
    if arguments.ids is not None:
        deleted = await _delete(library, principal, [document_id(id_) for id_ in arguments.ids])
        return ArchiveDeleteResult(success=True, deleted=deleted)
    filters = parse_filters(clean(arguments.filters))
    condition = validate(parse_text("*"), ARCHIVE, filters=filters, known=FILTERABLE).query
    deleted = 0
    while ids := await _find_ids(library, principal, condition):
        removed = await _delete(library, principal, ids)
        deleted += removed
        if not removed:
            break
    return ArchiveDeleteResult(success=True, deleted=deleted)


async def cite(library: Library, principal: Principal, arguments: Cite) -> CiteResult:
    """Return a bibliographic reference to a document."""
    document = await _get(library, principal, arguments.id, text=False)
    citation = render_citation(arguments.format, document.id, stored_fields(document.payload))
    return CiteResult(success=True, id=document.id, format=arguments.format, citation=citation)


async def _get(library: Library, principal: Principal, id_: str, *, text: bool) -> Document:
    [document] = await Index(library, principal.team, ARCHIVE_INDEX).get([document_id(id_)], text=text)
    if document is None:
        raise ArchiveDocumentNotFound
    return document


async def _find_ids(library: Library, principal: Principal, condition: Query) -> list[DocumentId]:
    request = SearchRequest(condition, size=_DELETE_BATCH_SIZE, payload=False)
    response = await Index(library, principal.team, ARCHIVE_INDEX).search(request)
    return [hit.id for hit in response.hits]


async def _delete(library: Library, principal: Principal, ids: list[DocumentId]) -> int:
    if not ids:
        return 0
    outcomes = await library.write(lambda: delete_documents(library, principal.team, ARCHIVE_INDEX, ids))
    return sum(outcome.status == "deleted" for outcome in outcomes)


def _details(id_: DocumentId, payload: bytes, revision: int) -> DocumentDetails:
    fields = stored_fields(payload)
    return DocumentDetails(
        id=id_,
        title=fields["title"],
        path=fields["path"],
        source=fields["source"],
        date=fields["date"],
        url=fields["url"],
        authors=fields["authors"],
        tags=fields["tags"],
        language=fields["language"],
        doi=fields["doi"],
        revision=revision,
    )
