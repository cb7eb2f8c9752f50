"""Patterns as in .gitignore, with git's own reading of them; RE2 matches them in linear time.

A pattern is matched against an entry itself, not against the folders above it: a listing decides about a folder before
it enters it, as git does. `patterns.py` uses them to include and exclude files, `ignore.py` for ignore files.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from re2 import Set

_MAX_SET_SIZE: Final = 500
_ANY_FOLDERS: Final = "(?:.*/)?"
_CLASS: Final = re.compile(r"\[:([^]]*):\]")
_CLASSES: Final = {
    **{name: f"[:{name}:]" for name in ("alnum", "alpha", "blank", "cntrl", "digit", "lower", "space", "upper")},
    "xdigit": "[:xdigit:]",
    # No set of characters matches a slash.
    "punct": r"!-.:-@\[-`{-~",
    "graph": "!-.0-~",
    "print": " -.0-~",
}


@dataclass(frozen=True, slots=True)
class Pattern:
    """One line of an ignore file."""

    text: str
    """As written."""
    regex: str
    negated: bool
    only_folders: bool
    by_name: bool
    """Whether the last name of a path is matched, and not the whole path."""


class PatternList:
    """Patterns of which the last one that matches decides."""

    def __init__(self, patterns: Iterable[Pattern]) -> None:
        self._patterns = tuple(patterns)
        self._by_name = list(_sets([(at, each.regex) for at, each in enumerate(self._patterns) if each.by_name]))
        self._by_path = list(_sets([(at, each.regex) for at, each in enumerate(self._patterns) if not each.by_name]))

    def last_match(self, parts: Sequence[str], *, is_folder: bool) -> Pattern | None:
        """Return the last pattern that matches an entry, by its path in NFC below the folder of the patterns."""
        matches = [*_matches(self._by_name, parts[-1])]
        if self._by_path:
            matches += _matches(self._by_path, "/".join(parts))
        last = max((at for at in matches if is_folder or not self._patterns[at].only_folders), default=None)
        return None if last is None else self._patterns[last]


def read_pattern(line: str) -> Pattern | None:
    """Read one line in NFC; None for a comment, a blank line, and a pattern that git discards."""
    text = _without_trailing_spaces(line)
    if text.startswith("#"):
        return None
    negated = text.startswith("!")
    glob = text.removeprefix("!")
    only_folders = glob.endswith("/")
    glob = glob.removesuffix("/")
    by_name = "/" not in glob
    regex = _translate(glob.removeprefix("/"))
    return Pattern(text, regex, negated, only_folders, by_name) if regex else None


def _without_trailing_spaces(line: str) -> str:
    """Remove spaces at the end, but none that a backslash escapes."""
    end = at = 0
    while at < len(line):
        step = 2 if line[at] == "\\" else 1
        if line[at] != " ":
            end = at + step
        at += step
    return line[:end]


def _translate(glob: str) -> str | None:
    """Return a regular expression for whole names or paths; None if the pattern is malformed."""
    regex = ""
    at = 0
    while at < len(glob):
        character = glob[at]
        if character == "*":
            piece, at = _translate_stars(glob, at)
        elif character == "?":
            piece, at = "[^/]", at + 1
        elif character == "[":
            found = _translate_set(glob, at + 1)
            if found is None:
                return None
            piece, at = found
        elif character == "\\":
            if at + 1 == len(glob):
                return None
            piece, at = re.escape(glob[at + 1]), at + 2
        else:
            piece, at = re.escape(character), at + 1
        regex += piece
    return regex


def _translate_stars(glob: str, start: int) -> tuple[str, int]:
    """Translate `*`, or `**` where it stands for whole folders; return the position behind it, too."""
    end = start
    while end < len(glob) and glob[end] == "*":
        end += 1
    is_name = start == 0 or glob[start - 1] == "/"
    if end - start > 1 and is_name and end == len(glob):
        return ".*", end
    if end - start > 1 and is_name and glob[end] == "/":
        return _ANY_FOLDERS, end + 1
    return "[^/]*", end


def _translate_set(glob: str, start: int) -> tuple[str, int] | None:
    """Translate a set like `[!a-z]`; return the position behind it, too, or None if it is malformed or empty."""
    at = start
    negated = glob[at : at + 1] in {"!", "^"}
    at += negated
    first = at
    pieces: list[str] = []
    previous: str | None = None
    while at < len(glob) and (glob[at] != "]" or at == first):
        if name := _CLASS.match(glob, at):
            if name[1] not in _CLASSES:
                return None
            pieces.append(_CLASSES[name[1]])
            previous, at = None, name.end()
        elif glob[at] == "-" and previous is not None and glob[at + 1 : at + 2] not in {"", "]"}:
            at += 2 if glob[at + 1] == "\\" else 1
            pieces.append(_range(previous, glob[at : at + 1]))
            previous, at = None, at + 1
        else:
            at += glob[at] == "\\"
            previous = glob[at : at + 1]
            pieces.append(_range(previous, previous))
            at += 1
    if at >= len(glob):
        return None
    inside = "".join(pieces)
    if negated:
        return f"[^/{inside}]", at + 1
    return (f"[{inside}]", at + 1) if inside else None


def _range(first: str, last: str) -> str:
    """Return the characters from the first to the last one, but for the slash."""
    if not first or not last or first > last:
        return ""
    if first <= "/" <= last:
        before = _range(first, ".") if first < "/" else ""
        return before + (_range("0", last) if last > "/" else "")
    return rf"\x{{{ord(first):x}}}-\x{{{ord(last):x}}}"


def _sets(regexes: list[tuple[int, str]]) -> Iterator[tuple["Set", list[int]]]:
    """Compile regular expressions with their numbers, in sets that RE2 has the memory for."""
    # Most services never see a pattern, so the library is not loaded at their start.
    import re2  # noqa: PLC0415 (see above)

    options = re2.Options()
    options.log_errors = False
    options.never_capture = True
    options.dot_nl = True
    waiting = [regexes[start : start + _MAX_SET_SIZE] for start in range(0, len(regexes), _MAX_SET_SIZE)]
    while waiting:
        part = waiting.pop()
        compiled = re2.Set.FullMatchSet(options)
        try:
            for _, regex in part:
                compiled.Add(regex)
            compiled.Compile()
        except re2.error:
            # A single pattern that is too large for RE2 matches nothing.
            half = len(part) // 2
            waiting += [part[:half], part[half:]] if half else []
        else:
            yield compiled, [number for number, _ in part]


def _matches(sets: list[tuple["Set", list[int]]], text: str) -> Iterator[int]:
    if sets:
        # RE2 takes only valid UTF-8, and names of files need not be that.
        encoded = text.encode("utf-8", "replace")
        for compiled, numbers in sets:
            yield from (numbers[at] for at in compiled.Match(encoded) or ())
