"""The web as a source of `search_everywhere`."""

from typing import Final

from indexer.tenancy import Principal
from mcp_server.features.everywhere import document_fields
from mcp_server.features.web.operations import SEARCH
from mcp_server.features.web.provider.passages import Passages
from mcp_server.features.web.results import WebCitation
from mcp_server.features.web.upstream import WEB
from mcp_server.run import run
from mcp_server.search_source import Answer, Finding, Question, SearchSource
from mcp_server.services import Services

_MAX_RESULTS: Final = 8
_TIMEOUT_SECONDS: Final = 16.0
"""Longer than the default timeout of web search itself, whose failure tells the reason."""


async def search_web(services: Services, principal: Principal, question: Question) -> Answer:
    """Return the pages that the model cites for the question, which is sent as typed."""
    arguments = {"query": question.text, "maxResults": min(_MAX_RESULTS, question.depth)}
    result = await run(SEARCH, services, principal, arguments)
    spans = [(each["startIndex"], each["endIndex"]) for each in result["citations"]]
    passages = Passages(result["text"], spans)
    cited = zip(result["citations"], spans, strict=True)
    return Answer([_finding(citation, passages.supported_by(span)) for citation, span in cited])


SOURCE: Final = SearchSource("web", SEARCH, search_web, upstream=WEB, seconds=_TIMEOUT_SECONDS)


def _finding(citation: WebCitation, passage: str) -> Finding:
    return Finding(
        id=citation["url"],
        title=document_fields.title(citation["title"] or citation["url"]),
        snippet=document_fields.plain(passage or citation["textSnippet"]),
        url=citation["url"],
        keys=document_fields.keys_of(citation["url"]),
    )
