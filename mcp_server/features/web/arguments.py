"""Argument models of the web search operations."""

from typing import Annotated, Literal

from pydantic import Field

from indexer.arguments import Arguments

SearchType = Literal["general", "news", "academic"]


class SearchWeb(Arguments):
    """A question for the web, or several."""

    query: Annotated[
        str | None, Field(description="The question or words to search for, 3 to 400 characters; or give queries")
    ] = None
    queries: Annotated[
        list[str] | None,
        Field(
            min_length=2,
            max_length=4,
            description="2 to 4 questions instead of query, for one result; each is asked and costs like a query",
        ),
    ] = None
    maxResults: Annotated[  # noqa: N815 - the name in the tool's contract
        int, Field(ge=1, le=8, description="How many sources to cite at most")
    ] = 5
    freshnessHours: Annotated[  # noqa: N815 - as above
        int | None, Field(ge=1, le=168, description="Prefer what was published in the last so many hours")
    ] = None
    publishedAfter: Annotated[  # noqa: N815 - as above
        str | None, Field(description="Wish for pages of this day or later, like 2026-01-31; it is no hard filter")
    ] = None
    publishedBefore: Annotated[  # noqa: N815 - as above
        str | None, Field(description="Wish for pages of this day or earlier, like 2026-01-31; it is no hard filter")
    ] = None
    type: Annotated[SearchType, Field(description="What to search: all pages, news, or scholarly publications")] = (
        "general"
    )
    region: Annotated[
        str | None, Field(description="Country to search from, by its two letters (ISO 3166), like US or AE")
    ] = None
    includeAnswers: Annotated[  # noqa: N815 - as above
        bool, Field(description="With an answer in words; without it, text holds only the passages that are cited")
    ] = True


class ListHistory(Arguments):
    """The team's searches of the web."""

    limit: Annotated[int, Field(ge=1, le=1_000, description="How many at most, newest first")] = 20


class DeleteHistory(Arguments):
    """Searches to forget."""

    ids: Annotated[
        list[str] | None, Field(max_length=1_000, description="Ids from web_history_list; leave out with everything")
    ] = None
    everything: Annotated[bool, Field(description="Delete all of the team's searches")] = False
