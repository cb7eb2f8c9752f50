"""How much is measured: enough for numbers to trust, or just enough to see that everything works."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Scale:
    documents: int | None
    """Of the documentation tree; None for all."""
    queries: int
    searches: tuple[tuple[int, int], ...]
    """How many callers there are at once, and how many searches they make together in a round."""
    rounds: int
    files: tuple[int, int]
    """How many files are ingested: a small folder, and one of ten times the size."""
    repeats: int
    """How often each folder is ingested."""
    starts: int


FULL = Scale(
    documents=None,
    queries=100,
    searches=((1, 100), (16, 400)),
    rounds=9,
    files=(500, 5_000),
    repeats=3,
    starts=5,
)
QUICK = Scale(
    documents=2_000,
    queries=30,
    searches=((1, 30), (16, 90)),
    rounds=3,
    files=(60, 600),
    repeats=1,
    starts=2,
)
