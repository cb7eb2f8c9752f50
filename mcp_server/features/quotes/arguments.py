"""The arguments of `quote_find`."""

from typing import Annotated

from pydantic import Field

from indexer.arguments import Arguments


class QuoteFind(Arguments):
    """A quotation to find."""

    quote: Annotated[str, Field(min_length=8, max_length=2_000)]
    limit: Annotated[int, Field(ge=1, le=50)] = 5
