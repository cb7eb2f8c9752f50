"""Searches all sources concurrently: each has its own deadline, and a failed source does not affect the others."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass

from indexer.errors import PlatformError, TimedOut, Unavailable
from mcp_server.features.everywhere.asked import only_own_documents
from mcp_server.features.everywhere.results import SourceOutcome
from mcp_server.features.everywhere.sources import Source
from mcp_server.observability.bug_reports import report
from mcp_server.search_source import OWN_SOURCES, Answer, Finding, Question


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of searching one source."""

    source: Source
    answer: Answer
    took_ms: int

    @property
    def findings(self) -> list[Finding]:
        return self.answer.findings

    @property
    def error(self) -> PlatformError | None:
        return self.answer.error

    def to_result(self) -> SourceOutcome:
        """Convert to the shape that callers get."""
        result = SourceOutcome(
            source=self.source.name,
            success=self.error is None,
            count=len(self.findings),
            total=self.answer.total,
            took_ms=self.took_ms,
        )
        if self.source.is_sandbox:
            result["sandbox"] = True
        if self.error is not None:
            failure = self.error.failure()
            result |= {"error": failure["error"], "error_category": failure["error_category"], "fix": failure["fix"]}
        return result


async def search_all(sources: Sequence[Source], question: Question) -> list[Outcome]:
    """Return the outcome of each source, in their order, at the latest after the longest deadline."""
    return list(await asyncio.gather(*(_timed_search(source, question) for source in sources)))


async def _timed_search(source: Source, question: Question) -> Outcome:
    started = time.perf_counter()
    answer = await _search(source, question)
    took_ms = round((time.perf_counter() - started) * 1_000)
    return Outcome(source, answer, took_ms)


async def _search(source: Source, question: Question) -> Answer:
    if source.name not in OWN_SOURCES and (error := only_own_documents(question)) is not None:
        return Answer(error=error)
    if question.is_blank and source.is_configured:
        return Answer(total=0)
    deadline = asyncio.timeout(source.deadline)
    try:
        async with deadline:
            return await source.ask(question)
    except PlatformError as error:
        return Answer(error=error)
    except Exception as error:  # noqa: BLE001 - a bug in one source must not lose the results of the others
        return Answer(error=_timeout_failure(source) if deadline.expired() else _bug_failure(source, error))


def _timeout_failure(source: Source) -> TimedOut:
    return TimedOut(
        f"No answer within {source.deadline:g} s", action=f"Try again later, or ask this source alone: {source.tool}"
    )


def _bug_failure(source: Source, error: Exception) -> Unavailable:
    return Unavailable(
        report(f"search_everywhere in {source.name}", error), action="Leave this source out meanwhile, or ask it alone"
    )
