"""The web as a source."""

from collections.abc import Sequence
from typing import Final

from indexer.tenancy import Principal
from mcp_server.features.everywhere import document_fields as stated
from mcp_server.features.web.operations import SEARCH
from mcp_server.features.web.results import WebCitation
from mcp_server.features.web.upstream import WEB
from mcp_server.run import run
from mcp_server.search_source import Answer, Finding, Question, SearchSource
from mcp_server.services import Services

_MOST: Final = 8
_LEADING: Final = 250
_SECONDS: Final = 16.0
"""A model that reads the web takes longer, and who names it waits: its own bound comes first and says why."""


async def ask_web(services: Services, principal: Principal, question: Question) -> Answer:
    """Find pages that a model cites when it is asked the question as it was typed."""
    arguments = {"query": question.text, "maxResults": min(_MOST, question.depth)}
    result = await run(SEARCH, services, principal, arguments)
    cited = result["citations"]
    return Answer([_finding(citation, _supported(citation, cited, result["text"])) for citation in cited])


SOURCE: Final = SearchSource("web", SEARCH, ask_web, upstream=WEB, seconds=_SECONDS)


def _finding(citation: WebCitation, passage: str) -> Finding:
    return Finding(
        id=citation["url"],
        title=stated.title(citation["title"] or citation["url"]),
        snippet=stated.plain(passage),
        url=citation["url"],
        keys=stated.keys_of(citation["url"]),
    )


def _supported(citation: WebCitation, cited: Sequence[WebCitation], text: str) -> str:
    """Return what the citation stands behind: the cited place itself is often nothing but a link."""
    start = citation["startIndex"]
    ends = [each["endIndex"] for each in cited if each["endIndex"] <= start]
    begin = max([text.rfind("\n", 0, start) + 1, *ends])
    passage = text[begin:start].strip(" .,;()[]")
    if not passage:
        return citation["textSnippet"]
    return passage if len(passage) <= _LEADING else f"…{passage[-_LEADING:]}"
