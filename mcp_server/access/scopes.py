"""Scopes: what a token allows. No scope includes another."""

from collections.abc import Iterable
from typing import Final

from indexer.errors import Authorization, Invalid, closest

SCOPES: Final = ("search", "write", "ingest", "osdu", "quilt", "web", "admin")
ALL_SCOPES: Final = frozenset(SCOPES)


class InsufficientScope(Authorization):
    """The caller's token lacks a scope; `missing` names all that the call needs."""

    def __init__(self, missing: Iterable[str]) -> None:
        self.missing = tuple(scope for scope in SCOPES if scope in set(missing))
        names = " and ".join(self.missing)
        super().__init__(
            f"This token does not have the scope {names}",
            action=f"Ask an administrator of your team for a token with the scope {names}",
            details={"missing_scopes": list(self.missing)},
        )


def parse_scopes(names: Iterable[str]) -> frozenset[str]:
    """Check names of scopes given by a user; `Invalid` names those that exist."""
    given = [name.strip().lower() for name in names if name.strip()]
    unknown = [name for name in given if name not in ALL_SCOPES]
    if unknown:
        raise Invalid(
            "Unknown scope", action=f"Use some of {', '.join(SCOPES)}", details={"closest": closest(unknown[0], SCOPES)}
        )
    if not given:
        raise Invalid("A token needs a scope", action=f"Name some of {', '.join(SCOPES)}")
    return frozenset(given)
