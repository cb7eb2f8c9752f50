"""Planning: what has to be read is found out, and queued in chunks while the listing goes on.

Each file that is listed is counted once in the plan that is current: as failed, as unchanged, or with its chunk. A
planning that died is begun anew under a new number. Its counts start at nothing; the chunks of the former one are
nobody's any more, whether waiting (the sweep removes them) or under way (they count nowhere, and what they write is
written again or found there). What this job has written before is found unchanged by then, and counted as indexed by
its revision. So in the end found = indexed + unchanged + failed, however often it was begun.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

from indexer.errors import PlatformError
from indexer.tenancy import DocumentId
from workers.context import WorkerContext
from workers.ingest.archive import refresh
from workers.ingest.compare import Comparison
from workers.jobs.lease import Held
from workers.jobs.records import Chunk, ChunkFiles, Job, Problem, Tally, chunk_key, current, failures, utc_now
from workers.sources.interface import Entry, Item, SkippedFile, Source
from workers.sources.versions import version_of

_BATCH: Final = 500
_MOST_ENTRIES: Final = 500
_MOST_REMOTE_ENTRIES: Final = 50
_MOST_BYTES: Final = 20_000_000


class CannotRun(Exception):
    """The job itself cannot be done; the reason is for its report."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def begin(held: Held[Job]) -> Job:
    """Begin a planning, from nothing; its number is that of all that follows."""
    asked = held.value.plan
    return held.change(lambda known: _begun(current(known, asked)))


def plan(context: WorkerContext, held: Held[Job], job: Job, source: Source) -> Job:
    """List the source, queue what changed, and return the job, free for whoever finishes it."""
    if job.restarted:
        refresh(context.library, job.team)
    planning = _Planning(context, held, job, source)
    listed = source.list()
    while batch := _next(listed):
        planning.add(batch)
    return planning.finish()


@dataclass(frozen=True, slots=True)
class _Batch:
    """Listed files; of those that were read, the archive is being asked which it has."""

    tally: Tally
    unread: list[Entry]
    read: list[Entry]
    compared: Comparison


class _Planning:
    """One planning under way: while the archive is asked about one batch, the next one is read."""

    def __init__(self, context: WorkerContext, held: Held[Job], job: Job, source: Source) -> None:
        self._context = context
        self._held = held
        self._job = job
        self._source = source
        self._most = _MOST_REMOTE_ENTRIES if source.remote else _MOST_ENTRIES
        self._asked: _Batch | None = None
        self._chunks = 0
        self._changed: list[Entry] = []
        self._bytes = 0

    def add(self, listed: Sequence[Entry | SkippedFile]) -> None:
        """Look at listed files; what became of those before them is shown in the job."""
        batch = self._looked_at(listed)
        self._settle()
        self._asked = batch

    def finish(self) -> Job:
        """Queue the rest; from now on the job is worked off as soon as all chunks are counted."""
        self._settle()
        self._queue()
        return self._held.change(
            lambda known: replace(
                current(known, self._job.plan),
                phase="working",
                chunks=self._chunks,
                attempts=0,
                lease=replace(known.lease, until=0.0),
            )
        )

    def _looked_at(self, listed: Sequence[Entry | SkippedFile]) -> _Batch:
        """Read files for their versions alone; what comes over a network is read once, by its chunk."""
        problems: list[Problem] = []
        unread: list[Entry] = []
        read: list[Entry] = []
        versions: list[tuple[DocumentId, str]] = []
        for found in listed:
            item = self._source.read(found) if isinstance(found, Entry) and not self._source.remote else found
            if isinstance(item, SkippedFile):
                problems.append(Problem(found.path, item.reason))
            elif isinstance(item, Entry):
                unread.append(item)
            elif isinstance(item, Item) and isinstance(found, Entry):
                read.append(replace(found, size=len(item.data)))
                versions.append((item.id, version_of(item.data, item.root)))
        tally = failures(problems) + Tally(found=len(listed))
        return _Batch(tally, unread, read, Comparison(self._context, self._job, versions))

    def _settle(self) -> None:
        if self._asked is None:
            return
        batch, self._asked = self._asked, None
        changes = batch.compared.changes()
        changed = [entry for entry, standing in zip(batch.read, changes, strict=True) if standing == "changed"]
        for entry in (*batch.unread, *changed):
            if self._bytes + entry.size > _MOST_BYTES:
                self._queue()
            self._changed.append(entry)
            self._bytes += entry.size
            if len(self._changed) >= self._most:
                self._queue()
        more = batch.tally + Tally(indexed=changes.count("indexed"), unchanged=changes.count("unchanged"))
        self._held.change(
            lambda known: replace(current(known, self._job.plan), tally=known.tally + more, chunks=self._chunks)
        )

    def _queue(self) -> None:
        """Record a chunk, then queue it: others may work on it while the listing goes on."""
        if not self._changed:
            return
        self._held.check()
        key = chunk_key(self._job.key, self._job.plan, self._chunks)
        jobs = self._context.jobs
        jobs.files.create(key, ChunkFiles(tuple(self._changed)))
        jobs.chunks.create(key, Chunk(self._job.plan, self._chunks, self._context.library.clock.next()))
        self._context.broker.queue_chunk(self._job.key, key)
        self._chunks += 1
        self._changed, self._bytes = [], 0


def _begun(job: Job) -> Job:
    return replace(
        job,
        status="running",
        started_at=job.started_at or utc_now(),
        restarted=job.restarted or job.chunks > 0,
        plan=job.plan + 1,
        chunks=0,
        counted=(),
        tally=Tally(),
    )


def _next(listed: Iterator[Entry | SkippedFile]) -> list[Entry | SkippedFile]:
    try:
        return list(islice(listed, _BATCH))
    except PlatformError as error:
        raise CannotRun(error.message) from error
