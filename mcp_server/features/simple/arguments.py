"""The arguments of `search` and `fetch`."""

from typing import Annotated, Final

from pydantic import Field

from indexer.arguments import AgentDefault, Arguments, MaxChars

_WHOLE_DOCUMENT: Final = AgentDefault(70_000)
"""Enough for most documents, and below the 25,000 tokens that clients accept."""


class SearchSimple(Arguments):
    """One question for all documents."""

    query: Annotated[str, Field(description="What to look for")]


class Fetch(Arguments):
    """One document, or a part of it."""

    id: Annotated[str, Field(description="The id of a result of search or quote_find")]
    offset: Annotated[int, Field(ge=0, description="First character of the text to return")] = 0
    max_chars: Annotated[MaxChars, _WHOLE_DOCUMENT] = None
