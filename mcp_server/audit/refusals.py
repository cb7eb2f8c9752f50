"""Bounds the records of refused calls, so that nobody fills the disk by being refused again and again."""

from collections import Counter
from typing import Final, NamedTuple

_WINDOW_SECONDS: Final = 60.0
_MAX_RECORDED: Final = 10


class Refusal(NamedTuple):
    """Refused calls of one sender that are alike."""

    team: str
    subject: str
    credential: str
    operation: str
    outcome: str


class Refusals:
    """Counts refused calls by the minute. The first ones of a kind are recorded; of the rest, how many there were."""

    def __init__(self) -> None:
        self._counts: Counter[Refusal] = Counter()
        self._ends_at = 0.0

    def is_recorded(self, refusal: Refusal) -> bool:
        """Count a refused call, and say whether it is recorded by itself."""
        self._counts[refusal] += 1
        return self._counts[refusal] <= _MAX_RECORDED

    def unrecorded(self, now: float) -> list[tuple[Refusal, int]]:
        """Return how many were not recorded in the minute that is over; empty while it lasts."""
        if now < self._ends_at:
            return []
        left = [(refusal, count - _MAX_RECORDED) for refusal, count in self._counts.items() if count > _MAX_RECORDED]
        self._counts.clear()
        self._ends_at = now + _WINDOW_SECONDS
        return left
