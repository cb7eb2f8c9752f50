"""Asks all sources side by side; each has its own time, and none takes the others' answers along when it fails."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass

from indexer.errors import PlatformError, TimedOut, Unavailable
from mcp_server.features.everywhere.results import SourceOutcome
from mcp_server.features.everywhere.sources import Source
from mcp_server.observability.bug_reports import report
from mcp_server.search_source import Answer, Finding, Question


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one source."""

    source: Source
    findings: list[Finding]
    took_ms: int
    error: PlatformError | None

    def told(self) -> SourceOutcome:
        """Return it as callers read it."""
        said = SourceOutcome(
            source=self.source.name, success=self.error is None, count=len(self.findings), took_ms=self.took_ms
        )
        if self.error is not None:
            failure = self.error.failure()
            said |= {"error": failure["error"], "error_category": failure["error_category"], "fix": failure["fix"]}
        return said


async def ask_all(sources: Sequence[Source], question: Question) -> list[Outcome]:
    """Return an outcome for each source, in their order, not later than the longest deadline."""
    return list(await asyncio.gather(*(_asked(source, question) for source in sources)))


async def _asked(source: Source, question: Question) -> Outcome:
    started = time.perf_counter()
    answer = await _answer(source, question)
    took_ms = round((time.perf_counter() - started) * 1_000)
    return Outcome(source, answer.findings, took_ms, answer.error)


async def _answer(source: Source, question: Question) -> Answer:
    if question.is_blank and source.is_configured:
        return Answer()
    deadline = asyncio.timeout(source.deadline)
    try:
        async with deadline:
            return await source.ask(question)
    except PlatformError as error:
        return Answer(error=error)
    except Exception as error:  # noqa: BLE001 - the others' answers are worth more than one source's bug
        return Answer(error=_late(source) if deadline.expired() else _broken(source, error))


def _late(source: Source) -> TimedOut:
    return TimedOut(
        f"No answer within {source.deadline:g} s", action=f"Try again later, or ask this source alone: {source.tool}"
    )


def _broken(source: Source, error: Exception) -> Unavailable:
    return Unavailable(
        report(f"search_everywhere in {source.name}", error), action="Leave this source out meanwhile, or ask it alone"
    )
