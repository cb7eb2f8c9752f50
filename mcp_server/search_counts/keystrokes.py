"""Joins the searches that a page sends while somebody types: only the last one counts."""

from collections import deque
from typing import Final, NamedTuple

from indexer.tenancy import TeamId

_PAUSE_SECONDS: Final = 2.0
_HOLD_SECONDS: Final = 10.0
"""Longer than the pause: a search with more letters may take longer than the one before it."""
_MAX_HELD: Final = 8
"""Searches of one caller that may still be continued; beyond that, the oldest one counts at once."""


# A named tuple, because one is made in each search.
class Search(NamedTuple):
    """One search that has ended."""

    team: TeamId
    credential: str
    at: float
    """When it began, in seconds since 1970."""
    text: str
    has_results: bool


class Keystrokes:
    """Holds the latest searches of each caller. Not safe for threads."""

    def __init__(self) -> None:
        self._held: dict[tuple[TeamId, str], deque[Search]] = {}

    def add(self, search: Search) -> Search | None:
        """Take a search; return one that counts now, to make room.

        Of two searches that one caller began within two seconds, and where the text of one begins with that of the
        other, only the later one counts.
        """
        held = self._held.setdefault((search.team, search.credential), deque())
        for position, other in enumerate(held):
            if _is_typed_on(search, other):
                held[position] = max(search, other, key=lambda each: each.at)
                return None
        held.append(search)
        return held.popleft() if len(held) > _MAX_HELD else None

    def settled(self, now: float) -> list[Search]:
        """Take out the searches that nobody has typed on, and return them."""
        settled: list[Search] = []
        for caller, held in list(self._held.items()):
            settled += (each for each in held if each.at + _HOLD_SECONDS <= now)
            left = deque(each for each in held if each.at + _HOLD_SECONDS > now)
            if left:
                self._held[caller] = left
            else:
                del self._held[caller]
        return settled


def _is_typed_on(one: Search, other: Search) -> bool:
    if abs(one.at - other.at) > _PAUSE_SECONDS:
        return False
    return one.text.startswith(other.text) or other.text.startswith(one.text)
