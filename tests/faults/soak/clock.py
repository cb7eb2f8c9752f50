"""The wall clock of one process and its children, which libfaketime lets jump while they run."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from tests.service import ROOT, is_alive

_SHARED_MEMORY: Final = Path("/dev/shm")  # where the library puts its own
_STARTUP: Final = Path(__file__).parent / "startup"
_LIBRARIES: Final = tuple(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"))


def can_jump() -> bool:
    """Say whether the library is there: `make packages` installs it."""
    return bool(_LIBRARIES)


class Clock:
    """Tells hours more or less than the machine's; what measures durations goes on as before."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self.jump(0)

    @property
    def environment(self) -> dict[str, str]:
        if not can_jump():
            return {}
        return {
            "LD_PRELOAD": str(_LIBRARIES[0]),
            "FAKETIME_TIMESTAMP_FILE": str(self._file),
            "FAKETIME_CACHE_DURATION": "1",
            "DONT_FAKE_MONOTONIC": "1",
            "PYTHONPATH": f"{_STARTUP}{os.pathsep}{ROOT}",
        }

    def jump(self, hours: int) -> None:
        """Tell so many hours more than the machine, within a second."""
        new = self._file.with_suffix(".new")
        new.write_text(f"{hours:+d}h\n")
        new.replace(self._file)


@contextmanager
def shared_memory_cleaned() -> Iterator[None]:
    """Remove afterwards what killed processes left there."""
    try:
        yield
    finally:
        for left in _SHARED_MEMORY.glob("*faketime_*_*"):
            number = left.name.rpartition("_")[2]
            if number.isdecimal() and not is_alive(int(number)):
                with suppress(OSError):
                    left.unlink()
