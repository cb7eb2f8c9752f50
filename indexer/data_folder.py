"""The data folder: where it is, whether it holds data, and who may read it.

Commands read this before anything else, so this module imports no pydantic.
"""

import errno
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from indexer.environment_value import environment_value
from indexer.errors import NotConfigured, Unavailable

RECORDS_FILE: Final = "records.sqlite3"
AUDIT_FILE: Final = "audit.sqlite3"
INDICES_FOLDER: Final = "indices"
LOCKS_FOLDER: Final = "locks"
_VARIABLE: Final = "TRAWL_DATA_DIR"
_NAME: Final = "trawl"
_EARLIER_DEFAULT: Final = "data"
_OWNER_ONLY: Final = 0o700
_OTHERS: Final = 0o077
_MAX_CLOSED: Final = 100_000
"""How many files and folders of an earlier version are corrected at one start."""


def configured_data_folder() -> Path:
    """Return the folder that the settings name; it is also the value of `IndexerSettings.data_dir`."""
    given = environment_value(_VARIABLE)
    return Path(given) if given is not None else default_data_folder()


def default_data_folder() -> Path:
    """Return the user's data folder, or that of an earlier version in the current directory."""
    return _earlier_data_folder() or user_data_folder()


def earlier_data_folder_in_use() -> Path | None:
    """Return the folder of an earlier version if it is used because no other one is set."""
    return _earlier_data_folder() if environment_value(_VARIABLE) is None else None


def user_data_folder() -> Path:
    """Return where programs of this user keep their data on this operating system."""
    if sys.platform == "win32" and (local := os.environ.get("LOCALAPPDATA")):
        return Path(local) / _NAME
    if sys.platform == "darwin":
        return _home() / "Library" / "Application Support" / _NAME
    given = os.environ.get("XDG_DATA_HOME", "")
    # The specification says to ignore relative paths.
    return (Path(given) if given.startswith("/") else _home() / ".local" / "share") / _NAME


def holds_data(folder: Path) -> bool:
    """Say whether an embedded service has kept anything in this folder."""
    return (folder / RECORDS_FILE).is_file()


def open_data_folder(folder: Path) -> bool:
    """Create the folder if it is missing, and let nobody but its owner read it; return whether others could before.

    `NotConfigured` if this process cannot write there.
    """
    with writing_data():
        folder.mkdir(mode=_OWNER_ONLY, parents=True, exist_ok=True)
        was_open = is_open_to_others(folder)
    # This is also false for a superuser where the disk is read-only.
    if not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
        raise unwritable_data_folder()
    if was_open:
        # Only the owner can change the rights; `trawl doctor` reports a folder of somebody else.
        with suppress(PermissionError):
            folder.chmod(_OWNER_ONLY)
            _close_below(folder)
    return was_open and not is_open_to_others(folder)


@contextmanager
def writing_data() -> Iterator[None]:
    """Raise errors of the disk as failures that say what to do."""
    try:
        yield
    except OSError as error:
        if error.errno in {errno.ENOSPC, errno.EDQUOT}:
            raise Unavailable(
                "The disk with the data folder is full", action="Free some space, then try again"
            ) from None
        raise unwritable_data_folder() from None


def is_open_to_others(folder: Path) -> bool:
    """Say whether other users of this machine may read the folder or write to it."""
    return bool(folder.stat().st_mode & _OTHERS)


def unwritable_data_folder() -> NotConfigured:
    """Build the failure for a folder that cannot be created or written."""
    return NotConfigured(
        "The data folder cannot be written",
        action="Set TRAWL_DATA_DIR to a folder of yours, or correct its permissions; its disk must not be read-only",
    )


def _close_below(folder: Path) -> None:
    """Take the rights of others from what an earlier version left, for processes that are inside the folder already.

    For all others the folder itself is shut, so a limit does no harm.
    """
    folders, left = [folder], _MAX_CLOSED
    while folders and left > 0:
        with suppress(FileNotFoundError, PermissionError), os.scandir(folders.pop()) as entries:
            for entry in entries:
                # A link may lead to what is not ours.
                if entry.is_symlink() or not (entry.is_dir() or entry.is_file()):
                    continue
                with suppress(FileNotFoundError, PermissionError):
                    os.chmod(entry.path, stat.S_IMODE(entry.stat().st_mode) & _OWNER_ONLY)  # noqa: PTH101 - no link
                left -= 1
                if entry.is_dir():
                    folders.append(Path(entry.path))


def _earlier_data_folder() -> Path | None:
    """Return `./data` if it holds documents: earlier versions used it by default."""
    try:
        folder = Path.cwd() / _EARLIER_DEFAULT
        return folder if holds_data(folder) and any((folder / INDICES_FOLDER).iterdir()) else None
    except OSError:
        return None


def _home() -> Path:
    try:
        return Path.home()
    except RuntimeError:
        raise NotConfigured(
            "This user has no home folder to keep data in", action="Set TRAWL_DATA_DIR to a folder of yours"
        ) from None
