"""Argument models of the Quilt operations, shared by MCP tools and HTTP routes."""

from typing import Annotated, Literal

from pydantic import Field

from indexer.arguments import Arguments, Cursor, Detail, Filters, MaxChars

MAX_LIMIT = 1_000

Scope = Literal["package", "object", "all"]
Order = Literal["best", "newest", "oldest", "name"]


class SearchCatalog(Arguments):
    """A search of the catalog's own index."""

    query: Annotated[str, Field(description="* for all")]
    scope: Scope = "all"
    bucket: str | None = None
    limit: Annotated[int, Field(ge=1, le=MAX_LIMIT)] = 50
    filters: Annotated[
        Filters, Field(description='Like {"ext": "csv", "size": {"gte": 1000}, "meta.study": "A34"}')
    ] = None
    order: Order = "best"
    count_only: bool = False
    refresh: Annotated[bool, Field(description="Use no cached answer")] = False
    cursor: Cursor = None
    max_chars: MaxChars = None
    detail: Detail = "full"


class GetInfo(Arguments):
    """No arguments."""


class ListObjects(Arguments):
    """A listing of a bucket in S3, which is no search."""

    bucket: str
    prefix: Annotated[str | None, Field(description="Like data/2025/")] = None
    max_keys: Annotated[int, Field(ge=1, le=1_000)] = 100
    continuation_token: str | None = None
    """next_continuation_token of the listing before, with the same bucket and prefix."""
    max_chars: MaxChars = None
