"""What a call asks all sources: its arguments, parsed and checked before any source is asked."""

from dataclasses import replace
from typing import Final

from indexer.errors import Invalid, NotApplicable
from indexer.query.filters import parse_filters
from indexer.query.validate import check_facets, parse_sort
from indexer.text.clean import clean
from mcp_server.features.everywhere.arguments import SearchEverywhere
from mcp_server.search_source import Question, question

MIN_DEPTH: Final = 10
"""The minimum number of results per source: those beyond the limit still decide where sources agree."""
_MAX_DEPTH: Final = 1_000


def asked_question(arguments: SearchEverywhere) -> Question:
    """Return the question for all sources; `Invalid` if the arguments break a rule."""
    depth = arguments.page * arguments.limit
    if depth > _MAX_DEPTH:
        raise Invalid(
            f"This page lies beyond the first {_MAX_DEPTH:,} results",
            action="Narrow the search, by more words, a phrase or filters",
            details={"page": arguments.page, "limit": arguments.limit},
        )
    return replace(
        question(arguments.query, max(depth, MIN_DEPTH)),
        filters=parse_filters(clean(arguments.filters)),
        sort=parse_sort(arguments.sort or ()),
        facets=check_facets(arguments.facets or ()),
        detail=arguments.detail,
        explain=arguments.explain,
        suggest=True,
    )


def only_own_documents(asked: Question) -> NotApplicable | None:
    """Return why only the team's own documents can be searched, if so."""
    named = [name for name, given in (("filters", asked.filters), ("sort", asked.sort)) if given]
    if not named:
        return None
    verb = "works" if named == ["sort"] else "work"
    subject = " and ".join("sorting" if name == "sort" else name for name in named)
    return NotApplicable(
        f"Not asked: {subject} {verb} in the archive and the indices alone",
        action=f"Leave out {' and '.join(named)} to ask this source too",
    )
