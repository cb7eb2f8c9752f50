"""OSDU as a source."""

from collections.abc import Sequence
from typing import Any, Final

from indexer.tenancy import Principal
from mcp_server.everywhere import stated
from mcp_server.everywhere.lucene import lucene
from mcp_server.everywhere.source import Answer, Finding, Question
from mcp_server.upstreams.osdu.arguments import SearchQuery
from mcp_server.upstreams.osdu.results import OsduRecord
from mcp_server.upstreams.osdu.service import OsduService

_NAME: Final = ("facilityname", "name", "title")
_MOST_VALUES: Final = 6


async def ask_osdu(service: OsduService, principal: Principal, question: Question) -> Answer:
    """Find records by words in any of their fields."""
    arguments = SearchQuery(query=lucene(question.clauses), limit=question.depth, track_total_count=False)
    result = await service.search_query(principal, arguments)
    return Answer([_finding(record["id"], record, question.wanted) for record in result["results"] if record["id"]])


def _finding(id_: str, record: OsduRecord, wanted: Sequence[str]) -> Finding:
    data = record["data"]
    url = stated.stated_url(data)
    return Finding(
        id=id_,
        title=stated.title(stated.text_of(data, _NAME) or id_),
        snippet=stated.plain(_excerpt(data, wanted)),
        url=url,
        keys=stated.keys_of(url, stated.stated_doi(data)),
    )


def _excerpt(data: dict[str, Any], wanted: Sequence[str]) -> str:
    """Return some values with their fields' names, those that have a word of the question first."""
    words = [word.casefold() for word in wanted]
    values = sorted(stated.scalars(data), key=lambda value: not any(word in value[1].casefold() for word in words))
    return " · ".join(f"{path}: {text}" for path, text in values[:_MOST_VALUES])
