"""The archive: search, ingest, list, get, cite, delete. Uploads have a file of their own."""

from collections.abc import Awaitable

from app.calls import Call
from indexer import archive_arguments as arguments
from indexer import archive_results as results
from indexer.archives.documents import cite, delete_from_archive, get_archive_document, list_archive
from indexer.archives.search import search_archive
from indexer.arguments import Arguments
from indexer.library import Library
from indexer.tenancy import Principal
from mcp_server.services import on_background, on_library
from mcp_server.tools.archives import archive_ingest
from workers.job_arguments import ArchiveIngest
from workers.job_results import JobStarted


class DeleteArchiveDocument(Arguments):
    """One document to delete."""

    id: arguments.ArchiveId


def _delete(
    library: Library, principal: Principal, given: DeleteArchiveDocument
) -> Awaitable[results.ArchiveDeleteResult]:
    return delete_from_archive(library, principal, arguments.DeleteFromArchive(ids=[given.id]))


CALLS = (
    Call(
        "searchLocalArchives",
        "POST",
        "/api/v1/archives/search",
        arguments.SearchLocalArchives,
        results.ArchiveSearchResult,
        on_library(search_archive),
        "Search the archive",
    ),
    Call(
        "archive_ingest",
        "POST",
        "/api/v1/archives/ingest",
        ArchiveIngest,
        JobStarted,
        on_background(archive_ingest),
        "Put a folder, pages or a bucket into the archive",
    ),
    Call(
        "archive_list",
        "GET",
        "/api/v1/archives/documents",
        arguments.ListArchive,
        results.ArchiveListResult,
        on_library(list_archive),
        "List the archive's documents",
    ),
    Call(
        "archive_get_document",
        "GET",
        "/api/v1/archives/documents/{id}",
        arguments.GetArchiveDocument,
        results.ArchiveDocumentResult,
        on_library(get_archive_document),
        "Get a document of the archive, or a part of it",
    ),
    Call(
        "archive_delete",
        "DELETE",
        "/api/v1/archives/documents/{id}",
        DeleteArchiveDocument,
        results.ArchiveDeleteResult,
        on_library(_delete),
        "Delete a document from the archive",
    ),
    Call(
        "cite",
        "GET",
        "/api/v1/archives/documents/{id}/citation",
        arguments.Cite,
        results.CiteResult,
        on_library(cite),
        "Get a reference to a document of the archive",
    ),
)
