"""Files that are not meant to be read, or that no parser reads: counted, with the first ones by name."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

MAX_NAMED: Final = 100
MAX_KINDS: Final = 100
NO_READER: Final = "no reader for this kind"
HIDDEN: Final = "hidden"
_MAX_WAITING: Final = 1_000
OTHER_KINDS: Final = "other"
"""Stands for all kinds beyond the first hundred."""


@dataclass(frozen=True, slots=True)
class SkippedFile:
    """A file that a job leaves out, or a folder with all that is in it, whose path then ends with a slash."""

    path: str
    reason: str
    kind: str | None = None
    """The kind, if there is no parser for it: usually the extension."""


@dataclass(frozen=True, slots=True)
class SkippedFiles:
    """Any number of skipped files in bounded memory."""

    count: int = 0
    first: tuple[SkippedFile, ...] = ()
    kinds: dict[str, int] = field(default_factory=dict)
    """How many files of each kind have no parser."""

    @classmethod
    def of(cls, files: Sequence[SkippedFile]) -> "SkippedFiles":
        kinds = Counter(file.kind for file in files if file.kind is not None)
        return cls(len(files), tuple(files[:MAX_NAMED]), bounded_kinds(kinds.items()))

    def __add__(self, other: "SkippedFiles") -> "SkippedFiles":
        if not other.count:
            return self
        kinds = bounded_kinds([*self.kinds.items(), *other.kinds.items()])
        return SkippedFiles(self.count + other.count, (self.first + other.first)[:MAX_NAMED], kinds)


class SkippedCounter:
    """Counts skipped files one by one."""

    def __init__(self) -> None:
        self._counted = SkippedFiles()
        self._waiting: list[SkippedFile] = []

    def add(self, skipped: SkippedFile | SkippedFiles) -> None:
        if isinstance(skipped, SkippedFiles):
            self._counted = self.result() + skipped
            return
        self._waiting.append(skipped)
        if len(self._waiting) >= _MAX_WAITING:
            self.result()

    def result(self) -> SkippedFiles:
        """Return all that was added so far."""
        self._counted += SkippedFiles.of(self._waiting)
        self._waiting = []
        return self._counted


def bounded_kinds(counts: Iterable[tuple[str, int]]) -> dict[str, int]:
    """Add up counts by kind; kinds beyond the first hundred are added up as one."""
    kinds: dict[str, int] = {}
    for kind, count in counts:
        name = kind if kind in kinds or len(kinds) < MAX_KINDS else OTHER_KINDS
        kinds[name] = kinds.get(name, 0) + count
    return kinds
