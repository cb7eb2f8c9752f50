"""The limit of open files, which connections count for, too: what is answered when a process has reached it."""

import errno
from typing import Final

from indexer.errors import Unavailable

OUT_OF_FILES: Final = frozenset({errno.EMFILE, errno.ENFILE})
_RETRY_SECONDS: Final = 2


def is_out_of_files(error: BaseException | None) -> bool:
    """Say whether an exception, or one that led to it, was raised because no more files may be opened."""
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        if isinstance(error, OSError) and error.errno in OUT_OF_FILES:
            return True
        seen.add(id(error))
        error = error.__cause__ or error.__context__
    return False


def too_many_files() -> Unavailable:
    """Return the failure to raise then. It passes as soon as other work has closed its files."""
    return Unavailable(
        "Too many files are open",
        action=f"Try again in {_RETRY_SECONDS} seconds; if it persists, raise the limit of open files (ulimit -n)",
        details={"retry_after_s": _RETRY_SECONDS},
    )
