"""Secrets that stand outside the connections: `env:NAME` is a variable of the environment, `file:PATH` a file."""

import os
from pathlib import Path
from typing import Final

_VARIABLE: Final = "env:"
_FILE: Final = "file:"
_MAX_BYTES: Final = 65_536


FileState = tuple[int, int, int, int] | None
"""Tells a changed or replaced file from the one before; None for a file that cannot be found."""


class UnreadableSecret(ValueError):
    """The secret cannot be read; the message names the variable or the file, never what it holds."""


class Secrets:
    """Reads secrets, and remembers the files of those that stand in files."""

    def __init__(self, folder: Path) -> None:
        """Take the folder that relative paths start from."""
        self._folder = folder
        self.files: dict[Path, FileState] = {}
        """The files that were read, each in the state before that."""

    @staticmethod
    def is_reference(value: str) -> bool:
        """Say whether a value names a variable or a file instead of standing for itself."""
        return value.startswith((_VARIABLE, _FILE))

    def read(self, reference: str) -> str:
        """Return what a reference names; raises `UnreadableSecret`."""
        if reference.startswith(_VARIABLE):
            return _read_variable(reference.removeprefix(_VARIABLE))
        path = self._folder / reference.removeprefix(_FILE)
        self.files[path] = state_of(path)
        return _read_file(path)


def state_of(path: Path) -> FileState:
    """Return the state of a file; links are followed, because secrets are often mounted as links."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino, status.st_mtime_ns, status.st_size


def _read_variable(name: str) -> str:
    value = os.environ.get(name, "").strip()
    if not value:
        raise UnreadableSecret(f"the environment has no variable {name}")
    return value


def _read_file(path: Path) -> str:
    try:
        with path.open("rb") as file:
            value = file.read(_MAX_BYTES + 1).decode().strip()
    except (OSError, ValueError):
        raise UnreadableSecret(f"the file {path} cannot be read as text") from None
    if not value or len(value) > _MAX_BYTES:
        raise UnreadableSecret(f"the file {path} is empty or too large for a secret")
    return value
