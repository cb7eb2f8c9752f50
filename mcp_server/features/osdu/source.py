"""OSDU as a source."""

from collections.abc import Sequence
from typing import Any, Final

from indexer.tenancy import Principal
from mcp_server.features.everywhere import document_fields as stated
from mcp_server.features.osdu.operations import QUERY
from mcp_server.features.osdu.results import OsduRecord
from mcp_server.features.osdu.upstream import OSDU
from mcp_server.lucene.clauses import lucene
from mcp_server.run import run
from mcp_server.search_source import Answer, Finding, Question, SearchSource
from mcp_server.services import Services

_NAME: Final = ("facilityname", "name", "title")
_MOST_VALUES: Final = 6


async def ask_osdu(services: Services, principal: Principal, question: Question) -> Answer:
    """Find records by words in any of their fields."""
    arguments = {"query": lucene(question.clauses), "limit": question.depth, "track_total_count": False}
    result = await run(QUERY, services, principal, arguments)
    return Answer([_finding(record["id"], record, question.wanted) for record in result["results"] if record["id"]])


SOURCE: Final = SearchSource("osdu", QUERY, ask_osdu, upstream=OSDU)


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
