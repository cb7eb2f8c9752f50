"""Names of uploaded files, checked before a file is stored under them."""

from typing import Final
from unicodedata import normalize

from workers.sources import names
from workers.sources.skipped import HIDDEN
from workers.sources.tree import PathParts

_MAX_NAME_BYTES: Final = 255
_MAX_PATH_BYTES: Final = 2_000
"""Leaves room for the path of the staging folder."""
_RESOURCE_FORKS: Final = "__MACOSX"
_ARCHIVE_EXTENSIONS: Final = (".zip", ".tar", ".tar.gz", ".tgz", ".tar.xz", ".txz")


class RejectedFile(Exception):
    """A file that cannot be stored. The reason completes the sentence "this file …"."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class LeftOutFile(Exception):
    """A file that is left out for its name, or for that of a folder above it."""

    def __init__(self, parts: PathParts, reason: str, *, is_folder: bool) -> None:
        super().__init__(reason)
        self.parts = parts
        """The path of the file, or of the folder."""
        self.reason = reason
        self.is_folder = is_folder


def stored_path(name: str, below: PathParts = ()) -> PathParts:
    """Return where an uploaded file is stored below its folder; `RejectedFile` or `LeftOutFile` if it is not."""
    if name.startswith("/") or name[1:3] in {":/", ":\\"} or ".." in name.split("/"):
        raise RejectedFile("has a path that leads out of the upload")
    parts = (*below, *(normalize("NFC", part) for part in name.split("/") if part not in {"", "."}))
    if len(parts) == len(below):
        raise RejectedFile("has no name")
    for depth, part in enumerate(parts, 1):
        if names.is_hidden(part) or part == _RESOURCE_FORKS:
            rule = HIDDEN if names.is_hidden(part) else f"left out by default: {_RESOURCE_FORKS}/"
            raise LeftOutFile(parts[:depth], rule, is_folder=depth < len(parts))
    for part in parts:
        if reason := names.name_problem(part):
            raise RejectedFile(reason)
    if max(len(part.encode()) for part in parts) > _MAX_NAME_BYTES or len("/".join(parts).encode()) > _MAX_PATH_BYTES:
        raise RejectedFile("has too long a name")
    return parts


def check_root_name(value: str) -> str:
    """Return a folder's name in NFC; `RejectedFile` if it is not the plain name of a folder."""
    name = normalize("NFC", value)
    if name in {"", ".", ".."} or "/" in name or len(name.encode(errors="replace")) > _MAX_NAME_BYTES:
        raise RejectedFile("cannot be the name of a folder")
    if reason := names.name_problem(name):
        raise RejectedFile(reason)
    return name


def is_archive(name: str) -> bool:
    """Return whether a file is unpacked; its members are stored in the archive's own folder."""
    return name.lower().endswith(_ARCHIVE_EXTENSIONS)


def is_zip(name: str) -> bool:
    """Return whether an archive is a zip file; all others are tar files."""
    return name.lower().endswith(".zip")
