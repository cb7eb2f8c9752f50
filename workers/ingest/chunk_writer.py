"""Reads the files of a chunk, has them parsed, and writes them to the archive, all at the same time.

Files on disk are read one after the other, several at once over the network. While one batch is written, the next one
is read and parsed.
"""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from itertools import compress
from typing import Final

from indexer.archives.incoming import IncomingDocument
from indexer.archives.ingest import write_incoming
from indexer.archives.parsed import ParsedDocument
from indexer.index.quota import Addition, Additions
from indexer.tenancy import ARCHIVE_INDEX
from workers.context import WorkerContext
from workers.ingest.compare import Comparison, FileChange
from workers.jobs.records import Job, Problem, Tally, tally_failures
from workers.parsers.failures import ParseFailure
from workers.sources.interface import Entry, FailedFile, Item, NotModified, Source
from workers.sources.skipped import SkippedFile, SkippedFiles
from workers.sources.versions import version_of

_MAX_CONCURRENT: Final = 8
_MAX_GROUP_BYTES: Final = 2_000_000
_TALLIES: Final[dict[FileChange, Tally]] = {"unchanged": Tally(unchanged=1), "indexed": Tally(indexed=1)}
_MIN_BATCH_DOCUMENTS: Final = 100
"""Enough for a batch if no write is pending; so the last batch of a chunk stays small."""
_MAX_BATCH_DOCUMENTS: Final = 250
_MAX_BATCH_CHARACTERS: Final = 5_000_000


@dataclass(frozen=True, slots=True)
class FileToParse:
    """A file that was read and, as far as is known, differs from the archive."""

    entry: Entry
    item: Item
    version: str


class ChunkWriter:
    """Reads, parses and writes the files of one chunk.

    Parsing stays in one thread, because the parser's child process dies with the thread that started it.
    """

    def __init__(
        self,
        context: WorkerContext,
        job: Job,
        revision: int,
        source: Source,
        *,
        is_retry: bool,
        check: Callable[[], None] = lambda: None,
    ) -> None:
        """Call `check` now and then while a file takes long; its exception ends `add`, and the files before count."""
        self._context = context
        self._job = job
        self._is_retry = is_retry
        self._revision = revision
        self._source = source
        self._check = check
        self._tally = Tally()
        self._batch: list[IncomingDocument] = []
        self._characters = 0
        self._pending_write: Future[Tally] | None = None

    def add(self, group: Sequence[Entry]) -> Iterator[None]:
        """Read and parse files, and yield after each, in order; documents are written in batches."""
        read: deque[FileToParse | Tally] = deque()
        for parsed in self._context.parser.parse_many(self._read_files(group, read), self._check):
            while isinstance(file := read.popleft(), Tally):
                self._tally += file
                yield
            self._add_parsed(file, parsed)
            yield
        for tally in read:
            if isinstance(tally, Tally):
                self._tally += tally
                yield

    def flush(self) -> Tally:
        """Write all documents that were added; return the tally since the last flush. Any thread may call it."""
        self._start_write()
        self._wait_for_write()
        tally, self._tally = self._tally, Tally()
        return tally

    def _read_files(self, group: Sequence[Entry], read: deque[FileToParse | Tally]) -> Iterator[tuple[str, bytes]]:
        """Yield the files to parse; append every outcome to `read`, which runs ahead of the parser."""
        for file in _read_group(self._context, self._job, self._source, group, is_retry=self._is_retry):
            read.append(file)
            if isinstance(file, FileToParse):
                yield file.item.name, file.item.data

    def _add_parsed(self, file: FileToParse, parsed: ParsedDocument | ParseFailure) -> None:
        if isinstance(parsed, ParseFailure):
            self._tally += tally_failures([Problem(file.entry.path, parsed.reason)])
            return
        self._batch.append(_build_document(file, parsed))
        self._characters += len(parsed.text)
        if self._is_batch_full():
            self._start_write()

    def _is_batch_full(self) -> bool:
        if len(self._batch) >= _MAX_BATCH_DOCUMENTS or self._characters >= _MAX_BATCH_CHARACTERS:
            return True
        is_idle = self._pending_write is None or self._pending_write.done()
        return is_idle and len(self._batch) >= _MIN_BATCH_DOCUMENTS

    def _start_write(self) -> None:
        if not self._batch:
            return
        batch, self._batch, self._characters = self._batch, [], 0
        self._wait_for_write()
        self._pending_write = self._context.write_pool.submit(self._write_batch, batch)

    def _wait_for_write(self) -> None:
        if self._pending_write is not None:
            self._tally += self._pending_write.result()
            self._pending_write = None

    def _write_batch(self, batch: Sequence[IncomingDocument]) -> Tally:
        quota, team = self._context.quota, self._job.team
        if not quota.is_limited:
            return self._write_documents(batch)
        additions = [_addition(document) for document in batch]
        failures = self._context.run(quota.failures(team, Additions(ARCHIVE_INDEX, additions)))
        problems = [
            Problem(document.path, f"is beyond the team's limit of {failure.number:,} {failure.name}")
            for document, failure in zip(batch, failures, strict=True)
            if failure is not None
        ]
        fits = [failure is None for failure in failures]
        with quota.writing(team, list(compress(additions, fits))):
            return self._write_documents(list(compress(batch, fits))) + tally_failures(problems)

    def _write_documents(self, batch: Sequence[IncomingDocument]) -> Tally:
        if not batch:
            return Tally()
        outcomes = write_incoming(self._context.library, self._job.team, batch, self._revision)
        problems = [
            Problem(document.path, outcome.reason or "could not be indexed")
            for document, outcome in zip(batch, outcomes, strict=True)
            if outcome.status == "failed"
        ]
        return Tally(indexed=len(batch) - len(problems)) + tally_failures(problems)


def group_entries(entries: Sequence[Entry], source: Source, *, one_by_one: bool) -> Iterator[Sequence[Entry]]:
    """Yield the entries in groups; each group is read and parsed together.

    All entries on disk are one group, because each is read when the parser has room for it. Over the network a group is
    fetched concurrently, and a large entry is a group of its own.
    """
    if one_by_one:
        yield from ([entry] for entry in entries)
    elif source.remote:
        yield from _small_groups(entries)
    elif entries:
        yield entries


def _read_group(
    context: WorkerContext, job: Job, source: Source, group: Sequence[Entry], *, is_retry: bool
) -> Iterator[FileToParse | Tally]:
    """Read a group in order, lazily from disk; yield a tally for each file that needs no parsing.

    Remote files are compared with the archive here: the plan does not read them, and parsing costs more than a lookup.
    """
    if not source.remote:
        for entry in group:
            outcome = _classify(entry, source.read(entry))
            yield _TALLIES["unchanged"] if isinstance(outcome, NotModified) else outcome
        return
    with ThreadPoolExecutor(_MAX_CONCURRENT, thread_name_prefix="read") as pool:
        items = pool.map(source.read, group)
        outcomes = [_classify(entry, item) for entry, item in zip(group, items, strict=True)]
    versions = [
        (outcome.id, None) if isinstance(outcome, NotModified) else (outcome.item.id, outcome.version)
        for outcome in outcomes
        if not isinstance(outcome, Tally)
    ]
    changes = iter(Comparison(context, job, versions, is_retry=is_retry).changes())
    for outcome in outcomes:
        change: FileChange = "changed" if isinstance(outcome, Tally) else next(changes)
        yield _TALLIES[change] if isinstance(outcome, NotModified) or change != "changed" else outcome


def _addition(document: IncomingDocument) -> Addition:
    return Addition(document.id, len(document.parsed.text.encode("utf-8", "surrogatepass")))


def _build_document(file: FileToParse, parsed: ParsedDocument) -> IncomingDocument:
    item = file.item
    return IncomingDocument(
        id=item.id,
        path=file.entry.path,
        source=item.source,
        root=item.origin,
        url=item.url,
        fallback_date=item.fallback_date,
        version=file.version,
        parsed=parsed,
        validators=item.validators,
    )


def _classify(entry: Entry, item: Item | FailedFile | SkippedFile | NotModified) -> FileToParse | NotModified | Tally:
    if isinstance(item, FailedFile):
        return tally_failures([Problem(entry.path, item.reason)])
    if isinstance(item, SkippedFile):
        return Tally(skipped=SkippedFiles.of([item]))
    return FileToParse(entry, item, version_of(item.data, item.origin)) if isinstance(item, Item) else item


def _small_groups(entries: Sequence[Entry]) -> Iterator[list[Entry]]:
    group: list[Entry] = []
    size = 0
    for entry in entries:
        if group and (len(group) >= _MAX_CONCURRENT or size + entry.size > _MAX_GROUP_BYTES):
            yield group
            group, size = [], 0
        group.append(entry)
        size += entry.size
    if group:
        yield group
