"""Fuses the results of several queries into one: one text, and citations by reciprocal rank."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from indexer.errors import PlatformError
from mcp_server.features.web.provider.citing import join_passages
from mcp_server.features.web.results import FailedQuery, Usage, WebCitation, WebResult

_RANK_CONSTANT: Final = 60
"""The constant of reciprocal rank fusion: how little the first ranks count more than the next."""


@dataclass(frozen=True, slots=True)
class Answered:
    """A query and its result."""

    query: str
    result: WebResult


@dataclass(frozen=True, slots=True)
class Unanswered:
    """A query and its failure."""

    query: str
    error: PlatformError


def fuse(
    answered: Sequence[Answered], unanswered: Sequence[Unanswered], *, max_results: int, with_answers: bool
) -> WebResult:
    """Return one result of the queries that were answered; it names those that were not."""
    results = [each.result for each in answered]
    text, placed = _join_answers(answered) if with_answers else ("", _queried(answered))
    citations = _ranked(placed)[:max_results]
    if not with_answers:
        text, starts = join_passages([citation["textSnippet"] for citation in citations])
        citations = [_moved(citation, start) for citation, start in zip(citations, starts, strict=True)]
    fused = WebResult(
        success=True,
        text=text,
        citations=[{**citation, "rank": rank} for rank, citation in enumerate(citations, start=1)],
        provider=results[0]["provider"],
        respondedAt=max(result["respondedAt"] for result in results),
        cached=all(result["cached"] for result in results),
    )
    if usages := [result["usage"] for result in results if "usage" in result]:
        fused["usage"] = Usage(
            promptTokens=sum(usage["promptTokens"] for usage in usages),
            responseTokens=sum(usage["responseTokens"] for usage in usages),
        )
    if reasons := [result["incomplete"] for result in results if "incomplete" in result]:
        fused["incomplete"] = reasons[0]
    if unanswered:
        fused["failed"] = [_failed(each) for each in unanswered]
    return fused


def _join_answers(answered: Sequence[Answered]) -> tuple[str, list[list[WebCitation]]]:
    """Return one text, with each query as the heading of its answer, and the citations moved into it."""
    text = ""
    placed = []
    for each, citations in zip(answered, _queried(answered), strict=True):
        text += f"## {each.query}\n\n"
        placed.append([_moved(citation, len(text) + citation["startIndex"]) for citation in citations])
        text += each.result["text"] + "\n\n"
    return text.removesuffix("\n\n"), placed


def _queried(answered: Sequence[Answered]) -> list[list[WebCitation]]:
    return [[{**citation, "query": each.query} for citation in each.result["citations"]] for each in answered]


def _moved(citation: WebCitation, start: int) -> WebCitation:
    return {**citation, "startIndex": start, "endIndex": start + len(citation["textSnippet"])}


def _ranked(placed: Sequence[Sequence[WebCitation]]) -> list[WebCitation]:
    """Return each page once, where it ranks best, with the other queries that cite it; the best fused rank first."""
    scores: dict[str, float] = {}
    pages: dict[str, list[WebCitation]] = {}
    for citation in sorted((each for citations in placed for each in citations), key=lambda each: each["rank"]):
        scores[citation["url"]] = scores.get(citation["url"], 0.0) + 1 / (_RANK_CONSTANT + citation["rank"])
        pages.setdefault(citation["url"], []).append(citation)
    best_first = sorted(pages, key=lambda url: -scores[url])
    return [_merged(pages[url]) for url in best_first]


def _merged(page: Sequence[WebCitation]) -> WebCitation:
    best, *others = page
    return {**best, "otherQueries": [other["query"] for other in others]} if others else best


def _failed(each: Unanswered) -> FailedQuery:
    failure = each.error.failure()
    failed = FailedQuery(
        query=each.query,
        error=failure["error"],
        error_category=failure["error_category"],
        details=failure["details"],
    )
    if "code" in failure:
        failed["code"] = failure["code"]
    return failed
