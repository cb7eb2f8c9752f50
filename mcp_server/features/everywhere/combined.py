"""What several sources tell of all matches, put together."""

from collections.abc import Sequence

from indexer.search.facets import FacetCount, facet_counts, merge_facets
from indexer.search.suggest import MAX_TOTAL
from mcp_server.features.everywhere.fan_out import Outcome
from mcp_server.search_source import OWN_SOURCES, Question


def total(outcomes: Sequence[Outcome]) -> int:
    """Return the number of matches in all sources that count them."""
    return sum(outcome.answer.total or 0 for outcome in outcomes)


def facets(outcomes: Sequence[Outcome], question: Question) -> dict[str, list[FacetCount]]:
    """Return the most frequent values of each requested field, with their counts in all sources."""
    values = [values for outcome in outcomes for values in outcome.answer.facets]
    return facet_counts(merge_facets(values, question.facets))


def did_you_mean(outcomes: Sequence[Outcome]) -> str | None:
    """Return the first suggestion of a source, if all the team's own documents together have few exact matches."""
    own = [outcome for outcome in outcomes if outcome.source.name in OWN_SOURCES]
    if sum(_exact_total(outcome) for outcome in own) > MAX_TOTAL:
        return None
    suggestions = (outcome.answer.did_you_mean for outcome in own)
    return next((suggestion for suggestion in suggestions if suggestion is not None), None)


def _exact_total(outcome: Outcome) -> int:
    is_close = any(finding.is_close for finding in outcome.findings)
    return 0 if is_close else outcome.answer.total or 0
