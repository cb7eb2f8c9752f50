"""What one file may cost, and how a child process binds itself to it."""

import contextlib
import ctypes
import math
import os
import resource
import signal
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_PR_SET_PDEATHSIG: Final = 1
_PR_SET_NO_NEW_PRIVS: Final = 38
OUT_OF_MEMORY: Final = 77
"""How a child exits that cannot even say that it has no memory left."""
_STATUS: Final = Path("/proc/self/statm")


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds for reading one file; the time is enforced from outside, the rest by the system."""

    seconds: float = 30.0
    memory: int = 1_000_000_000
    """Bytes above what the child needs for itself."""
    file_bytes: int = 100_000_000

    @property
    def took_too_long(self) -> str:
        return f"took longer than {self.seconds:g} s to read"

    @property
    def needed_too_much(self) -> str:
        amount = f"{self.memory / 1e9:g} GB" if self.memory >= 1e9 else f"{self.memory / 1e6:g} MB"
        return f"needed more than {amount} of memory"

    @property
    def too_large(self) -> str:
        return f"is larger than {self.file_bytes / 1e6:g} MB"


def bind(memory: int) -> None:
    """Limit this process for good: memory above the present use, no files written, no dumps, no new processes."""
    address_space = _pages(0) * resource.getpagesize() + memory
    wanted = {
        resource.RLIMIT_AS: address_space if address_space > memory else resource.RLIM_INFINITY,
        resource.RLIMIT_FSIZE: 0,
        resource.RLIMIT_CORE: 0,
        # Counted over all processes of the user, but it binds this one alone: it can start none.
        resource.RLIMIT_NPROC: 0,
    }
    for kind, value in wanted.items():
        # Some systems refuse some of them; the parent's clock still holds.
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(kind, (value, value))


def die_with(parent: int) -> None:
    """Be killed when the parent ends, however it ends, and never gain rights."""
    with contextlib.suppress(OSError, AttributeError):
        library = ctypes.CDLL(None, use_errno=True)
        library.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        library.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(0)


def allow_processor_time(seconds: float) -> None:
    """Let this process compute so much longer; beyond that the system kills it."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    with contextlib.suppress(ValueError, OSError):
        soft = math.ceil(used.ru_utime + used.ru_stime + seconds) + 1
        resource.setrlimit(resource.RLIMIT_CPU, (soft, resource.getrlimit(resource.RLIMIT_CPU)[1]))


def resident_bytes() -> int:
    """Return the memory that this process holds now; 0 where the system does not tell."""
    return _pages(1) * resource.getpagesize()


def _pages(column: int) -> int:
    try:
        return int(_STATUS.read_text("ascii").split()[column])
    except OSError:
        return 0
