"""Arguments of the operations on usage."""

from typing import Annotated

from pydantic import Field

from indexer.arguments import Arguments
from mcp_server.search_counts.search_records import DAYS_KEPT


class ShowUsage(Arguments):
    """No arguments."""


class ShowSearches(Arguments):
    """How many days to show."""

    days: Annotated[int, Field(ge=1, le=DAYS_KEPT, description="Today and the days before it, in UTC")] = 30
