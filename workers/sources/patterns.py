"""Which files are meant: glob patterns as in .gitignore, matched in time that no pattern can stretch."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fnmatch import translate
from pathlib import PurePosixPath
from unicodedata import normalize

Segment = re.Pattern[str]


@dataclass(frozen=True, slots=True)
class Pattern:
    """One glob: a name alone fits at any depth, a way with `/` from the top; what fits a folder fits all in it."""

    runs: tuple[tuple[Segment, ...], ...]
    """The segments between the `**`."""
    folders_only: bool
    extension: str
    """The extension that it names letter by letter, or nothing."""

    @classmethod
    def read(cls, text: str) -> "Pattern":
        written = normalize("NFC", text.strip())
        names = [name for name in written.split("/") if name not in {"", "."}]
        if "/" not in written.rstrip("/"):
            names.insert(0, "**")
        # A `**` at the end means what is inside, so something must follow.
        if names and names[-1] == "**":
            names.append("*")
        runs: list[list[Segment]] = [[]]
        for name in names:
            if name == "**":
                runs.append([])
            else:
                runs[-1].append(re.compile(translate(name)))
        extension = PurePosixPath(names[-1]).suffix if names else ""
        return cls(
            tuple(tuple(run) for run in runs),
            folders_only=written.endswith("/"),
            extension="" if set(extension) & set("*?[") else extension.lower(),
        )

    def fits(self, way: Sequence[str], *, is_folder: bool = False) -> bool:
        """Say whether a way below the top, or a folder on it, fits."""
        first = way[: len(self.runs[0])]
        if not _equal(self.runs[0], first):
            return False
        if len(self.runs) == 1:
            inside = len(way) > len(first)
            return bool(first) and (inside or is_folder or not self.folders_only)
        position = len(first)
        for run in self.runs[1:]:
            while not _equal(run, way[position : position + len(run)]):
                position += 1
                if position + len(run) > len(way):
                    return False
            position += len(run)
        return position < len(way) or is_folder or not self.folders_only


def _equal(run: Sequence[Segment], names: Sequence[str]) -> bool:
    return len(run) == len(names) and all(segment.match(name) for segment, name in zip(run, names, strict=True))


@dataclass(frozen=True, slots=True)
class Selection:
    """Which files of a folder are meant: all, or those included, and of these none that is excluded."""

    include: tuple[Pattern, ...] | None = None
    exclude: tuple[Pattern, ...] = ()

    @classmethod
    def read(cls, include: Iterable[str] | None, exclude: Iterable[str] | None) -> "Selection":
        """Read patterns as callers write them; none included means all."""
        included = tuple(Pattern.read(text) for text in include or ())
        return cls(included or None, tuple(Pattern.read(text) for text in exclude or ()))

    def takes(self, way: Sequence[str]) -> bool:
        """Say whether a file is meant, by its names below the top in NFC."""
        return not self.excludes_dir(way, is_folder=False) and (
            self.include is None or any(pattern.fits(way) for pattern in self.include)
        )

    def excludes_dir(self, way: Sequence[str], *, is_folder: bool = True) -> bool:
        """Say whether a folder is excluded with all that is in it."""
        return any(pattern.fits(way, is_folder=is_folder) for pattern in self.exclude)

    def names(self, way: Sequence[str], extension: str) -> bool:
        """Say whether a file is asked for by its own extension, so that passing over it would surprise."""
        return self.include is not None and any(
            pattern.extension == extension and pattern.fits(way) for pattern in self.include
        )
