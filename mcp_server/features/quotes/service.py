"""Finds a quotation in the archive and the indices, and describes the documents as `search` does."""

from indexer.archives.locations import locate
from indexer.archives.results import Location
from indexer.archives.stored import stored_fields
from indexer.local.mapping import metadata_of
from indexer.quotes.find import QuotedDocument, find_quote
from indexer.tenancy import ARCHIVE_INDEX, Principal
from mcp_server.document_ids import DocumentKey
from mcp_server.features.everywhere import document_fields
from mcp_server.features.local.findings import title_of
from mcp_server.features.quotes.arguments import QuoteFind
from mcp_server.features.quotes.results import QuotedPassage, QuotesResult
from mcp_server.features.simple.service import document_url
from mcp_server.services import Services


async def find_quotes(services: Services, principal: Principal, arguments: QuoteFind) -> QuotesResult:
    """Return the documents in which the quote stands, closest first."""
    found = await find_quote(services.library, principal, arguments.quote, arguments.limit)
    return QuotesResult(success=True, matches=[_build_match(services, each) for each in found])


def _build_match(services: Services, quoted: QuotedDocument) -> QuotedPassage:
    document, match = quoted.document, quoted.match
    offsets = [passage.start for passage in match.passages]
    if quoted.index == ARCHIVE_INDEX:
        key = DocumentKey("archive", None, document.id)
        title, address, locations = _archived(quoted, offsets)
    else:
        key = DocumentKey("indices", quoted.index, document.id)
        title, address, locations = _indexed(quoted, offsets)
    id_ = key.encode()
    first = match.passages[0]
    return QuotedPassage(
        id=id_,
        title=title,
        url=document_url(services, address, id_),
        passage=document.text[first.start : first.end],
        locations=locations,
        exact=not match.difference,
        difference=match.difference,
    )


def _archived(quoted: QuotedDocument, offsets: list[int]) -> tuple[str, str | None, list[Location]]:
    fields = stored_fields(quoted.document.payload)
    title = document_fields.title(fields["title"] or fields["path"])
    return title, fields["url"], [locate(fields, quoted.document.text, offset) for offset in offsets]


def _indexed(quoted: QuotedDocument, offsets: list[int]) -> tuple[str, str | None, list[Location]]:
    metadata = metadata_of(quoted.document.payload)
    text = quoted.document.text
    locations = [Location(page=None, heading=None, line=1 + text.count("\n", 0, offset)) for offset in offsets]
    return title_of(metadata, quoted.document.id), document_fields.stated_url(metadata), locations
