"""File names as an archive shows them, and what a name says about a file: hidden, readable, dated."""

import re
from collections.abc import Iterable
from datetime import UTC, date, datetime
from typing import Final
from unicodedata import normalize

from workers.parsers.kinds import EXTENSIONS

MAX_PATH_BYTES: Final = 4_096
NO_EXTENSION: Final = "no extension"
_CONTROLS: Final = "\x00-\x1f\x7f-\x9f"
_SURROGATES: Final = "\ud800-\udfff"
_CONTROL: Final = re.compile(f"[{_CONTROLS}]")
_SURROGATE: Final = re.compile(f"[{_SURROGATES}]")
_NOT_SHOWABLE: Final = re.compile(f"[{_CONTROLS}{_SURROGATES}]")
_KIND: Final = re.compile(r"\.[\w+~-]{1,20}")
_DATE_PREFIX: Final = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})(?![0-9])")


def name_problem(name: str) -> str | None:
    """Return why a file of this name is skipped, or None."""
    if _SURROGATE.search(name):
        return "has a name that is not valid UTF-8"
    return "has a name with control characters" if _CONTROL.search(name) else None


def shown(names: Iterable[str]) -> str:
    """Join names to a path that an archive can show: valid Unicode in NFC, unfit characters replaced by U+FFFD."""
    return normalize("NFC", _NOT_SHOWABLE.sub("�", "/".join(names)))


def is_hidden(name: str) -> bool:
    """Return whether a file or folder is skipped for its name."""
    return name.startswith(".")


def extension(name: str) -> str:
    """Return the extension in lower case, with its dot."""
    stem, _, end = name.rpartition(".")
    return f".{end.lower()}" if stem and end else ""


def kind(name: str) -> str:
    """Return the kind of a file by its name: its extension, if that looks like one."""
    found = extension(name)
    return found if _KIND.fullmatch(found) else NO_EXTENSION


def is_kind(text: str) -> bool:
    """Return whether this is a kind of files, as `kind` returns it."""
    return text == NO_EXTENSION or _KIND.fullmatch(text) is not None


def is_readable(name: str) -> bool:
    """Return whether there is a parser for files of this name."""
    return extension(name) in EXTENSIONS


def date_of(path: str, modified: float) -> str:
    """Return the date in the name of the nearest dated folder, else the file's modification day in UTC."""
    for name in reversed(path.split("/")[:-1]):
        match = _DATE_PREFIX.match(name)
        if match and (day := _valid_date(match[1])):
            return day
    try:
        return datetime.fromtimestamp(modified, UTC).date().isoformat()
    except (OverflowError, ValueError, OSError):
        return datetime.fromtimestamp(0, UTC).date().isoformat()


def _valid_date(text: str) -> str | None:
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        return None
