"""Names of files as an archive shows them, and what a name says: hidden, readable, dated."""

import re
from collections.abc import Iterable
from datetime import UTC, date, datetime
from pathlib import PurePosixPath
from typing import Final
from unicodedata import category, normalize

from workers.parsers.kinds import EXTENSIONS

WAY_BYTES: Final = 4_096
_DATED: Final = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})(?![0-9])")


def fault(name: str) -> str | None:
    """Return why a file of this name is refused, or None."""
    found = {category(letter) for letter in name}
    if "Cs" in found:
        return "has a name that is not valid UTF-8"
    return "has a name with control characters" if "Cc" in found else None


def shown(names: Iterable[str]) -> str:
    """Join the names of a way as an archive shows them: valid Unicode in NFC, whatever stands in them."""
    written = "/".join(names)
    return normalize("NFC", "".join("�" if category(letter) in {"Cc", "Cs"} else letter for letter in written))


def is_hidden(name: str) -> bool:
    """Say whether a file or folder is passed over in silence."""
    return name.startswith(".")


def extension(name: str) -> str:
    """Return the extension in lower case, with its dot."""
    return PurePosixPath(name).suffix.lower()


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
