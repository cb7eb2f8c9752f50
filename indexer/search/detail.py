"""What each level of detail leaves of a hit: the same shortening as for `max_chars`, with limits of its own."""

from collections.abc import Mapping
from typing import Final

from indexer.arguments import Detail
from indexer.text.truncate import UNLIMITED, SizeLimits

LIMITS: Final[Mapping[Detail, SizeLimits]] = {
    "ids": SizeLimits(characters=80, items=0, highlights=0, keys=0),
    "brief": SizeLimits(characters=80, items=10, highlights=1, keys=1_000),
    "full": UNLIMITED,
}
"""`brief` keeps all keys of metadata, so that a reader sees what there is to filter by."""


def snippets_for(detail: Detail, full: int) -> int:
    """Return how many snippets to request of the engine: one more than is shown tells that something was cut."""
    return 0 if detail == "ids" else min(full, LIMITS[detail].highlights + 1)
