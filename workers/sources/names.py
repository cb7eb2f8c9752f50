"""Names of files as an archive shows them, and what a name says: hidden, readable, dated."""

import re
from collections.abc import Iterable
from datetime import UTC, date, datetime
from typing import Final
from unicodedata import normalize

from workers.parsers.kinds import EXTENSIONS

WAY_BYTES: Final = 4_096
_CONTROLS: Final = "\x00-\x1f\x7f-\x9f"
_SURROGATES: Final = "\ud800-\udfff"
_CONTROL: Final = re.compile(f"[{_CONTROLS}]")
_SURROGATE: Final = re.compile(f"[{_SURROGATES}]")
_UNFIT: Final = re.compile(f"[{_CONTROLS}{_SURROGATES}]")
_DATED: Final = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})(?![0-9])")


def fault(name: str) -> str | None:
    """Return why a file of this name is refused, or None."""
    if _SURROGATE.search(name):
        return "has a name that is not valid UTF-8"
    return "has a name with control characters" if _CONTROL.search(name) else None


def shown(names: Iterable[str]) -> str:
    """Join the names of a way as an archive shows them: valid Unicode in NFC, whatever stands in them."""
    return normalize("NFC", _UNFIT.sub("�", "/".join(names)))


def is_hidden(name: str) -> bool:
    """Say whether a file or folder is passed over in silence."""
    return name.startswith(".")


def extension(name: str) -> str:
    """Return the extension in lower case, with its dot."""
    stem, _, end = name.rpartition(".")
    return f".{end.lower()}" if stem and end else ""


def is_readable(name: str) -> bool:
    """Say whether there is a parser for files of this name."""
    return extension(name) in EXTENSIONS


def date_of(path: str, modified: float) -> str:
    """Return the date of the nearest dated folder on a path, else the day of the file's time, in UTC."""
    for name in reversed(path.split("/")[:-1]):
        found = _DATED.match(name)
        if found and (day := _day(found[1])):
            return day
    try:
        return datetime.fromtimestamp(modified, UTC).date().isoformat()
    except (OverflowError, ValueError, OSError):
        return datetime.fromtimestamp(0, UTC).date().isoformat()


def _day(written: str) -> str | None:
    try:
        return date.fromisoformat(written).isoformat()
    except ValueError:
        return None
