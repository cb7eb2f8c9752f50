"""Filling the archive from a chunk: while one batch is being written, the next one is read and parsed."""

from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from typing import Final

from indexer.archives.incoming import IncomingDocument
from indexer.archives.ingest import write_incoming
from indexer.archives.parsed import ParsedDocument
from workers.context import WorkerContext
from workers.ingest.chunk_reader import Fresh, read_each
from workers.jobs.records import Job, Problem, Tally, failures
from workers.parsers.failures import ParseFailure as ParseError
from workers.sources.interface import Entry, Source

_FEWEST_DOCUMENTS: Final = 100
"""So many are written as soon as nothing else of the chunk is being written: then its last write is a small one."""
_MOST_DOCUMENTS: Final = 250
_MOST_CHARACTERS: Final = 5_000_000


class ChunkWriter:
    """The work on one chunk; parsing stays in the thread that made it, for the parser's child dies with its thread."""

    def __init__(self, context: WorkerContext, job: Job, revision: int, source: Source, *, again: bool) -> None:
        self._context = context
        self._job = job
        self._again = again
        self._revision = revision
        self._source = source
        self._tally = Tally()
        self._arrivals: list[IncomingDocument] = []
        self._characters = 0
        self._writing: Future[Tally] | None = None

    def add(self, group: Sequence[Entry]) -> Iterator[None]:
        """Read and parse files, and yield after each of them, in their order; they are written together with others."""
        read: deque[Fresh | Tally] = deque()
        for parsed in self._context.parser.parse_many(self._files(group, read)):
            while isinstance(each := read.popleft(), Tally):
                self._tally += each
                yield
            self._take(each, parsed)
            yield
        for counted in read:
            if isinstance(counted, Tally):
                self._tally += counted
                yield

    def flush(self) -> Tally:
        """Write what was added, and return what became of all files since the last time; from any thread."""
        self._write()
        self._await()
        tally, self._tally = self._tally, Tally()
        return tally

    def _files(self, group: Sequence[Entry], read: deque[Fresh | Tally]) -> Iterator[tuple[str, bytes]]:
        """Yield what the parser gets, and note what was read, ahead of what is parsed."""
        for each in read_each(self._context, self._job, self._source, group, again=self._again):
            read.append(each)
            if isinstance(each, Fresh):
                yield each.item.name, each.item.data

    def _take(self, read: Fresh, parsed: ParsedDocument | ParseError) -> None:
        if isinstance(parsed, ParseError):
            self._tally += failures([Problem(read.entry.path, parsed.reason)])
            return
        self._arrivals.append(_arrival(read, parsed))
        self._characters += len(parsed.text)
        if self._is_enough():
            self._write()

    def _is_enough(self) -> bool:
        if len(self._arrivals) >= _MOST_DOCUMENTS or self._characters >= _MOST_CHARACTERS:
            return True
        is_idle = self._writing is None or self._writing.done()
        return is_idle and len(self._arrivals) >= _FEWEST_DOCUMENTS

    def _write(self) -> None:
        if not self._arrivals:
            return
        arrivals, self._arrivals, self._characters = self._arrivals, [], 0
        self._await()
        self._writing = self._context.writer.submit(self._written, arrivals)

    def _await(self) -> None:
        if self._writing is not None:
            self._tally += self._writing.result()
            self._writing = None

    def _written(self, arrivals: Sequence[IncomingDocument]) -> Tally:
        outcomes = write_incoming(self._context.library, self._job.team, arrivals, self._revision)
        problems = [
            Problem(arrival.path, outcome.reason or "could not be indexed")
            for arrival, outcome in zip(arrivals, outcomes, strict=True)
            if outcome.status == "failed"
        ]
        return Tally(indexed=len(arrivals) - len(problems)) + failures(problems)


def _arrival(read: Fresh, parsed: ParsedDocument) -> IncomingDocument:
    item = read.item
    return IncomingDocument(
        id=item.id,
        path=read.entry.path,
        source=item.source,
        root=item.root,
        url=item.url,
        fallback_date=item.fallback_date,
        version=read.version,
        parsed=parsed,
        validators=item.validators,
    )
