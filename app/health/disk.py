"""Whether the disk with the data folder can take what is written: it has room, and may be written to."""

import errno
import os
from pathlib import Path
from typing import Final

from indexer.errors import Unavailable

MIN_FREE_BYTES: Final = 100_000_000
"""Less than this, and a commit of the embedded engine or an upload of usual size may not fit."""
_MEGABYTE: Final = 1_000_000


def check_disk(folder: Path) -> None:
    """Return if the folder, or the one in which it would be made, can be written; raise `Unavailable` if it cannot."""
    try:
        nearest = next(path for path in (folder, *folder.absolute().parents) if path.exists())
        usage = os.statvfs(nearest)
        # This also fails for a superuser where the disk itself is read-only.
        if not os.access(nearest, os.R_OK | os.W_OK | os.X_OK):
            raise PermissionError(errno.EACCES, "no access")
    except OSError:
        raise Unavailable(
            "the data folder cannot be written", action="Correct its permissions, or mount its disk for writing"
        ) from None
    free = usage.f_bavail * usage.f_frsize
    if free < MIN_FREE_BYTES:
        raise Unavailable(
            f"the disk with the data folder has only {free // _MEGABYTE} MB left",
            action="Free some space: writes may fail, searches go on",
        )
    if usage.f_files and not usage.f_favail:
        raise Unavailable(
            "the disk with the data folder can take no more files", action="Remove files from it: searches go on"
        )
