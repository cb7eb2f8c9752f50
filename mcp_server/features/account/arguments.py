"""Arguments of the operations on accounts and tokens."""

from typing import Annotated

from pydantic import Field

from indexer.arguments import Arguments, Cursor

Scopes = Annotated[list[str], Field(min_length=1, max_length=16, description='Like ["search"]')]
TokenName = Annotated[str, Field(max_length=100, description="What it is for")]
Indices = Annotated[
    list[str] | None, Field(max_length=200, description="The only indices that it may use; archive is one")
]
Lifetime = Annotated[str, Field(max_length=20)]
Since = Annotated[str | None, Field(max_length=40, description="Like 2026-07-01 or 2026-07-01T12:00:00Z")]
Until = Annotated[str | None, Field(max_length=40, description="The last day or time")]
OperationName = Annotated[str | None, Field(max_length=100, description="Like search_index")]
Outcome = Annotated[str | None, Field(max_length=40, description="ok, or the category of a failure")]
Limit = Annotated[int, Field(ge=1, le=1_000)]
TokenId = Annotated[str, Field(max_length=100)]


class ShowAccount(Arguments):
    """No arguments."""


class ListTokens(Arguments):
    """No arguments."""


class CreateToken(Arguments):
    """A new token of the caller's team."""

    scopes: Scopes
    name: TokenName = ""
    indices: Indices = None
    expires: Annotated[Lifetime | None, Field(description="Like 90d; without it, never")] = None


class ListAudit(Arguments):
    """Which calls of the caller's team to list."""

    since: Since = None
    until: Until = None
    subject: Annotated[str | None, Field(max_length=255, description="Who called")] = None
    operation: OperationName = None
    outcome: Outcome = None
    cursor: Cursor = None
    limit: Limit = 100


class RevokeToken(Arguments):
    """A token of the caller's team, by its id."""

    token_id: TokenId


class ListOwnTokens(Arguments):
    """No arguments."""


class CreateOwnToken(Arguments):
    """A new token that the caller makes for itself."""

    scopes: Scopes
    name: TokenName = ""
    indices: Indices = None
    expires: Annotated[Lifetime, Field(description="Like 90d, which is the longest")] = "90d"


class RevokeOwnToken(Arguments):
    """A token that the caller made for itself, by its id."""

    token_id: TokenId


class ListOwnCalls(Arguments):
    """Which calls of the caller and its own tokens to list."""

    since: Since = None
    until: Until = None
    operation: OperationName = None
    outcome: Outcome = None
    cursor: Cursor = None
    limit: Limit = 100
