"""Limits the memory that glibc's malloc keeps in a process that commits often.

tantivy starts threads for each commit and each merge. glibc gives threads their own arenas, up to eight per core, and
memory freed in one arena cannot be reused by the others. A process that commits often then holds twice what it needs.
"""

import ctypes
from contextlib import suppress
from typing import Final

_M_ARENA_MAX: Final = -8
"""The mallopt parameter for the maximum number of arenas, from glibc's malloc.h."""
_MAX_ARENAS: Final = 2


def limit_malloc_arenas() -> None:
    """Make all threads of this process share two arenas; a no-op with other C libraries."""
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).mallopt(_M_ARENA_MAX, _MAX_ARENAS)
