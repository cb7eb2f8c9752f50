"""Argument models of the web search operations."""

from typing import Annotated, Literal

from pydantic import Field

from indexer.arguments import Arguments

SearchType = Literal["general", "news", "academic"]


class SearchWeb(Arguments):
    """A question for the web, or several."""

    query: Annotated[str | None, Field(description="3 to 400 characters")] = None
    queries: Annotated[
        list[str] | None, Field(min_length=2, max_length=4, description="2 to 4 instead of query, each at its cost")
    ] = None
    maxResults: Annotated[  # noqa: N815 - the name in the tool's contract
        int, Field(ge=1, le=8, description="Sources to cite")
    ] = 5
    freshnessHours: Annotated[  # noqa: N815 - as above
        int | None, Field(ge=1, le=168, description="Prefer what is this new")
    ] = None
    publishedAfter: Annotated[  # noqa: N815 - as above
        str | None, Field(description="A wish, like 2026-01-31")
    ] = None
    publishedBefore: str | None = None  # noqa: N815 - as above
    type: SearchType = "general"
    region: Annotated[str | None, Field(description="Country, like US")] = None
    includeAnswers: Annotated[  # noqa: N815 - as above
        bool, Field(description="Else only the cited passages")
    ] = True


class ListHistory(Arguments):
    """The team's searches of the web."""

    limit: Annotated[int, Field(ge=1, le=1_000)] = 20


class DeleteHistory(Arguments):
    """Searches to forget."""

    ids: Annotated[list[str] | None, Field(max_length=1_000, description="From web_history_list")] = None
    everything: bool = False
