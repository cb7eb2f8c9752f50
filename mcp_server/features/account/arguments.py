"""Arguments of the operations on accounts and tokens."""

from typing import Annotated

from pydantic import Field

from indexer.arguments import Arguments, Cursor


class ShowAccount(Arguments):
    """No arguments."""


class ListTokens(Arguments):
    """No arguments."""


class CreateToken(Arguments):
    """A new token of the caller's team."""

    scopes: Annotated[list[str], Field(min_length=1, max_length=16, description='Like ["search"]')]
    name: Annotated[str, Field(max_length=100, description="What it is for")] = ""
    indices: Annotated[
        list[str] | None, Field(max_length=200, description="The only indices that it may use; archive is one")
    ] = None
    expires: Annotated[str | None, Field(max_length=20, description="Like 90d; without it, never")] = None


class ListAudit(Arguments):
    """Which calls of the caller's team to list."""

    since: Annotated[str | None, Field(max_length=40, description="Like 2026-07-01 or 2026-07-01T12:00:00Z")] = None
    until: Annotated[str | None, Field(max_length=40, description="The last day or time")] = None
    subject: Annotated[str | None, Field(max_length=255, description="Who called")] = None
    operation: Annotated[str | None, Field(max_length=100, description="Like search_index")] = None
    outcome: Annotated[str | None, Field(max_length=40, description="ok, or the category of a failure")] = None
    cursor: Cursor = None
    limit: Annotated[int, Field(ge=1, le=1_000)] = 100


class RevokeToken(Arguments):
    """A token of the caller's team, by its id."""

    token_id: Annotated[str, Field(max_length=100)]
