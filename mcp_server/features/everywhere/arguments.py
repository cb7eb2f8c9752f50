"""The arguments of `search_everywhere`."""

from typing import Annotated

from pydantic import Field

from indexer.arguments import Arguments, BriefDetail, MaxChars
from mcp_server.search_source import SourceName


class SearchEverywhere(Arguments):
    """One question for several sources."""

    query: Annotated[
        str,
        Field(
            description=(
                'Words; +must, -must not, "a phrase", prefix*, or * alone for everything: written for each source in '
                "its own syntax, for the web as it is. Blank finds nothing"
            ),
        ),
    ]
    sources: Annotated[
        list[SourceName] | None,
        Field(
            max_length=50,
            description=(
                "Where to search: archive, indices (all of this team's), osdu, quilt, web. Left out: all that are "
                "configured but the web, which costs and is asked only where it is named"
            ),
        ),
    ] = None
    limit: Annotated[int, Field(ge=1, le=100, description="How many results at most, of all sources together")] = 10
    max_chars: MaxChars = None
    detail: BriefDetail = "full"
