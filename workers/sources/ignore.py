"""Ignore rules of a folder: .gitignore, .trawlignore, and folders that only programs fill.

The last pattern that matches decides, as in git: patterns of a folder come after those of the folders above it, and
.trawlignore after .gitignore. The rules for folders of programs come first, so a pattern like `!node_modules/` revokes
them. Ignore files above the folder that is read do not count.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final
from unicodedata import normalize

from workers.sources.gitignore import Pattern, PatternList, read_pattern
from workers.sources.names import shown
from workers.sources.tree import PathParts, Tree

IGNORE_FILES: Final = (".gitignore", ".trawlignore")
BUILD_FOLDERS: Final = (
    "node_modules/",
    "bower_components/",
    "__pycache__/",
    "__MACOSX/",
    "*.egg-info/",
    "*.dist-info/",
)
"""Names that only programs give; folders like `build` or `dist` may be anyone's."""
MAX_PATTERNS: Final = 10_000
MAX_CHARACTERS: Final = 256_000
"""Of all patterns in force in a folder. RE2 takes about 400 bytes for one, at worst."""
_MAX_SHOWN_PATTERN: Final = 100
_VIRTUAL_ENVIRONMENT: Final = "pyvenv.cfg"
_CACHE_TAG: Final = "CACHEDIR.TAG"
_CACHE_SIGNATURE: Final = b"Signature: 8a477f597d28d172789f06886806bc55"
"""By which programs mark folders that they can fill again (https://bford.info/cachedir/)."""


@dataclass(frozen=True, slots=True)
class _IgnoreFile:
    name: str
    """The way to it from the folder that is read."""
    depth: int
    patterns: PatternList


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a pattern says."""

    rule: str | None
    """The rule that leaves a file or folder out; None if the pattern revokes other rules."""


@dataclass(frozen=True, slots=True)
class IgnoreRules:
    """The rules in force in one folder: its own, and those of the folders above it."""

    files: tuple[_IgnoreFile, ...] = ()
    patterns: int = 0
    characters: int = 0
    problems: tuple[tuple[str, str], ...] = ()
    """Ignore files of this folder that do not apply, or not all of them: name and reason."""

    def enter(self, tree: Tree, folder: PathParts) -> "IgnoreRules":
        """Return the rules in force in a folder below."""
        rules = IgnoreRules(self.files, self.patterns, self.characters)
        for name in tree.present(folder, IGNORE_FILES):
            rules = rules._with_file(tree, (*folder, name))
        return rules

    def last_match(self, path: PathParts, *, is_folder: bool) -> "Verdict | None":
        """Return what the last pattern that matches says about a file or folder, by its path in NFC."""
        for file in reversed(self.files):
            pattern = file.patterns.last_match(path[file.depth :], is_folder=is_folder)
            if pattern is not None:
                return Verdict(None if pattern.negated else f"{file.name}: {_shown(pattern)}")
        # All of these are patterns of folders.
        pattern = _build_folders().last_match(path, is_folder=True) if is_folder else None
        return None if pattern is None else Verdict(f"default: {pattern.text}")

    def problem_of(self, name: str) -> str | None:
        """Return why an ignore file of this folder does not apply, or not all of it."""
        return dict(self.problems).get(name)

    def _with_file(self, tree: Tree, path: PathParts) -> "IgnoreRules":
        try:
            data, _ = tree.read(path, MAX_CHARACTERS)
        except OSError:
            return self._with_problem(path[-1], "an ignore file that cannot be read, so it does not apply")
        lines = normalize("NFC", data.decode("utf-8-sig", "replace")).split("\n")
        patterns, complete = _read_patterns(lines, MAX_PATTERNS - self.patterns, MAX_CHARACTERS - self.characters)
        file = _IgnoreFile(shown(path), len(path) - 1, PatternList(patterns))
        rules = IgnoreRules(
            (*self.files, file) if patterns else self.files,
            self.patterns + len(patterns),
            self.characters + sum(len(pattern.text) for pattern in patterns),
            self.problems,
        )
        if complete and len(data) <= MAX_CHARACTERS:
            return rules
        return rules._with_problem(path[-1], "a long ignore file, of which only the first patterns apply")

    def _with_problem(self, name: str, problem: str) -> "IgnoreRules":
        return IgnoreRules(self.files, self.patterns, self.characters, (*self.problems, (name, problem)))


def _read_patterns(lines: Sequence[str], count: int, characters: int) -> tuple[list[Pattern], bool]:
    """Return the first patterns, as many as are allowed, and whether these are all."""
    patterns: list[Pattern] = []
    for line in lines:
        pattern = read_pattern(line.removesuffix("\r"))
        if pattern is None:
            continue
        characters -= len(pattern.text)
        if len(patterns) == count or characters < 0:
            return patterns, False
        patterns.append(pattern)
    return patterns, True


@cache
def _build_folders() -> PatternList:
    return PatternList(pattern for text in BUILD_FOLDERS if (pattern := read_pattern(text)) is not None)


def marked_by_programs(tree: Tree, folder: PathParts) -> str | None:
    """Return the rule by which a folder is left out for what is in it."""
    present = tree.present(folder, (_VIRTUAL_ENVIRONMENT, _CACHE_TAG))
    if _VIRTUAL_ENVIRONMENT in present:
        return f"default: a virtual environment ({_VIRTUAL_ENVIRONMENT})"
    if _CACHE_TAG in present and _starts_with(tree, (*folder, _CACHE_TAG), _CACHE_SIGNATURE):
        return f"default: a cache ({_CACHE_TAG})"
    return None


def _starts_with(tree: Tree, path: PathParts, signature: bytes) -> bool:
    try:
        data, _ = tree.read(path, len(signature))
    except OSError:
        return False
    return data.startswith(signature)


def _shown(pattern: Pattern) -> str:
    text = shown([pattern.text])
    return text if len(text) <= _MAX_SHOWN_PATTERN else f"{text[:_MAX_SHOWN_PATTERN]}…"
