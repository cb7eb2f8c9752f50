"""The arguments of `search_everywhere`."""

from typing import Annotated

from pydantic import Field

from indexer.arguments import Arguments, BriefDetail, MaxChars, QueryText
from mcp_server.search_source import SourceName


class SearchEverywhere(Arguments):
    """One question for several sources."""

    query: QueryText
    sources: Annotated[list[SourceName] | None, Field(max_length=50)] = None
    """By default all that are configured but the web."""
    limit: Annotated[int, Field(ge=1, le=100)] = 10
    max_chars: MaxChars = None
    detail: BriefDetail = "full"
