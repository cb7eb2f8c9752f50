"""Parent's side: `Parser` sends files to a long-lived child process. A file that crashes the child fails alone."""

import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from types import TracebackType
from typing import Final, Self

from indexer.archives.parsed import ParsedDocument
from workers.parsers.child import wire
from workers.parsers.child.limits import Limits
from workers.parsers.child.process import ChildDied, ChildProcess, FileTimedOut
from workers.parsers.failures import ParseFailure

CRASHED: Final = "the reader crashed"
_MAX_ATTEMPTS: Final = 2
"""The child may have been killed for a reason that has nothing to do with the file."""


class Parser:
    """Parses files in a child process, one batch at a time; thread-safe.

    The child starts with the first file and runs until `close`.
    """

    def __init__(self, limits: Limits | None = None) -> None:
        self._limits = limits or Limits()
        self._lock = threading.Lock()
        self._process: ChildProcess | None = None

    def parse(self, name: str, data: bytes) -> ParsedDocument | ParseFailure:
        """Parse one file; its name says the kind, corrected by its content."""
        [result] = self.parse_many([(name, data)])
        return result

    def parse_many(
        self, files: Iterable[tuple[str, bytes]], check: Callable[[], None] = lambda: None
    ) -> Generator[ParsedDocument | ParseFailure, None, None]:
        """Parse files and yield the results in the same order.

        Files are taken as soon as the pipe has room for them, so that the child never waits for a slow caller. `check`
        is called now and then while a file takes long, and interrupts the parsing by an exception.
        """
        with self._lock:
            yield from _Batch(self, iter(files), check).results()

    def close(self) -> None:
        """End the child; the next file starts a new one."""
        with self._lock:
            self.stop_child()

    def stop_child(self) -> None:
        """End the child; the caller must hold the lock."""
        if self._process is not None:
            self._process.close()
            self._process = None

    def running_child(self) -> ChildProcess:
        """Return the running child, or start one; the caller must hold the lock."""
        if self._process is not None and not self._process.is_alive():
            self.stop_child()
        if self._process is None:
            self._process = ChildProcess(self._limits)
        return self._process

    @property
    def limits(self) -> Limits:
        return self._limits

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


@dataclass(slots=True)
class _File:
    """A file and the state of its parsing."""

    name: str
    data: bytes
    crashes: int = 0
    result: ParsedDocument | ParseFailure | None = None


class _Batch:
    """The files of one call of `parse_many`."""

    def __init__(self, parser: Parser, files: Iterator[tuple[str, bytes]], check: Callable[[], None]) -> None:
        self._parser = parser
        self._limits = parser.limits
        self._files = files
        self._check = check
        self._unsent: deque[_File] = deque()
        """Files to send before the next ones of the caller."""
        self._sent: deque[_File] = deque()

    def results(self) -> Iterator[ParsedDocument | ParseFailure]:
        while self._has_more():
            process = self._parser.running_child()
            try:
                yield from self._exchange(process)
            except FileTimedOut:
                self._parser.stop_child()
                self._set_result(ParseFailure(self._limits.took_too_long))
            except ChildDied:
                self._parser.stop_child()
                self._record_crash(process)
            except BaseException:
                # Interrupted: outstanding responses must not be taken for those of the next batch.
                if self._current_file() is not None:
                    self._parser.stop_child()
                raise
            yield from self._finished_results()
            self._unsent.extendleft(reversed(self._sent))
            self._sent.clear()

    def _has_more(self) -> bool:
        if not self._unsent:
            self._unsent.extend(_File(*file) for file in islice(self._files, 1))
        return bool(self._unsent)

    def _exchange(self, process: ChildProcess) -> Iterator[ParsedDocument | ParseFailure]:
        for response in process.responses(self._requests(), self._check):
            try:
                result, is_last = wire.decode_response(response)
            except wire.MalformedResponse:
                raise ChildDied from None
            self._set_result(result)
            if is_last:
                self._parser.stop_child()
                return
            yield from self._finished_results()

    def _requests(self) -> Iterator[bytes]:
        while self._has_more():
            file = self._unsent.popleft()
            self._sent.append(file)
            if len(file.data) > self._limits.file_bytes:
                file.result = ParseFailure(self._limits.too_large)
            else:
                yield wire.encode_request(file.name, file.data)

    def _finished_results(self) -> Iterator[ParsedDocument | ParseFailure]:
        while self._sent and (result := self._sent[0].result) is not None:
            self._sent.popleft()
            yield result

    def _current_file(self) -> _File | None:
        """Return the file that the child is parsing."""
        return next((file for file in self._sent if file.result is None), None)

    def _set_result(self, result: ParsedDocument | ParseFailure) -> None:
        file = self._current_file()
        if file is None:  # a response without a request
            raise ChildDied
        file.result = result

    def _record_crash(self, process: ChildProcess) -> None:
        """Count a crash of the child against the file that it was parsing; that file is tried once more."""
        file = self._current_file()
        if file is None:
            return
        file.crashes += 1
        if process.exceeded_cpu_time():
            file.result = ParseFailure(self._limits.took_too_long)
        elif process.exceeded_memory():
            file.result = ParseFailure(self._limits.needed_too_much)
        elif file.crashes >= _MAX_ATTEMPTS:
            file.result = ParseFailure(CRASHED)
