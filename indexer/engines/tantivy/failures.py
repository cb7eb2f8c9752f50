"""Translates errors of tantivy and the file system into `PlatformError`s, never with text from a request."""

import errno
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from indexer.errors import Invalid, MissingIndex, PlatformError, Unavailable
from indexer.open_files import OUT_OF_FILES, too_many_files

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
_DISK_FULL: Final = frozenset({errno.ENOSPC, errno.EDQUOT})
_BUSY: Final = frozenset({errno.EINTR, errno.EAGAIN, errno.ENOMEM, errno.ENOLCK})
_NO_ACCESS: Final = frozenset({errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOTDIR})


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
    failure = _failure_of_disk(number) or _failure_of_machine(number)
    if failure is not None:
        return failure
    if not folder.exists():
        return MissingIndex()
    return _damaged_files()


def _failure_of_disk(number: int | None) -> Unavailable | None:
    if number in _DISK_FULL:
        return Unavailable("The disk with the data folder is full", action="Free some space, then try again")
    if number == errno.EFBIG:
        return Unavailable(
            "A file in the data folder has the largest size that this process may write",
            action="Raise the limit of file sizes (ulimit -f), then try again",
        )
    if number in _NO_ACCESS:
        return Unavailable(
            "The data folder cannot be written or read",
            action="Give this service's user the right to write in TRAWL_DATA_DIR",
        )
    return None


def _failure_of_machine(number: int | None) -> Unavailable | None:
    if number in OUT_OF_FILES:
        return too_many_files()
    if number in _BUSY:
        return Unavailable("The machine is too busy to read or write this index", action="Try again in a moment")
    return None


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
