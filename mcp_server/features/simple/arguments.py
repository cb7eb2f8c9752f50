"""The arguments of `search` and `fetch`."""

from typing import Annotated

from pydantic import Field

from indexer.arguments import Arguments, MaxChars


class SearchSimple(Arguments):
    """One question for all documents."""

    query: Annotated[str, Field(description="What to look for")]


class Fetch(Arguments):
    """One document, or a part of it."""

    id: Annotated[str, Field(description="The id of a result of search or quote_find")]
    offset: Annotated[int, Field(ge=0, description="First character of the text to return")] = 0
    max_chars: MaxChars = None
