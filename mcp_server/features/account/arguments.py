"""Arguments of the operations on accounts and tokens."""

from typing import Annotated

from pydantic import Field

from indexer.arguments import Arguments


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


class RevokeToken(Arguments):
    """A token of the caller's team, by its id."""

    token_id: Annotated[str, Field(max_length=100)]
