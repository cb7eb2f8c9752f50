"""The web as a source."""

from collections.abc import Sequence
from typing import Final

from indexer.tenancy import Principal
from mcp_server.everywhere import stated
from mcp_server.everywhere.source import Answer, Finding, Question
from mcp_server.upstreams.web.arguments import SearchWeb
from mcp_server.upstreams.web.results import Citation
from mcp_server.upstreams.web.service import WebService

_MOST: Final = 8
_LEADING: Final = 250


async def ask_web(service: WebService, principal: Principal, question: Question) -> Answer:
    """Find pages that a model cites when it is asked the question as it was typed."""
    arguments = SearchWeb(query=question.text, maxResults=min(_MOST, question.depth))
    result = await service.search_web(principal, arguments)
    cited = result["citations"]
    return Answer([_finding(citation, _supported(citation, cited, result["text"])) for citation in cited])


def _finding(citation: Citation, passage: str) -> Finding:
    return Finding(
        id=citation["url"],
        title=stated.title(citation["title"] or citation["url"]),
        snippet=stated.plain(passage),
        url=citation["url"],
        keys=stated.keys_of(citation["url"]),
    )


def _supported(citation: Citation, cited: Sequence[Citation], text: str) -> str:
    """Return what the citation stands behind: the cited place itself is often nothing but a link."""
    start = citation["startIndex"]
    ends = [each["endIndex"] for each in cited if each["endIndex"] <= start]
    begin = max([text.rfind("\n", 0, start) + 1, *ends])
    passage = text[begin:start].strip(" .,;()[]")
    if not passage:
        return citation["textSnippet"]
    return passage if len(passage) <= _LEADING else f"…{passage[-_LEADING:]}"
