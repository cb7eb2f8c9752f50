"""The body of an upload while it arrives: the last of it in memory, the rest in a file.

A client may take long to send it. Meanwhile no thread waits, and no file is open.
"""

import shutil
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from indexer.errors import Unavailable
from indexer.open_files import is_out_of_files, too_many_files

_MEMORY_BYTES: Final = 256 * 1024
_PIECE_BYTES: Final = 1 << 20


class Spool:
    """One body. Its folder is created when more arrives than is kept in memory."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._file = folder / "body"
        self._arrived = bytearray()
        self._lock = threading.Lock()
        self._is_stored = self._is_discarded = False

    def add(self, piece: bytes) -> None:
        """Take what has arrived."""
        self._arrived += piece

    @property
    def is_full(self) -> bool:
        """Whether `store` must be called before more is added."""
        return len(self._arrived) >= _MEMORY_BYTES

    def store(self) -> None:
        """Move what is in memory to the file. Blocking."""
        with self._lock:
            if self._is_discarded:
                return
            try:
                self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
                with self._file.open("ab") as file:
                    file.write(self._arrived)
            except OSError as error:
                raise cannot_store(error) from None
            self._is_stored = True
            self._arrived.clear()

    def chunks(self) -> Iterator[bytes]:
        """Yield the body, which has arrived as a whole. Blocking."""
        if self._is_stored:
            with self._file.open("rb") as file:
                while piece := file.read(_PIECE_BYTES):
                    yield piece
        if self._arrived:
            yield bytes(self._arrived)

    def discard(self) -> None:
        """Remove the file; nothing is stored afterwards. Blocking."""
        with self._lock:
            self._is_discarded = True
            if self._is_stored:
                shutil.rmtree(self._folder, ignore_errors=True)


def cannot_store(error: OSError) -> Unavailable:
    """Return the failure for an upload that cannot be written to disk."""
    if is_out_of_files(error):
        return too_many_files()
    return Unavailable(
        "The upload could not be stored",
        action="See that TRAWL_DATA_DIR is writable and has room; send it again",
    )
