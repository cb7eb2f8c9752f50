"""The limits for parsing one file, and the system calls by which the child process applies them to itself."""

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
"""Exit status of a child that has no memory left to send a response."""
_MEMORY_STATUS: Final = Path("/proc/self/statm")


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits for one file. The parent enforces the time, the operating system CPU time and memory."""

    seconds: float = 30.0
    memory: int = 1_000_000_000
    """Bytes above what the child uses after its start."""
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


def apply_limits(memory: int) -> None:
    """Limit this process for good: memory above the present use, no written files, no core dumps, no new processes."""
    address_space = _memory_pages(0) * resource.getpagesize() + memory
    limits = {
        resource.RLIMIT_AS: address_space if address_space > memory else resource.RLIM_INFINITY,
        resource.RLIMIT_FSIZE: 0,
        resource.RLIMIT_CORE: 0,
        # The limit applies to this process only, though it counts all processes of the user.
        resource.RLIMIT_NPROC: 0,
    }
    for kind, value in limits.items():
        # Some systems refuse some limits; the parent still enforces the time.
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(kind, (value, value))


def die_with(parent: int) -> None:
    """Have the kernel kill this process when its parent ends; also give up the right to gain privileges."""
    with contextlib.suppress(OSError, AttributeError):
        library = ctypes.CDLL(None, use_errno=True)
        library.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        library.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(0)


def extend_cpu_limit(seconds: float) -> None:
    """Allow this process so much more CPU time; beyond that the kernel kills it."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    with contextlib.suppress(ValueError, OSError):
        soft = math.ceil(used.ru_utime + used.ru_stime + seconds) + 1
        resource.setrlimit(resource.RLIMIT_CPU, (soft, resource.getrlimit(resource.RLIMIT_CPU)[1]))


def resident_bytes() -> int:
    """Return the resident memory of this process; 0 if the system does not report it."""
    return _memory_pages(1) * resource.getpagesize()


def _memory_pages(column: int) -> int:
    try:
        return int(_MEMORY_STATUS.read_text("ascii").split()[column])
    except OSError:
        return 0
