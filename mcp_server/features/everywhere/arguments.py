"""The arguments of `search_everywhere`."""

from typing import Annotated

from pydantic import Field

from indexer.arguments import Arguments, BriefDetail, Facets, Filters, MaxChars, QueryText, Sort, Unlisted
from mcp_server.search_source import SourceName


class SearchEverywhere(Arguments):
    """One question for several sources."""

    query: QueryText
    sources: Annotated[list[SourceName] | None, Field(max_length=50)] = None
    """By default all that are configured but the web."""
    limit: Annotated[int, Field(ge=1, le=100)] = 10
    max_chars: MaxChars = None
    detail: BriefDetail = "full"
    filters: Annotated[Filters, Unlisted()] = None
    """Only the archive and the indices are asked then."""
    sort: Annotated[Sort, Unlisted()] = None
    """Only the archive and the indices are asked then."""
    facets: Annotated[Facets, Unlisted()] = None
    page: Annotated[int, Field(ge=1), Unlisted()] = 1
    explain: Annotated[bool, Unlisted()] = False
    """Adds to each result in full what it owes its score to."""
