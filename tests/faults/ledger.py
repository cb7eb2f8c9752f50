"""What must be in an index after calls of which some were never answered."""

import time
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

_EVENTS = 8
"""Changes of a document that are told when it is not as it must be."""


@dataclass(slots=True)
class Differences:
    """What is not as it was acknowledged, each with what happened to it."""

    lost: list[str] = field(default_factory=list)
    """Absent, although its writing was the last that was acknowledged."""
    wrong: list[str] = field(default_factory=list)
    """There with another value, or never written at all."""
    undead: list[str] = field(default_factory=list)
    """There, although its deletion was the last that was acknowledged."""


class Ledger:
    """For each document, the values that it may have: one after an answer, several after a silence. None: absent."""

    def __init__(self) -> None:
        self._begun = time.monotonic()
        self._possible: dict[str, set[int | None]] = {}
        self._deleting: set[str] = set()
        """Whose deletion was never answered: it may have been noted, and is then done by the next re-index."""
        self._events: dict[str, deque[str]] = {}
        self.answered = 0
        self.written = 0
        self.deleted = 0

    @contextmanager
    def changing(self, values: Mapping[str, int | None]) -> Iterator[None]:
        """Note a change before the call, and that it is settled when the block ends without an exception."""
        for id_, value in values.items():
            self._possible.setdefault(id_, {None}).add(value)
            if value is None:
                self._deleting.add(id_)
            self._note(id_, value, "sent")
        yield
        for id_, value in values.items():
            self._possible[id_] = {value}
            self._note(id_, value, "acknowledged")
        self._deleting -= values.keys()
        self.answered += 1
        deleted = sum(value is None for value in values.values())
        self.deleted += deleted
        self.written += len(values) - deleted

    def possible(self, id_: str) -> set[int | None]:
        return self._possible.get(id_, {None})

    def told(self, id_: str, found: int | None) -> str:
        """Say what was found, what would be right, and what happened to it last."""
        return f"{id_}: {found}, not {self.possible(id_)}; " + ", ".join(self._events.get(id_, ()))

    def compare(self, found: Mapping[str, int]) -> Differences:
        """Say what of the acknowledged is missing, old, or back again."""
        differences = Differences(wrong=[self.told(id_, found[id_]) for id_ in found.keys() - self._possible.keys()])
        for id_, possible in self._possible.items():
            value = found.get(id_)
            if value in possible:
                continue
            if value is None:
                differences.lost.append(self.told(id_, value))
            elif possible == {None}:
                differences.undead.append(self.told(id_, value))
            else:
                differences.wrong.append(self.told(id_, value))
        return differences

    def check(self, found: Mapping[str, int]) -> None:
        """Fail if something acknowledged is missing, old, or back again."""
        assert (differences := self.compare(found)) == Differences(), differences
        # A write that was uncertain is settled by what is there now; it must stay so.
        self._possible = {
            id_: {found.get(id_), None} if id_ in self._deleting else {found.get(id_)} for id_ in self._possible
        }

    def _note(self, id_: str, value: int | None, what: str) -> None:
        seconds = time.monotonic() - self._begun
        text = "deletion" if value is None else str(value)
        self._events.setdefault(id_, deque(maxlen=_EVENTS)).append(f"{text} {what} at {seconds:.1f} s")
