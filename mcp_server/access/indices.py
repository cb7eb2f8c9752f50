"""Tokens that are limited to some indices of their team."""

from indexer.errors import Authorization
from indexer.tenancy import Principal


class LimitedToIndices(Authorization):
    """The token may use other indices of the team only."""

    def __init__(self, principal: Principal) -> None:
        allowed = sorted(principal.indices or ())
        super().__init__(
            "This token is limited to other indices",
            action=f"Use {', '.join(allowed) or 'another token'}, or ask for a token without this limit",
            details={"indices": allowed},
        )
