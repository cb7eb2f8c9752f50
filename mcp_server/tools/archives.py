"""Tools for the team's archive: files and pages that were ingested, with who cites whom."""

from typing import Final

from indexer import archive_arguments as given
from indexer import archive_results as results
from indexer.archives.documents import cite, delete_from_archive, get_archive_document, list_archive
from indexer.archives.search import search_archive
from indexer.tenancy import Principal
from mcp_server import archive_text as text
from mcp_server.annotations import READS, REPLACES_FROM_ELSEWHERE, REPLACES_OR_DELETES
from mcp_server.bounds import BoundedGetArchiveDocument, BoundedSearchLocalArchives
from mcp_server.job_text import started_text
from mcp_server.services import on_background, on_library
from mcp_server.tool import Group, Tool
from workers.enqueue import Background
from workers.job_arguments import ArchiveIngest
from workers.job_results import JobStarted

_SEARCH: Final = Tool(
    name="searchLocalArchives",
    title="Search the archive",
    description=(
        "Search the team's archive of ingested files and fetched pages: research notes, papers, reports. Results say "
        "where in the file each passage stands (page, heading, line). "
        'Operators in the query: word, +must, -must not, "a phrase", prefix*, and * alone for all documents; '
        "fuzzy is on unless you turn it off. "
        "Set includeCitations to see who cites whom, and citationDepth to follow citations further. "
        "Filters: source, date, author, tags, path, language, title. "
        "Read a whole document with archive_get_document. For documents that were added one by one to an index, use "
        "search_index instead."
    ),
    annotations=READS,
    arguments=BoundedSearchLocalArchives,
    result=results.ArchiveSearchResult,
    handler=on_library(search_archive),
    text=text.search_text,
)


def archive_ingest(background: Background, principal: Principal, arguments: ArchiveIngest) -> JobStarted:
    """Have a source read into the archive."""
    return background.ingest(principal, arguments.source)


_INGEST: Final = Tool(
    name="archive_ingest",
    title="Put files or pages into the archive",
    description=(
        "Start a job that reads a folder on the server, pages by their URLs, or objects of an S3 bucket into the "
        "archive: Markdown, HTML, PDF, Word and plain text. Returns a job_id at once: follow it with job_status, "
        "which names each file that could not be read. Files that did not change are skipped, so ingesting again is "
        "cheap; mirror also removes documents whose files are gone. For a text that you hold yourself, use "
        "search_add_document."
    ),
    annotations=REPLACES_FROM_ELSEWHERE,
    arguments=ArchiveIngest,
    result=JobStarted,
    handler=on_background(archive_ingest),
    text=started_text,
)
_GET: Final = Tool(
    name="archive_get_document",
    title="Read a document of the archive",
    description=(
        "Return the text of one archived document with its title, path, date, authors and tags, by the id that "
        "searchLocalArchives or archive_list gave. Long texts come in parts: go on with offset = next_offset. "
        "For a reference to the document use cite."
    ),
    annotations=READS,
    arguments=BoundedGetArchiveDocument,
    result=results.ArchiveDocumentResult,
    handler=on_library(get_archive_document),
    text=text.document_text,
)
_LIST: Final = Tool(
    name="archive_list",
    title="List the archive",
    description=(
        "List archived documents without a query, by path unless sort says otherwise: to see what there is, or all "
        'of a folder ({"path": {"prefix": "notes/"}}), an author or a time. To find something by its words use '
        "searchLocalArchives."
    ),
    annotations=READS,
    arguments=given.ListArchive,
    result=results.ArchiveListResult,
    handler=on_library(list_archive),
    text=text.list_text,
)
_DELETE: Final = Tool(
    name="archive_delete",
    title="Delete from the archive",
    description=(
        "Remove documents from the archive for good, by their ids or by filters (all that match). The files "
        "themselves stay where they are, and ingesting them again brings them back. Look with archive_list at what "
        "filters match before you delete by them."
    ),
    annotations=REPLACES_OR_DELETES,
    arguments=given.DeleteFromArchive,
    result=results.ArchiveDeleteResult,
    handler=on_library(delete_from_archive),
    text=text.delete_text,
)
_CITE: Final = Tool(
    name="cite",
    title="Cite a document",
    description=(
        "Return a reference to one archived document as BibTeX or CSL-JSON, for a bibliography. "
        "To see which documents cite it, use searchLocalArchives with includeCitations."
    ),
    annotations=READS,
    arguments=given.Cite,
    result=results.CiteResult,
    handler=on_library(cite),
    text=text.cite_text,
)

_GUIDANCE: Final = """\
The archive holds files and pages that were ingested: one document a file, with title, path, date and citations.
- searchLocalArchives finds documents and shows where in them the passage stands; with includeCitations also who cites
  whom. archive_get_document reads one, archive_list shows what there is, cite gives a reference.
- archive_ingest puts folders, URLs or S3 objects in, as a job; archive_delete takes documents out.
Queries are written as for search_index."""

ARCHIVES: Final = Group(
    name="archives",
    guidance=_GUIDANCE,
    tools=(_SEARCH, _INGEST, _GET, _LIST, _DELETE, _CITE),
)
