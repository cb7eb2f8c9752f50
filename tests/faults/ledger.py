"""What must be in an index after calls of which some were never answered."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager


class Ledger:
    """For each document, the values that it may have: one after an answer, several after a silence. None: absent."""

    def __init__(self) -> None:
        self._possible: dict[str, set[int | None]] = {}
        self._deleting: set[str] = set()
        """Whose deletion was never answered: it may have been noted, and is then done by the next re-index."""
        self.answered = 0

    @contextmanager
    def changing(self, values: Mapping[str, int | None]) -> Iterator[None]:
        """Note a change before the call, and that it is settled when the block ends without an exception."""
        for id_, value in values.items():
            self._possible.setdefault(id_, {None}).add(value)
            if value is None:
                self._deleting.add(id_)
        yield
        for id_, value in values.items():
            self._possible[id_] = {value}
        self._deleting -= values.keys()
        self.answered += 1

    def check(self, found: Mapping[str, int]) -> None:
        """Fail if something acknowledged is missing, old, or back again."""
        assert not (new := found.keys() - self._possible.keys()), new
        wrong = {
            id_: (found.get(id_), possible)
            for id_, possible in self._possible.items()
            if found.get(id_) not in possible
        }
        assert wrong == {}, wrong
        # A write that was uncertain is settled by what is there now; it must stay so.
        self._possible = {
            id_: {found.get(id_), None} if id_ in self._deleting else {found.get(id_)} for id_ in self._possible
        }
