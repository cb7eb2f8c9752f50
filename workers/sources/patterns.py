"""Which files of a folder a caller asked for: include and exclude, with the semantics of .gitignore."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final
from unicodedata import normalize

from indexer.errors import Invalid, printable
from workers.sources.gitignore import PatternList, read_pattern

_SIGNS: Final = frozenset("*?[\\")
_NEGATION_OR_COMMENT: Final = ("!", "#")


@dataclass(frozen=True, slots=True)
class Selection:
    """All files, or those that are included; of these none that is excluded. Paths are in NFC, below the folder."""

    include: PatternList | None = None
    exclude: PatternList | None = None
    named: frozenset[tuple[str, ...]] = frozenset()
    """Paths that included patterns name letter by letter, from the folder down."""
    named_anywhere: frozenset[str] = frozenset()
    """Names of files and folders that included patterns name letter by letter, wherever they are."""

    @classmethod
    def read(cls, include: Iterable[str] | None, exclude: Iterable[str] | None) -> "Selection":
        """Read patterns as callers write them; none included means all."""
        included = tuple(_normalized(text) for text in include or ())
        excluded = tuple(_normalized(text) for text in exclude or ())
        globs = [text.removesuffix("/") for text in included]
        return cls(
            _compiled(included) if included else None,
            _compiled(excluded) if excluded else None,
            frozenset(path for glob in globs if "/" in glob for path in _literal_paths(glob)),
            frozenset(glob for glob in globs if "/" not in glob and not _SIGNS.intersection(glob)),
        )

    def excluded_by(self, parts: Sequence[str], *, is_folder: bool) -> str | None:
        """Return the pattern that excludes a file, or a folder with all that is in it."""
        pattern = self.exclude.last_match(parts, is_folder=is_folder) if self.exclude is not None else None
        return None if pattern is None else pattern.text

    def includes(self, parts: Sequence[str], *, is_folder: bool) -> bool:
        """Return whether a file is included, or a folder with all that is in it."""
        return self.include is None or self.include.last_match(parts, is_folder=is_folder) is not None

    def names(self, parts: Sequence[str]) -> bool:
        """Return whether an included pattern spells out this file or folder; then no ignore rule leaves it out."""
        return tuple(parts) in self.named or parts[-1] in self.named_anywhere


def _normalized(pattern: str) -> str:
    written = normalize("NFC", pattern.strip())
    while written.startswith("./"):
        written = written[2:]
    # A negation makes no sense in a list of what is included, nor does a comment.
    return f"\\{written}" if written.startswith(_NEGATION_OR_COMMENT) else written


def _literal_paths(glob: str) -> Iterable[tuple[str, ...]]:
    """Yield the paths, from the top down, that stand in a pattern before its first wildcard."""
    path: tuple[str, ...] = ()
    for name in glob.removeprefix("/").split("/"):
        if _SIGNS.intersection(name):
            return
        path = (*path, name)
        yield path


# Every chunk of a job opens its source, each time with the same patterns.
@lru_cache(maxsize=1_024)
def _compiled(texts: tuple[str, ...]) -> PatternList:
    patterns = [read_pattern(text) for text in texts]
    if not all(patterns):
        wrong = ", ".join(text for text, pattern in zip(texts, patterns, strict=True) if pattern is None)
        raise Invalid(
            f"A pattern cannot be read: {printable(wrong)}",
            action='Write patterns as in .gitignore, like "**/*.md" or "drafts/"',
        )
    return PatternList(pattern for pattern in patterns if pattern is not None)
