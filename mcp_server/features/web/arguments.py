"""Argument models of the web search operations."""

from typing import Annotated

from pydantic import Field

from indexer.arguments import Arguments


class SearchWeb(Arguments):
    """A question for the web."""

    query: Annotated[str, Field(description="The question or words to search for, 3 to 400 characters")]
    maxResults: Annotated[  # noqa: N815 - the name in the tool's contract
        int, Field(ge=1, le=8, description="How many sources to cite at most")
    ] = 5
    freshnessHours: Annotated[  # noqa: N815 - as above
        int | None, Field(ge=1, le=168, description="Prefer what was published in the last so many hours")
    ] = None
    region: Annotated[
        str | None, Field(description="Country to search from, by its two letters (ISO 3166), like US or AE")
    ] = None
    includeAnswers: Annotated[  # noqa: N815 - as above
        bool, Field(description="With an answer in words; without it, text holds only the cited passages")
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
