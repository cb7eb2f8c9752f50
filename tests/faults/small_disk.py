"""A small disk of its own, that can be filled."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


class NoDisk(Exception):
    """This user may mount none."""


@contextmanager
def small_disk(folder: Path, size: int, mode: str = "700") -> Iterator[Path]:
    """Mount a disk of so many bytes while the block runs."""
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={size},mode={mode}", "trawl-test", str(folder)]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode != 0:
        raise NoDisk
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def fill(folder: Path, *, leave: int) -> Path:
    """Take all room of a disk but this much."""
    filler, usage = folder / "filler", os.statvfs(folder)
    with filler.open("ab") as file, suppress(OSError):
        os.posix_fallocate(file.fileno(), 0, usage.f_bavail * usage.f_frsize - leave)
    return filler
