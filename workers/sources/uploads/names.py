"""Names of sent files: what they say where a file is to stand, whatever the sender wrote."""

from typing import Final
from unicodedata import normalize

from workers.sources import names
from workers.sources.tree import PathParts

_NAME_BYTES: Final = 255
_WAY_BYTES: Final = 2_000
"""Leaves room for the folder that uploads are stored in."""
_ARCHIVES: Final = (".zip", ".tar", ".tar.gz", ".tgz", ".tar.xz", ".txz")


class Unfit(Exception):
    """A name that no file can be stored under; the reason finishes the sentence "this file …"."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def placed(name: str, below: PathParts = ()) -> PathParts | None:
    """Return where a sent file stands below its folder, or None if it is passed over in silence."""
    if name.startswith("/") or name[1:3] in {":/", ":\\"} or ".." in name.split("/"):
        raise Unfit("has a path that leads out of the upload")
    way = (*below, *(normalize("NFC", part) for part in name.split("/") if part not in {"", "."}))
    if len(way) == len(below):
        raise Unfit("has no name")
    if any(names.is_hidden(part) or part == "__MACOSX" for part in way):
        return None
    for part in way:
        if reason := names.fault(part):
            raise Unfit(reason)
    if max(len(part.encode()) for part in way) > _NAME_BYTES or len("/".join(way).encode()) > _WAY_BYTES:
        raise Unfit("has too long a name")
    return way


def root_name(given: str) -> str:
    """Return a folder's name as the root of what is sent from it; `Unfit` if it cannot be one."""
    name = normalize("NFC", given)
    if name in {"", ".", ".."} or "/" in name or len(name.encode(errors="replace")) > _NAME_BYTES:
        raise Unfit("cannot be the name of a folder")
    if reason := names.fault(name):
        raise Unfit(reason)
    return name


def is_archive(name: str) -> bool:
    """Say whether a file is unpacked; what is inside goes where the archive stands."""
    return name.lower().endswith(_ARCHIVES)


def is_zip(name: str) -> bool:
    """Say whether an archive is a zip file; all others are tar files."""
    return name.lower().endswith(".zip")
