"""Who holds a lock on a file, as far as the operating system and the file itself tell."""

import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

_KERNEL_LOCKS: Final = Path("/proc/locks")
_MAX_NOTE: Final = 20


def holder_of(*paths: Path) -> str | None:
    """Name the process that holds a write lock on one of the files: its id and its program; None if nobody tells."""
    locks = _kernel_locks()
    for path in paths:
        with suppress(OSError):
            status = path.stat()
            found = locks.get((os.major(status.st_dev), os.minor(status.st_dev), status.st_ino))
            process = found if found is not None else _noted(path)
            if process is not None and is_alive(process):
                return _described(process)
    return None


def note_holder(path: Path) -> None:
    """Write into a lock file that this process holds it, for systems whose kernel does not tell."""
    # A full disk must not hinder somebody who removes what fills it.
    with suppress(OSError):
        descriptor = os.open(path, os.O_WRONLY)
        try:
            # Written over, always at full length: some file systems flush a file that was emptied before.
            os.pwrite(descriptor, f"{os.getpid():<{_MAX_NOTE}}\n".encode(), 0)
        finally:
            os.close(descriptor)


def is_alive(process: int) -> bool:
    """Say whether a process with this id runs."""
    if process <= 0:
        return False
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _described(process: int) -> str:
    if process == os.getpid():
        return f"this process ({process})"
    with suppress(OSError):
        # Only the program's name: arguments may name what is private.
        name = Path(f"/proc/{process}/comm").read_text(encoding="utf-8", errors="replace").strip()
        return f"process {process} ({name})"
    return f"process {process}"


def _noted(path: Path) -> int | None:
    # SQLite's files hold data, and only lock files a number.
    if path.suffix != ".lock" or not stat.S_ISREG(path.stat().st_mode):
        return None
    with path.open("rb") as file:
        text = file.read(_MAX_NOTE).strip()
    return int(text) if text.isdigit() else None


def _kernel_locks() -> dict[tuple[int, int, int], int]:
    """Return the process with a write lock on each file, by device and inode; empty where the kernel does not tell."""
    try:
        lines = _KERNEL_LOCKS.read_text(encoding="ascii", errors="replace").splitlines()
    except OSError:
        return {}
    return dict(_parsed(lines))


def _parsed(lines: list[str]) -> Iterator[tuple[tuple[int, int, int], int]]:
    for line in lines:
        # 1: FLOCK  ADVISORY  WRITE 708 08:01:131 0 EOF; a process that waits has `->` in the second place.
        match line.split():
            case [_, "FLOCK" | "POSIX", _, "WRITE", process, file, *_]:
                with suppress(ValueError):
                    major, minor, inode = file.split(":")
                    yield (int(major, 16), int(minor, 16), int(inode)), int(process)
            case _:
                pass
