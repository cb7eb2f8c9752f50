"""Which tokens of a field a query matched, for highlights."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice, product
from typing import Final

_MAX_COMBINATIONS: Final = 100_000


@dataclass(frozen=True, slots=True)
class Mark:
    """A phrase, with the terms that may stand at each of its positions; a word is a phrase of one."""

    terms: tuple[frozenset[str], ...]
    slop: int = 0

    def positions(self, tokens: Sequence[str]) -> set[int]:
        """Return the positions of the tokens that the phrase matches."""
        places = [[at for at, token in enumerate(tokens) if token in each] for each in self.terms]
        return {at for phrase, _ in phrases(places, self.slop) for at in phrase}


@dataclass(slots=True)
class Marks:
    """The marks of each field; those of excluded clauses are left out."""

    fields: dict[str, list[Mark]] = field(default_factory=lambda: defaultdict(list))
    is_on: bool = True

    def add(self, name: str, mark: Mark) -> None:
        if self.is_on:
            self.fields[name].append(mark)


def phrases(places: Sequence[Sequence[int]], slop: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield where the terms of a phrase stand, given the positions of each, and by how much they are displaced."""
    if slop == 0:
        others = [set(each) for each in places[1:]]
        for start in places[0]:
            if all(start + offset in each for offset, each in enumerate(others, start=1)):
                yield tuple(range(start, start + len(places))), 0
        return
    # A word that is repeated in the phrase and in the text has too many combinations to try all of them.
    for phrase in islice(product(*places), _MAX_COMBINATIONS):
        shifts = [at - offset for offset, at in enumerate(phrase)]
        displacement = max(shifts) - min(shifts)
        if displacement <= slop and len(set(phrase)) == len(phrase):
            yield phrase, displacement
