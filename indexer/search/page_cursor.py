"""The state of a search between two pages of an index, besides the arguments that the caller repeats."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from indexer.shown import ShownHits


@dataclass(frozen=True, slots=True)
class PageCursor:
    """Where the next page starts."""

    total: int
    """The number of matches at the first page; every page repeats it."""
    generation: int
    """The generation of the index that the view belongs to."""
    best: float | None = None
    """The best score of the first page; archives report scores relative to it."""
    shown: ShownHits = frozenset()
    """The hits that earlier pages returned and the next one may meet again."""
    position: list[Any] | None = None
    """The engine's position of the last returned hit."""
    view: str | None = None
    """The engine's point-in-time view; None if the search needs none."""
    corrections: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Misspelt words and the words in their place; every page uses those of the first. Bounded, as the query is."""
