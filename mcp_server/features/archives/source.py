"""The team's archive as a source of `search_everywhere`."""

from typing import Final

from indexer.archives.stored import stored_fields
from indexer.engines.port import Hit
from indexer.tenancy import ARCHIVE_INDEX, Principal
from indexer.text.marks import MARK, plain_text, skip_characters
from mcp_server.features.archives.operations import GET, SEARCH
from mcp_server.features.everywhere import document_fields
from mcp_server.features.everywhere.content_digest import content_digests
from mcp_server.features.everywhere.index_hits import index_hits
from mcp_server.run import admitted, run
from mcp_server.search_source import Answer, FetchedDocument, Finding, Question, SearchSource
from mcp_server.services import Services

_GLOBAL_KEYS: Final = ("u:", "l:", "d:", "a:")
"""Prefixes of the keys that are valid outside the archive: URLs and DOIs, but not paths and titles."""


async def ask_archive(services: Services, principal: Principal, question: Question) -> Answer:
    """Search the archive; fuzzily only if nothing matches exactly."""
    async with admitted(SEARCH, services, principal):
        for fuzzy in (False, True):
            response = await index_hits(services.library, principal.team, ARCHIVE_INDEX, question, fuzzy=fuzzy)
            if response.hits:
                return Answer([_build_finding(hit, is_close=fuzzy) for hit in response.hits], total=response.total)
        return Answer(total=0)


async def fetch_archived(
    services: Services, principal: Principal, _index_name: str | None, id_: str
) -> FetchedDocument:
    """Return a document of the archive."""
    result = await run(GET, services, principal, {"id": id_})
    details = result["document"]
    known = ("path", "date", "authors", "tags", "language", "doi", "revision")
    metadata = {name: value for name, value in details.items() if name in known and value not in (None, [])}
    title = document_fields.title(details["title"] or details["path"])
    return FetchedDocument(title, result["content"], details["url"], metadata | {"origin": details["source"]})


SOURCE: Final = SearchSource("archive", SEARCH, ask_archive, fetch=fetch_archived)


def _build_finding(hit: Hit, *, is_close: bool) -> Finding:
    fields = stored_fields(hit.payload)
    return Finding(
        id=hit.id,
        title=document_fields.title(fields["title"] or fields["path"]),
        snippet=document_fields.marked(informative_highlight(hit.highlights, fields["title"])),
        url=document_fields.web_address(fields["url"]),
        keys=frozenset(key for key in fields["keys"] if key.startswith(_GLOBAL_KEYS)),
        contents=content_digests(hit.text, fields["title"]),
        is_close=is_close,
    )


def informative_highlight(highlights: tuple[str, ...], title: str) -> str:
    """Return the best passage of the body, without the title above it; if only the title matches, what follows it."""
    below_title = ""
    for highlight in highlights:
        first_line, _, below = plain_text(highlight).partition("\n")
        shown = len(first_line) + 1 + len(below) - len(below.lstrip())
        passage = skip_characters(highlight, shown) if first_line == title else highlight
        if MARK in passage:
            return passage
        below_title = below_title or passage.strip()
    return below_title or next(iter(highlights), "")
