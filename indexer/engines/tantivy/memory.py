"""How much memory the C library keeps for a process that commits often.

tantivy starts threads for each commit and each merge. glibc gives threads heaps of their own, up to eight for each
core, and what was freed in one is of no use to the others: a process that commits often holds twice what it needs.
"""

import ctypes
from contextlib import suppress
from typing import Final

_ARENA_MAX: Final = -8
"""glibc's name for how many heaps there may be."""
_HEAPS: Final = 2


def share_heaps() -> None:
    """Let all threads of this process share two heaps; other C libraries have nothing to set."""
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).mallopt(_ARENA_MAX, _HEAPS)
