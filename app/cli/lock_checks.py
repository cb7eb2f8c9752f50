"""The check of `trawl doctor` for locks in the data folder that somebody keeps, and with them all writes."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from app.cli.checks import Check
from indexer.data_folder import LOCKS_FOLDER
from indexer.errors import Unavailable
from indexer.file_lock import exclusive_lock

_PATIENCE_SECONDS: Final = 2.0
"""A commit holds its lock for a moment only; all locks together are waited for that long."""


def locks(folder: Path) -> Iterator[Check]:
    """Name who holds a lock of an index for long."""
    held, deadline = False, time.monotonic() + _PATIENCE_SECONDS
    for path in sorted((folder / LOCKS_FOLDER).glob("*.lock")):
        try:
            with exclusive_lock(path, deadline - time.monotonic(), f"{path.stem} is locked"):
                pass
        except Unavailable as error:
            held = True
            yield Check(
                "locks", "broken", error.message, "See what it does, and end it if it hangs: writes wait for it"
            )
        except OSError:
            # The checks of the folder and of the disk tell why.
            return
    if not held:
        yield Check("locks", "ok", "nobody keeps one")
