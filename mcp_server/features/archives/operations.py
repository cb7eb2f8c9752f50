"""Operations on the team's archive: ingested files and web pages, with their citations."""

from typing import Final

from indexer.archives import arguments, results
from indexer.archives.documents import cite, delete_from_archive, get_archive_document, list_archive
from indexer.archives.search import search_archive
from indexer.arguments import Arguments
from indexer.tenancy import Principal
from mcp_server.effect import DELETE, INGEST, READ
from mcp_server.features.archives import text
from mcp_server.features.jobs.text import started_text
from mcp_server.operation import Group, Operation
from mcp_server.route import Route
from mcp_server.services import on_background, on_library
from workers.enqueue import Background
from workers.jobs.arguments import ArchiveIngest
from workers.jobs.results import JobStarted

_GUIDANCE: Final = """\
The archive holds files and pages that were ingested: one document a file, with title, path, date and citations.
- searchLocalArchives finds documents and shows where in them the passage stands; with includeCitations also who cites
  whom. archive_get_document reads one, archive_list shows what there is, cite gives a reference.
- archive_ingest puts folders, URLs or S3 objects in, as a job; archive_delete takes documents out.
Queries are written as for search_index."""
GROUP: Final = Group("archives", _GUIDANCE, reads="search", changes="write")

SEARCH: Final = Operation(
    name="searchLocalArchives",
    title="Search the archive",
    description=(
        "Searches the local research and URL content archives: files that the team ingested (notes, papers, reports) "
        "and pages that it fetched. Results say where in the file each passage stands (page, heading, line). "
        'Operators in the query: word, +must, -must not, "a phrase", prefix*, and * alone for all documents; '
        "fuzzy is on unless you turn it off. "
        "Set includeCitations to see who cites whom, and citationDepth to follow citations further. "
        "Filters: source, date, author, tags, path, language, title. "
        "Read a whole document with archive_get_document. For documents that were added one by one to an index, use "
        "search_index instead."
    ),
    group=GROUP,
    effect=READ,
    arguments=arguments.SearchLocalArchives,
    result=results.ArchiveSearchResult,
    handler=on_library(search_archive),
    route=Route("POST", "/api/v1/archives/search"),
    text=text.search_text,
)


def archive_ingest(background: Background, principal: Principal, ingest: ArchiveIngest) -> JobStarted:
    """Start a job that ingests a source into the archive."""
    return background.ingest(principal, ingest.source)


_INGEST: Final = Operation(
    name="archive_ingest",
    title="Put files or pages into the archive",
    description=(
        "Start a job that reads a folder on the server, pages by their URLs, or objects of an S3 bucket into the "
        "archive: Markdown, HTML, PDF, Word and plain text. Returns a job_id at once: follow it with job_status, "
        "which names each file that could not be read. Files that did not change are skipped, so ingesting again is "
        "cheap; mirror also removes documents whose files are gone. For a text that you hold yourself, use "
        "search_add_document."
    ),
    group=GROUP,
    effect=INGEST,
    arguments=ArchiveIngest,
    result=JobStarted,
    handler=on_background(archive_ingest),
    route=Route("POST", "/api/v1/archives/ingest", "Put a folder, pages or a bucket into the archive"),
    text=started_text,
    own_scope="ingest",
)
GET: Final = Operation(
    name="archive_get_document",
    title="Read a document of the archive",
    description=(
        "Return the text of one archived document with its title, path, date, authors and tags, by the id that "
        "searchLocalArchives or archive_list gave. Long texts come in parts: go on with offset = next_offset. "
        "For a reference to the document use cite."
    ),
    group=GROUP,
    effect=READ,
    arguments=arguments.GetArchiveDocument,
    result=results.ArchiveDocumentResult,
    handler=on_library(get_archive_document),
    route=Route("GET", "/api/v1/archives/documents/{id}", "Get a document of the archive, or a part of it"),
    text=text.document_text,
)
_LIST: Final = Operation(
    name="archive_list",
    title="List the archive",
    description=(
        "List archived documents without a query, by path unless sort says otherwise: to see what there is, or all "
        'of a folder ({"path": {"prefix": "notes/"}}), an author or a time. To find something by its words use '
        "searchLocalArchives."
    ),
    group=GROUP,
    effect=READ,
    arguments=arguments.ListArchive,
    result=results.ArchiveListResult,
    handler=on_library(list_archive),
    route=Route("GET", "/api/v1/archives/documents", "List the archive's documents"),
    text=text.list_text,
)


class DeleteOne(Arguments):
    """One document to delete."""

    id: arguments.ArchiveId


_DELETE_ONE: Final = Route(
    "DELETE",
    "/api/v1/archives/documents/{id}",
    "Delete a document from the archive",
    takes=DeleteOne,
    bind=lambda deletion: {"ids": [deletion.id]},
)
_DELETE: Final = Operation(
    name="archive_delete",
    title="Delete from the archive",
    description=(
        "Remove documents from the archive for good, by their ids or by filters (all that match). The files "
        "themselves stay where they are, and ingesting them again brings them back. Look with archive_list at what "
        "filters match before you delete by them."
    ),
    group=GROUP,
    effect=DELETE,
    arguments=arguments.DeleteFromArchive,
    result=results.ArchiveDeleteResult,
    handler=on_library(delete_from_archive),
    route=_DELETE_ONE,
    text=text.delete_text,
)
_CITE: Final = Operation(
    name="cite",
    title="Cite a document",
    description=(
        "Return a reference to one archived document as BibTeX or CSL-JSON, for a bibliography. "
        "To see which documents cite it, use searchLocalArchives with includeCitations."
    ),
    group=GROUP,
    effect=READ,
    arguments=arguments.Cite,
    result=results.CiteResult,
    handler=on_library(cite),
    route=Route("GET", "/api/v1/archives/documents/{id}/citation", "Get a reference to a document of the archive"),
    text=text.cite_text,
)

OPERATIONS: Final = (SEARCH, _INGEST, GET, _LIST, _DELETE, _CITE)
