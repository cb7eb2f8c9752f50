"""Suggestions for an argument while a user types it: of a prompt, or of a URI template."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from indexer.tenancy import Principal

if TYPE_CHECKING:
    from mcp_server.services import Services

MAX_SUGGESTIONS: Final = 100


@dataclass(frozen=True, slots=True)
class Suggestions:
    """Values for an argument, best first."""

    values: list[str]
    total: int | None
    """How many there are; None if only a part was searched."""


Complete = Callable[["Services", Principal, str, Mapping[str, str]], Awaitable[Suggestions]]
"""Takes the text typed so far and the other arguments, as far as they are known."""


def starting_with(text: str, names: list[str], *, all_searched: bool = True) -> Suggestions:
    """Suggest the names that start with the text."""
    values = [name for name in names if name.startswith(text)]
    return Suggestions(values[:MAX_SUGGESTIONS], len(values) if all_searched else None)
