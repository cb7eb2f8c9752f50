"""What goes wrong in the data folder, in the platform's own words; never with the text of a request."""

import errno
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from indexer.errors import Invalid, MissingIndex, PlatformError, Unavailable

_PANIC: Final = "PanicException"
"""Raised where tantivy's own code fails; it is no `Exception`, and its class cannot be imported."""
_SYSTEM_ERROR: Final = re.compile(r"os error (\d+)|code: (\d+)")
_ABOUT_FILES: Final = (
    "Data corrupted",
    "Failed to acquire Lockfile",
    "Failed to open",
    "An IO error occurred",
    "Index already exists",
    "Schema error",
    "An error occurred in a thread",
    "Index incompatible",
    "System error",
)
_FULL: Final = frozenset({errno.ENOSPC, errno.EDQUOT})
_BUSY: Final = frozenset({errno.EINTR, errno.EAGAIN, errno.ENOMEM, errno.ENOLCK})
_FORBIDDEN: Final = frozenset({errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOTDIR})


@contextmanager
def translated(folder: Path) -> Iterator[None]:
    """Turn the failures of tantivy and of the file system, while working in this folder, into the platform's."""
    try:
        yield
    except (PlatformError, MissingIndex):
        raise
    except UnicodeError:
        raise Invalid("The text is not valid Unicode", action="Send text without lone surrogates") from None
    except OSError as error:
        raise failure_of(error.errno, folder) from error
    except ValueError as error:
        # tantivy raises nothing else; the cause is left out, since its text can hold parts of files
        raise _failure_said(str(error), folder) from None
    except BaseException as error:
        if type(error).__name__ != _PANIC:
            raise
        raise _damaged() from None


def failure_of(number: int | None, folder: Path) -> PlatformError | MissingIndex:
    """Return what an error of the operating system means to a caller."""
    if number in _FULL:
        return Unavailable("The disk with the data folder is full", action="Free some space, then try again")
    if number in _FORBIDDEN:
        return Unavailable(
            "The data folder cannot be written or read",
            action="Give this service's user the right to write in TRAWL_DATA_DIR",
        )
    if number in {errno.EMFILE, errno.ENFILE}:
        return Unavailable("Too many files are open", action="Raise the limit of open files (ulimit -n)")
    if number in _BUSY:
        return Unavailable("The machine is too busy to read or write this index", action="Try again in a moment")
    if not folder.exists():
        return MissingIndex()
    return _damaged()


def _failure_said(message: str, folder: Path) -> Exception:
    """Return what tantivy's message means; one that is not about files is a bug of ours."""
    if "LockBusy" in message:
        return Unavailable("Another program writes to this index", action="Stop it, then try again")
    if found := _SYSTEM_ERROR.search(message):
        return failure_of(int(found[1] or found[2]), folder)
    if message.startswith(_ABOUT_FILES) or not folder.exists():
        return failure_of(None, folder)
    return RuntimeError("tantivy refused a call")


def _damaged() -> Unavailable:
    return Unavailable(
        "This index cannot be read or written: its files may be damaged",
        action="Run `trawl doctor`; restore the data folder from a copy, or index the documents again",
        command="trawl doctor",
    )
