"""The web as a source of `search_everywhere`."""

from collections.abc import Sequence
from typing import Final

from indexer.tenancy import Principal
from mcp_server.features.everywhere import document_fields
from mcp_server.features.web.operations import SEARCH
from mcp_server.features.web.results import WebCitation
from mcp_server.features.web.upstream import WEB
from mcp_server.run import run
from mcp_server.search_source import Answer, Finding, Question, SearchSource
from mcp_server.services import Services

_MAX_RESULTS: Final = 8
_MAX_PASSAGE_LENGTH: Final = 250
_TIMEOUT_SECONDS: Final = 16.0
"""Longer than the default timeout of web search itself, whose failure tells the reason."""


async def search_web(services: Services, principal: Principal, question: Question) -> Answer:
    """Return the pages that the model cites for the question, which is sent as typed."""
    arguments = {"query": question.text, "maxResults": min(_MAX_RESULTS, question.depth)}
    result = await run(SEARCH, services, principal, arguments)
    citations = result["citations"]
    return Answer([_finding(each, _supported_passage(each, citations, result["text"])) for each in citations])


SOURCE: Final = SearchSource("web", SEARCH, search_web, upstream=WEB, seconds=_TIMEOUT_SECONDS)


def _finding(citation: WebCitation, passage: str) -> Finding:
    return Finding(
        id=citation["url"],
        title=document_fields.title(citation["title"] or citation["url"]),
        snippet=document_fields.plain(passage),
        url=citation["url"],
        keys=document_fields.keys_of(citation["url"]),
    )


def _supported_passage(citation: WebCitation, citations: Sequence[WebCitation], text: str) -> str:
    """Return the passage before the citation, because the citation itself is often only a link."""
    start = citation["startIndex"]
    ends = [each["endIndex"] for each in citations if each["endIndex"] <= start]
    begin = max([text.rfind("\n", 0, start) + 1, *ends])
    passage = text[begin:start].strip(" .,;()[]")
    if not passage:
        return citation["textSnippet"]
    return passage if len(passage) <= _MAX_PASSAGE_LENGTH else f"…{passage[-_MAX_PASSAGE_LENGTH:]}"
