"""Which files of a folder are meant: patterns with the semantics of .gitignore.

RE2 matches them in linear time, so that no pattern of a caller can keep a worker busy.
"""

import re
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final
from unicodedata import normalize

from indexer.errors import Invalid, printable

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

_WILDCARDS: Final = frozenset("*?[")
_NEGATION_OR_COMMENT: Final = ("!", "#")


@dataclass(frozen=True, slots=True)
class Selection:
    """All files, or those that are included; of these none that is excluded."""

    include: "GitIgnoreSpec | None" = None
    exclude: "GitIgnoreSpec | None" = None
    by_extension: "tuple[tuple[str, GitIgnoreSpec], ...]" = ()
    """Each included pattern that names an extension letter by letter, with that extension."""

    @classmethod
    def read(cls, include: Iterable[str] | None, exclude: Iterable[str] | None) -> "Selection":
        """Read patterns as callers write them; none included means all."""
        included = tuple(_normalized(text) for text in include or ())
        excluded = tuple(_normalized(text) for text in exclude or ())
        return cls(
            _compiled(included) if included else None,
            _compiled(excluded) if excluded else None,
            tuple((extension, _compiled((text,))) for text in included if (extension := _extension(text))),
        )

    def takes(self, parts: Sequence[str]) -> bool:
        """Say whether a file is meant, by its path below the folder in NFC."""
        path = _path(parts)
        if self.exclude is not None and self.exclude.match_file(path):
            return False
        return self.include is None or self.include.match_file(path)

    def excludes_dir(self, parts: Sequence[str]) -> bool:
        """Say whether a folder is excluded with all that is in it."""
        return self.exclude is not None and self.exclude.match_file(f"{_path(parts)}/")

    def names(self, parts: Sequence[str], extension: str) -> bool:
        """Say whether an included pattern names this file's extension, so that skipping it silently would surprise."""
        return any(named == extension and spec.match_file(_path(parts)) for named, spec in self.by_extension)


def _normalized(pattern: str) -> str:
    written = normalize("NFC", pattern.strip())
    while written.startswith("./"):
        written = written[2:]
    # A negation makes no sense in a list of what is included, nor does a comment.
    return f"\\{written}" if written.startswith(_NEGATION_OR_COMMENT) else written


# Every chunk of a job opens its source, each time with the same patterns.
@lru_cache(maxsize=1_024)
def _compiled(patterns: tuple[str, ...]) -> "GitIgnoreSpec":
    # Most services never see a pattern, so the libraries are not loaded at their start.
    import re2  # noqa: PLC0415 (see above)
    from pathspec import GitIgnoreSpec  # noqa: PLC0415 (see above)
    from pathspec.patterns.gitignore import GitIgnorePatternError  # noqa: PLC0415 (see above)

    with warnings.catch_warnings():
        # Python's own compiler warns of sets that later versions may read differently; RE2 does the matching.
        warnings.simplefilter("ignore", FutureWarning)
        try:
            return GitIgnoreSpec.from_lines(patterns, backend="re2")
        except (GitIgnorePatternError, re.error, re2.error):
            raise Invalid(
                f"A pattern cannot be read: {printable(', '.join(patterns))}",
                action='Write patterns as in .gitignore, like "**/*.md" or "drafts/"',
            ) from None


def _extension(pattern: str) -> str:
    extension = PurePosixPath(pattern).suffix.lower()
    return "" if _WILDCARDS.intersection(extension) else extension


def _path(parts: Sequence[str]) -> str:
    # RE2 takes only valid UTF-8, and names of files need not be that.
    return "/".join(parts).encode("utf-8", "replace").decode()
