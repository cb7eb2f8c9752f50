"""The door to the parsers: files are read in a kept child process, and a file that breaks it costs only itself."""

import threading
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from indexer.archives.parsed import ParsedDocument
from workers.parsers import wire
from workers.parsers.failures import Refused
from workers.parsers.limits import Limits
from workers.parsers.process import Died, Overdue, Process

CRASHED: Final = "the reader crashed"
_TRIES: Final = 2
"""A child may be killed from outside while it reads an innocent file."""


class Parser:
    """Reads files one batch at a time, from any thread; the child starts at the first file and lives until `close`."""

    def __init__(self, limits: Limits | None = None) -> None:
        self._limits = limits or Limits()
        self._lock = threading.Lock()
        self._process: Process | None = None

    def parse(self, name: str, source: bytes | Path) -> ParsedDocument | Refused:
        """Read one file; its name says the kind, corrected by its content."""
        return self.parse_many([(name, source)])[0]

    def parse_many(self, files: Sequence[tuple[str, bytes | Path]]) -> list[ParsedDocument | Refused]:
        """Read files and return what became of each, in the same order; faster than one by one."""
        with self._lock:
            return _Batch(self, files).run()

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


class _Batch:
    """The files of one call, and how far they are."""

    def __init__(self, parser: Parser, files: Sequence[tuple[str, bytes | Path]]) -> None:
        self._parser = parser
        self._limits = parser.limits
        self._files = files
        self._results: dict[int, ParsedDocument | Refused] = {}
        self._waiting = deque(range(len(files)))
        self._sent: deque[int] = deque()
        self._deaths: Counter[int] = Counter()

    def run(self) -> list[ParsedDocument | Refused]:
        while self._waiting:
            process = self._parser.process()
            try:
                self._exchange(process)
            except Overdue:
                self._parser.replace()
                self._results[self._sent.popleft()] = Refused(self._limits.took_too_long)
            except Died:
                self._parser.replace()
                self._blame(process)
            except BaseException:
                # Interrupted: answers that are still to come must not be taken for those of the next batch.
                self._parser.replace()
                raise
            self._waiting.extendleft(reversed(self._sent))
            self._sent.clear()
        return [self._results[index] for index in range(len(self._files))]

    def _exchange(self, process: Process) -> None:
        for answer in process.answers(self._requests()):
            try:
                result, last = wire.result(answer)
            except wire.Malformed:
                raise Died from None
            self._results[self._sent.popleft()] = result
            if last:
                self._parser.replace()
                return

    def _requests(self) -> Iterator[bytes]:
        while self._waiting:
            index = self._waiting.popleft()
            name, source = self._files[index]
            data = self._bytes(source)
            if isinstance(data, Refused):
                self._results[index] = data
            else:
                self._sent.append(index)
                yield wire.request(name, data)

    def _bytes(self, source: bytes | Path) -> bytes | Refused:
        try:
            size = len(source) if isinstance(source, bytes) else source.stat().st_size
            if size > self._limits.file_bytes:
                return Refused(self._limits.too_large)
            return source if isinstance(source, bytes) else source.read_bytes()
        except OSError as error:
            return Refused(f"could not be opened ({error.strerror or type(error).__name__})")

    def _blame(self, process: Process) -> None:
        """Count a death against the file that was being read; it is tried once more, alone with its fault."""
        if not self._sent:
            return
        index = self._sent[0]
        self._deaths[index] += 1
        if process.was_out_of_time():
            self._results[self._sent.popleft()] = Refused(self._limits.took_too_long)
        elif process.was_out_of_memory():
            self._results[self._sent.popleft()] = Refused(self._limits.needed_too_much)
        elif self._deaths[index] >= _TRIES:
            self._results[self._sent.popleft()] = Refused(CRASHED)
