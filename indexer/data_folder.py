"""The data folder: where it is, whether it holds data, and who may read it.

Commands read this before anything else, so this module imports no pydantic.
"""

import os
import stat
import sys
from contextlib import suppress
from pathlib import Path
from typing import Final

from indexer.environment_value import environment_value
from indexer.errors import NotConfigured

RECORDS_FILE: Final = "records.sqlite3"
AUDIT_FILE: Final = "audit.sqlite3"
INDICES_FOLDER: Final = "indices"
_VARIABLE: Final = "TRAWL_DATA_DIR"
_NAME: Final = "trawl"
_EARLIER_DEFAULT: Final = "data"
_OWNER_ONLY: Final = 0o700


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


def open_data_folder(folder: Path) -> None:
    """Create the folder if it is missing, and let nobody but its owner read it."""
    try:
        folder.mkdir(mode=_OWNER_ONLY, parents=True, exist_ok=True)
    except OSError:
        raise unwritable_data_folder() from None
    if is_open_to_others(folder):
        # Only the owner can change the rights; `trawl doctor` reports a folder of somebody else.
        with suppress(PermissionError):
            folder.chmod(_OWNER_ONLY)


def is_open_to_others(folder: Path) -> bool:
    """Say whether other users of this machine may read the folder or write to it."""
    return bool(stat.S_IMODE(folder.stat().st_mode) & ~_OWNER_ONLY)


def unwritable_data_folder() -> NotConfigured:
    """Build the failure for a folder that cannot be created or written."""
    return NotConfigured(
        "The data folder cannot be written",
        action="Set TRAWL_DATA_DIR to a folder of yours, or correct its permissions",
    )


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
