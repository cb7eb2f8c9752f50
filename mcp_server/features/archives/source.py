"""The team's archive as a source."""

import re
from html import unescape
from typing import Final

from indexer.archives.stored import stored_fields
from indexer.engines.port import Hit
from indexer.tenancy import ARCHIVE_INDEX, Principal
from mcp_server.features.archives.operations import SEARCH
from mcp_server.features.everywhere import document_fields as stated
from mcp_server.features.everywhere.matching import matching
from mcp_server.run import admitted
from mcp_server.search_source import Answer, Finding, Question, SearchSource
from mcp_server.services import Services

_ELSEWHERE: Final = ("u:", "l:", "d:", "a:")
"""Kinds of a document's keys that mean the same outside the archive; paths and titles do not."""
_MARKS: Final = re.compile(r"</?mark>")


async def ask_archive(services: Services, principal: Principal, question: Question) -> Answer:
    """Find documents; words that are only similar count where nothing has those asked for."""
    async with admitted(SEARCH, services, principal):
        for fuzzy in (False, True):
            hits = await matching(services.library, principal.team, ARCHIVE_INDEX, question, fuzzy=fuzzy)
            if hits:
                return Answer([_finding(hit, is_close=fuzzy) for hit in hits])
        return Answer()


SOURCE: Final = SearchSource("archive", SEARCH, ask_archive)


def _finding(hit: Hit, *, is_close: bool) -> Finding:
    fields = stored_fields(hit.payload)
    return Finding(
        id=hit.id,
        title=stated.title(fields["title"] or fields["path"]),
        snippet=stated.marked(telling(hit.highlights, fields["title"])),
        url=stated.web_address(fields["url"]),
        keys=frozenset(key for key in fields["keys"] if key.startswith(_ELSEWHERE)),
        is_close=is_close,
    )


def telling(highlights: tuple[str, ...], title: str) -> str:
    """Return the first highlight that says more than the title does."""
    more = (each for each in highlights if unescape(_MARKS.sub("", each)).strip() != title)
    return next(more, highlights[0] if highlights else "")
