"""Argument models of the Quilt operations, shared by MCP tools and HTTP routes."""

from typing import Annotated, Literal

from pydantic import Field

from indexer.arguments import Arguments, Cursor, Detail, Filters, MaxChars

MAX_LIMIT = 1_000

Scope = Literal["package", "object", "all"]
Order = Literal["best", "newest", "oldest", "name"]


class SearchCatalog(Arguments):
    """A search of the catalog's own index."""

    query: Annotated[str, Field(description="Words to look for; * or blank for everything")]
    scope: Annotated[Scope, Field(description="Packages, objects, or both")] = "all"
    bucket: Annotated[str | None, Field(description="Only in this bucket, by its plain name")] = None
    limit: Annotated[int, Field(ge=1, le=MAX_LIMIT, description="How many results at most")] = 50
    filters: Annotated[
        Filters,
        Field(
            description=(
                "Conditions that must all hold, by ext (of objects), size, modified, and meta.<key> (user metadata of "
                'packages): {"field": value | [any of] | {"gte","gt","lte","lt"} | {"prefix": "text"}}'
            )
        ),
    ] = None
    order: Annotated[Order, Field(description="By relevance, by when modified, or by name")] = "best"
    count_only: Annotated[bool, Field(description="Only how many there are, no results")] = False
    refresh: Annotated[bool, Field(description="Look again how the catalog searches, and use no kept answer")] = False
    cursor: Cursor = None
    max_chars: MaxChars = None
    detail: Detail = "full"


class GetInfo(Arguments):
    """No arguments."""


class ListObjects(Arguments):
    """A listing of a bucket in S3, which is no search."""

    bucket: Annotated[str, Field(description="The bucket's plain name")]
    prefix: Annotated[str | None, Field(description="Only keys that start so, like data/2025/")] = None
    max_keys: Annotated[int, Field(ge=1, le=1_000, description="How many objects at most")] = 100
    continuation_token: Annotated[
        str | None, Field(description="next_continuation_token of the listing before, with the same bucket and prefix")
    ] = None
    max_chars: MaxChars = None
