"""The plan of an ingestion: list the source, compare it with the archive, and queue what changed in chunks.

Chunks are recorded and queued while the listing goes on. Every listed file is counted once in the current plan: as
failed, as skipped, as unchanged, or with its chunk.

- A worker dies while it plans: the sweep queues the job again when its lease has expired, and a new plan starts from
  zero under the next number. The chunks of the old plan are orphaned. Those that wait are removed by the sweep; one
  that runs may still write documents, but counts nowhere.
- So after a new plan nothing is lost or counted twice: what this job wrote before is found unchanged, and its revision
  shows that this job wrote it, so it counts as indexed. In the end found = indexed + unchanged + failed + skipped.
- A plan that tries some failed files again lists only these (`again.py`), and begins with the counts of all others.
- A message is delivered twice: the second worker does not get the lease and does nothing.
- Redis dies or loses its data: planning goes on. Chunks that could not be queued, or whose messages are lost, wait in
  the records until the sweep queues them.
- A file kills the parser: not here, because a plan only reads the bytes. Parsing belongs to the chunks
  (`chunk_run.py`). A plan that kills its worker three times fails the job.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

from indexer.archives.ingest import refresh_archive
from indexer.errors import PlatformError
from indexer.schema.dates import utc_now
from indexer.tenancy import DocumentId
from workers.context import WorkerContext
from workers.ingest.again import list_again
from workers.ingest.compare import Comparison
from workers.jobs.lease import HeldLease
from workers.jobs.records import Chunk, ChunkFiles, Job, Problem, Tally, check_current, chunk_key, tally_failures
from workers.sources.interface import Entry, FailedFile, Item, Listed, Source
from workers.sources.skipped import SkippedCounter, SkippedFile, SkippedFiles
from workers.sources.versions import version_of

_BATCH_SIZE: Final = 500
_MAX_CHUNK_ENTRIES: Final = 500
_MAX_REMOTE_CHUNK_ENTRIES: Final = 50
_MAX_CHUNK_BYTES: Final = 20_000_000


class CannotRun(Exception):
    """The whole job fails; its record shows the reason."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def start_plan(held: HeldLease[Job]) -> Job:
    """Start a new plan: its counts are zero, or those of the files that it does not concern.

    Its number fences off the chunks of earlier plans.
    """
    previous = held.value.plan
    return held.change(lambda latest: _with_new_plan(check_current(latest, previous)))


def plan(context: WorkerContext, held: HeldLease[Job], job: Job, source: Source) -> Job:
    """List the source, queue what changed, and return the job with its lease released."""
    if job.restarted:
        refresh_archive(context.library, job.team)
    planner = _Planner(context, held, job, source)
    listing = source.list() if job.retry is None else list_again(source, job.retry.paths, held.check)
    while batch := _next_batch(listing):
        planner.add(batch)
    return planner.finish()


@dataclass(frozen=True, slots=True)
class _Batch:
    """A batch of listed files; the archive is being queried about those that were read."""

    tally: Tally
    unread: list[Entry]
    read: list[Entry]
    comparison: Comparison


class _Planner:
    """Builds one plan. While the archive is queried about one batch, the next batch is read."""

    def __init__(self, context: WorkerContext, held: HeldLease[Job], job: Job, source: Source) -> None:
        self._context = context
        self._held = held
        self._job = job
        self._source = source
        self._max_entries = _MAX_REMOTE_CHUNK_ENTRIES if source.remote else _MAX_CHUNK_ENTRIES
        self._pending: _Batch | None = None
        self._chunks = 0
        self._entries: list[Entry] = []
        self._bytes = 0

    def add(self, listed: Sequence[Listed]) -> None:
        """Start the comparison of a batch, and put the batch before it into chunks and counts."""
        batch = self._start_comparison(listed)
        self._complete_pending()
        self._pending = batch

    def finish(self) -> Job:
        """Queue the rest; the job is ready to finish as soon as all chunks are counted."""
        self._complete_pending()
        self._queue_chunk()
        return self._held.change(
            lambda latest: replace(
                check_current(latest, self._job.plan),
                phase="working",
                chunks=self._chunks,
                attempts=0,
                lease=replace(latest.lease, until=0.0),
            )
        )

    def _start_comparison(self, listed: Sequence[Listed]) -> _Batch:
        """Read local files to compute their versions; remote ones are read only once, by their chunk."""
        problems: list[Problem] = []
        skipped = SkippedCounter()
        unread: list[Entry] = []
        read: list[Entry] = []
        versions: list[tuple[DocumentId, str]] = []
        for entry in listed:
            item = self._source.read(entry) if isinstance(entry, Entry) and not self._source.remote else entry
            if isinstance(item, FailedFile):
                problems.append(Problem(item.path, item.reason))
            elif isinstance(item, SkippedFile | SkippedFiles):
                skipped.add(item)
            elif isinstance(item, Entry):
                unread.append(item)
            elif isinstance(item, Item) and isinstance(entry, Entry):
                read.append(replace(entry, size=len(item.data)))
                versions.append((item.id, version_of(item.data, item.origin)))
        left_out = skipped.result()
        found = len(problems) + left_out.count + len(unread) + len(read)
        tally = tally_failures(problems) + Tally(found=found, skipped=left_out)
        return _Batch(tally, unread, read, Comparison(self._context, self._job, versions))

    def _complete_pending(self) -> None:
        if self._pending is None:
            return
        batch, self._pending = self._pending, None
        changes = batch.comparison.changes()
        changed = [entry for entry, change in zip(batch.read, changes, strict=True) if change == "changed"]
        for entry in (*batch.unread, *changed):
            if self._bytes + entry.size > _MAX_CHUNK_BYTES:
                self._queue_chunk()
            self._entries.append(entry)
            self._bytes += entry.size
            if len(self._entries) >= self._max_entries:
                self._queue_chunk()
        tally = batch.tally + Tally(indexed=changes.count("indexed"), unchanged=changes.count("unchanged"))
        self._held.change(
            lambda latest: replace(
                check_current(latest, self._job.plan), tally=latest.tally + tally, chunks=self._chunks
            )
        )

    def _queue_chunk(self) -> None:
        """Record a chunk and then queue it, so that other workers can process it while the listing goes on."""
        if not self._entries:
            return
        self._held.check()
        key = chunk_key(self._job.key, self._job.plan, self._chunks)
        jobs = self._context.jobs
        jobs.files.create(key, ChunkFiles(tuple(self._entries)))
        jobs.chunks.create(key, Chunk(self._job.plan, self._chunks, self._context.library.clock.next()))
        self._context.broker.queue_chunk(key)
        self._chunks += 1
        self._entries, self._bytes = [], 0


def _with_new_plan(job: Job) -> Job:
    return replace(
        job,
        status="running",
        started_at=job.started_at or utc_now(),
        restarted=job.restarted or job.chunks > 0,
        plan=job.plan + 1,
        chunks=0,
        counted=(),
        tally=job.counted_before,
    )


def _next_batch(listing: Iterator[Listed]) -> list[Listed]:
    try:
        return list(islice(listing, _BATCH_SIZE))
    except PlatformError as error:
        raise CannotRun(error.message) from error
