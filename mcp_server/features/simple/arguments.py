"""The arguments of `search` and `fetch`."""

from typing import Annotated, Final

from pydantic import Field

from indexer.arguments import AgentDefault, Arguments, MaxChars

_WHOLE_DOCUMENT: Final = AgentDefault(70_000)
"""Enough for most documents, and below the 25,000 tokens that clients accept."""


class SearchSimple(Arguments):
    """One question for all documents."""

    query: str


class Fetch(Arguments):
    """One document, or a part of it."""

    id: str
    offset: Annotated[int, Field(ge=0)] = 0
    """The first character of the text to return."""
    max_chars: Annotated[MaxChars, _WHOLE_DOCUMENT] = None
