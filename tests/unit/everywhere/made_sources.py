"""Sources that say what a test wants them to."""

from collections.abc import Awaitable, Callable
from typing import Any

from indexer.errors import PlatformError
from mcp_server.features.everywhere.arguments import SearchEverywhere, SourceName
from mcp_server.features.everywhere.document_fields import keys_of
from mcp_server.features.everywhere.fan_out import Outcome
from mcp_server.features.everywhere.results import EverywhereResult
from mcp_server.features.everywhere.service import answer
from mcp_server.features.everywhere.sources import Source
from mcp_server.search_source import Answer, Finding, Question

PATIENT = 60.0


def finding(id_: str, url: str | None = None, doi: str | None = None, **more: Any) -> Finding:
    """Return a finding that is known by its address and DOI."""
    return Finding(**{"id": id_, "title": f"About {id_}", "snippet": "", "url": url, "keys": keys_of(url, doi)} | more)


def source(
    name: SourceName,
    ask: Callable[[Question], Awaitable[Answer]],
    *,
    deadline: float = PATIENT,
    is_configured: bool = True,
) -> Source:
    return Source(name, f"search_{name}", is_configured, deadline, ask)


def finds(name: SourceName, *findings: Finding, **more: Any) -> Source:
    """Return a source that finds these, in this order."""

    async def ask(question: Question) -> Answer:
        return Answer(list(findings)[: question.depth])

    return source(name, ask, **more)


def fails(name: SourceName, error: Exception, **more: Any) -> Source:
    """Return a source that fails so."""

    async def ask(_: Question) -> Answer:
        raise error

    return source(name, ask, **more)


def outcome(name: SourceName, *findings: Finding, error: PlatformError | None = None) -> Outcome:
    return Outcome(finds(name), Answer(list(findings), error), 1)


async def answered(*sources: Source, query: str = "reef", **arguments: Any) -> EverywhereResult:
    return await answer(sources, SearchEverywhere(query=query, **arguments))
