"""The door to the parsers: files are read in a kept child process, and a file that breaks it costs only itself."""

import threading
from collections import deque
from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from types import TracebackType
from typing import Final, Self

from indexer.archives.parsed import ParsedDocument
from workers.parsers.child import wire
from workers.parsers.child.limits import Limits
from workers.parsers.child.process import Died, Overdue, Process
from workers.parsers.failures import ParseFailure

CRASHED: Final = "the reader crashed"
_TRIES: Final = 2
"""A child may be killed from outside while it reads an innocent file."""


class Parser:
    """Reads files one batch at a time, from any thread; the child starts at the first file and lives until `close`."""

    def __init__(self, limits: Limits | None = None) -> None:
        self._limits = limits or Limits()
        self._lock = threading.Lock()
        self._process: Process | None = None

    def parse(self, name: str, data: bytes) -> ParsedDocument | ParseFailure:
        """Read one file; its name says the kind, corrected by its content."""
        [result] = self.parse_many([(name, data)])
        return result

    def parse_many(self, files: Iterable[tuple[str, bytes]]) -> Generator[ParsedDocument | ParseFailure, None, None]:
        """Read files and yield what became of each, in their order.

        The next ones are asked for as soon as the child has room for them, so that it never waits for a slow caller.
        """
        with self._lock:
            yield from _Batch(self, iter(files)).results()

    def close(self) -> None:
        """End the child; the next file starts another."""
        with self._lock:
            self.replace()

    def replace(self) -> None:
        """End the child without waiting for anyone; only for the batch that is being read."""
        if self._process is not None:
            self._process.close()
            self._process = None

    def process(self) -> Process:
        """Return the child, a new one if there is none that lives."""
        if self._process is not None and not self._process.is_alive():
            self.replace()
        if self._process is None:
            self._process = Process(self._limits)
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
    """A file on its way through the child."""

    name: str
    data: bytes
    deaths: int = 0
    result: ParsedDocument | ParseFailure | None = None


class _Batch:
    """The files of one call, and how far they are."""

    def __init__(self, parser: Parser, files: Iterator[tuple[str, bytes]]) -> None:
        self._parser = parser
        self._limits = parser.limits
        self._files = files
        self._waiting: deque[_File] = deque()
        """To be sent before any other."""
        self._sent: deque[_File] = deque()

    def results(self) -> Iterator[ParsedDocument | ParseFailure]:
        while self._is_more():
            process = self._parser.process()
            try:
                yield from self._exchange(process)
            except Overdue:
                self._parser.replace()
                self._settle(ParseFailure(self._limits.took_too_long))
            except Died:
                self._parser.replace()
                self._blame(process)
            except BaseException:
                # Interrupted: answers that are still to come must not be taken for those of the next batch.
                if self._in_hand() is not None:
                    self._parser.replace()
                raise
            yield from self._answered()
            self._waiting.extendleft(reversed(self._sent))
            self._sent.clear()

    def _is_more(self) -> bool:
        if not self._waiting:
            self._waiting.extend(_File(*file) for file in islice(self._files, 1))
        return bool(self._waiting)

    def _exchange(self, process: Process) -> Iterator[ParsedDocument | ParseFailure]:
        for answer in process.answers(self._requests()):
            try:
                result, is_last = wire.result(answer)
            except wire.Malformed:
                raise Died from None
            self._settle(result)
            if is_last:
                self._parser.replace()
                return
            yield from self._answered()

    def _requests(self) -> Iterator[bytes]:
        while self._is_more():
            file = self._waiting.popleft()
            self._sent.append(file)
            if len(file.data) > self._limits.file_bytes:
                file.result = ParseFailure(self._limits.too_large)
            else:
                yield wire.request(file.name, file.data)

    def _answered(self) -> Iterator[ParsedDocument | ParseFailure]:
        while self._sent and (result := self._sent[0].result) is not None:
            self._sent.popleft()
            yield result

    def _in_hand(self) -> _File | None:
        """Return the file that the child is reading."""
        return next((file for file in self._sent if file.result is None), None)

    def _settle(self, result: ParsedDocument | ParseFailure) -> None:
        file = self._in_hand()
        if file is None:  # an answer to nothing
            raise Died
        file.result = result

    def _blame(self, process: Process) -> None:
        """Count a death against the file that was being read; it is tried once more, alone with its fault."""
        file = self._in_hand()
        if file is None:
            return
        file.deaths += 1
        if process.was_out_of_time():
            file.result = ParseFailure(self._limits.took_too_long)
        elif process.was_out_of_memory():
            file.result = ParseFailure(self._limits.needed_too_much)
        elif file.deaths >= _TRIES:
            file.result = ParseFailure(CRASHED)
