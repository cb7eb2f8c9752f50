"""The arguments of `document_read` and `document_citations`."""

from typing import Annotated

from pydantic import Field

from indexer.arguments import Arguments, MaxChars


class ReadDocument(Arguments):
    """One document, or a part of it."""

    id: str
    """What `fetch` takes."""
    query: str | None = None
    """What to mark, in the syntax of searches."""
    offset: Annotated[int, Field(ge=0)] = 0
    """The first character of the text to return."""
    max_chars: MaxChars = None
    """The maximum length of text and metadata as JSON. Matches and places come on top; both are limited in number."""


class ReadCitations(Arguments):
    """One document, and how far to go from it."""

    id: str
    """What `fetch` takes."""
    depth: Annotated[int, Field(ge=1, le=3)] = 1
    """Of the graph; the lists have direct citations only."""
