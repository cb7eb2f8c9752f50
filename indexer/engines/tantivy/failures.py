"""Translates errors of tantivy and the file system into `PlatformError`s, never with text from a request."""

import errno
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from indexer.errors import Invalid, MissingIndex, PlatformError, Unavailable

_PANIC: Final = "PanicException"
"""Raised when tantivy's Rust code panics. It is not an `Exception`, and its class cannot be imported."""
_ERRNO_IN_MESSAGE: Final = re.compile(r"os error (\d+)|code: (\d+)")
_FILE_ERRORS: Final = (
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
_KNOWN: Final = (
    (
        {errno.ENOSPC, errno.EDQUOT},
        "The disk with the data folder is full",
        "Free some space, then try again",
    ),
    (
        {errno.EFBIG},
        "A file in the data folder has the largest size that this process may write",
        "Raise the limit of file sizes (ulimit -f), then try again",
    ),
    (
        {errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOTDIR},
        "The data folder cannot be written or read",
        "Give this service's user the right to write in TRAWL_DATA_DIR",
    ),
    ({errno.EMFILE, errno.ENFILE}, "Too many files are open", "Raise the limit of open files (ulimit -n)"),
    (
        {errno.EINTR, errno.EAGAIN, errno.ENOMEM, errno.ENOLCK},
        "The machine is too busy to read or write this index",
        "Try again in a moment",
    ),
)
"""Numbers of errors, what happened, and what to do."""


@contextmanager
def translate_errors(folder: Path) -> Iterator[None]:
    """Raise errors of tantivy and the file system in this folder as `PlatformError` or `MissingIndex`."""
    try:
        yield
    except (PlatformError, MissingIndex):
        raise
    except UnicodeError:
        raise Invalid("The text is not valid Unicode", action="Send text without lone surrogates") from None
    except OSError as error:
        raise failure_of_errno(error.errno, folder) from error
    except ValueError as error:
        # tantivy raises only ValueError. The cause is dropped, because its text can contain parts of files.
        raise _failure_of_message(str(error), folder) from None
    except BaseException as error:
        if type(error).__name__ != _PANIC:
            raise
        raise _damaged_files() from None


def failure_of_errno(number: int | None, folder: Path) -> PlatformError | MissingIndex:
    """Return the failure to raise for an error number of the operating system."""
    for numbers, message, action in _KNOWN:
        if number in numbers:
            return Unavailable(message, action=action)
    if not folder.exists():
        return MissingIndex()
    return _damaged_files()


def _failure_of_message(message: str, folder: Path) -> Exception:
    """Return the failure to raise for tantivy's message. A message that is not about files indicates our own bug."""
    if "LockBusy" in message:
        return Unavailable("Another program writes to this index", action="Stop it, then try again")
    if match := _ERRNO_IN_MESSAGE.search(message):
        return failure_of_errno(int(match[1] or match[2]), folder)
    if message.startswith(_FILE_ERRORS) or not folder.exists():
        return failure_of_errno(None, folder)
    return RuntimeError("tantivy refused a call")


def _damaged_files() -> Unavailable:
    return Unavailable(
        "This index cannot be read or written: its files may be damaged",
        action="Run `trawl doctor`; restore the data folder from a copy, or index the documents again",
        command="trawl doctor",
    )
