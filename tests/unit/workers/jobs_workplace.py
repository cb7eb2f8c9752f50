"""A worker context on the embedded engine, with a source and a queue that a test looks into."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from indexer.archives.ids import file_id
from indexer.engines.port import Document
from indexer.schema.dates import utc_now
from indexer.settings import IndexerSettings
from indexer.tenancy import ARCHIVE_INDEX, TeamId
from workers.broker import Broker
from workers.context import WorkerContext
from workers.ingest.chunk_writer import ChunkWriter
from workers.ingest.chunks import parse_chunk
from workers.ingest.steps import run_job
from workers.jobs.records import Job, job_of_chunk, new_job_id
from workers.settings import WorkerSettings
from workers.sources.interface import Entry, FailedFile, Item, Listed, NotModified
from workers.sources.skipped import NO_READER, SkippedFile, SkippedFiles

TEAM = TeamId("ours")
ROOT = "notes"


class ListedBroker(Broker):
    """Keeps what was queued in lists instead of Redis."""

    def __init__(self, settings: WorkerSettings) -> None:
        super().__init__(settings)
        self.jobs: list[str] = []
        self.chunks: list[tuple[str, str]] = []

    def queue_job(self, job: str) -> bool:
        self.jobs.append(job)
        return True

    def queue_chunk(self, chunk: str) -> bool:
        self.chunks.append((job_of_chunk(chunk), chunk))
        return True


class Shelf:
    """A source over a dict of texts; hooks let a test step in between."""

    def __init__(self, files: Mapping[str, str], *, remote: bool = False, origin: str = ROOT) -> None:
        self.files = dict(files)
        self.origin = origin
        self.remote = remote
        self.refused: list[FailedFile | SkippedFile | SkippedFiles] = []
        self.skipped_at_reading: dict[str, str] = {}
        self.before_listing: Callable[[int], None] = lambda _: None
        self.before_reading: Callable[[Entry], None] = lambda _: None
        self.reads = 0

    def list(self) -> Iterator[Listed]:
        yield from self.refused
        for number, (path, text) in enumerate(list(self.files.items())):
            self.before_listing(number)
            yield Entry(path, path, len(text))

    def read(self, entry: Entry) -> Item | FailedFile | SkippedFile | NotModified:
        self.before_reading(entry)
        self.reads += 1
        if entry.locator in self.skipped_at_reading:
            return SkippedFile(entry.path, NO_READER, self.skipped_at_reading[entry.locator])
        if entry.locator not in self.files:
            return FailedFile(entry.path, "is gone")
        return Item(
            data=self.files[entry.locator].encode(),
            name=entry.path,
            id=file_id(entry.path),
            source="research",
            origin=self.origin,
            url=None,
            fallback_date="2025-05-20",
        )

    def still_there(self, path: str) -> bool:
        return path in self.files


def notes(count: int, start: int = 0) -> dict[str, str]:
    return {f"{ROOT}/{number:05d}.md": f"# Note {number}\n\nBody" for number in range(start, start + count)}


def workplace(folder: Path) -> tuple[WorkerContext, ListedBroker]:
    settings = WorkerSettings(worker_lease_seconds=1_000)
    broker = ListedBroker(settings)
    return WorkerContext(settings, IndexerSettings(engine="tantivy", data_dir=folder), broker), broker


def after_each_file(monkeypatch: pytest.MonkeyPatch, step_in: Callable[[int], None]) -> None:
    """Let a test step in whenever a worker is done with a file; the parser may be ahead by many."""
    add = ChunkWriter.add

    def watched(writer: ChunkWriter, group: Sequence[Entry]) -> Iterator[None]:
        for number, _ in enumerate(add(writer, group), 1):
            step_in(number)
            yield

    monkeypatch.setattr(ChunkWriter, "add", watched)


def asked(context: WorkerContext, **fields: Any) -> Job:
    """Record a job over whatever source the test has put in."""
    job = Job(
        team=TEAM,
        id=new_job_id(),
        kind="ingest",
        created_at=utc_now(),
        revision=context.library.clock.next(),
        source={"type": "folder", "path": f"/{ROOT}", "mirror": False},
    )
    context.jobs.start(replace(job, **fields))
    return replace(job, **fields)


def now(context: WorkerContext, job: Job) -> Job:
    return context.jobs.get(job.team, job.id)


def planned(context: WorkerContext, broker: ListedBroker) -> tuple[Job, str]:
    """Plan a job of one chunk; return it and the chunk's key."""
    job, (key,) = planned_chunks(context, broker)
    return job, key


def planned_chunks(context: WorkerContext, broker: ListedBroker) -> tuple[Job, list[str]]:
    """Plan a job; return it and the keys of its chunks, which are queued no more."""
    job = asked(context)
    run_job(context, job.key)
    keys = [key for _, key in broker.chunks]
    broker.chunks.clear()
    return job, keys


def work_chunk(context: WorkerContext, key: str, job_key: str) -> None:
    """Do a chunk to its end, as a worker does it in two parts."""
    begun = parse_chunk(context, key, job_key)
    if begun is not None:
        begun.finish()


def do_chunks(context: WorkerContext, broker: ListedBroker) -> None:
    """Do everything that is queued in chunks."""
    while broker.chunks:
        job, chunk = broker.chunks.pop(0)
        work_chunk(context, chunk, job)


def do_all(context: WorkerContext, broker: ListedBroker, job: Job) -> Job:
    """Do a job to its end, as one worker would."""
    run_job(context, job.key)
    do_chunks(context, broker)
    return now(context, job)


def counts(job: Job) -> tuple[int, int, int, int, int]:
    """Return found, indexed, unchanged, removed, failed; of a job that is done all files are accounted for."""
    tally = job.tally
    if job.status == "done":
        assert tally.found == tally.indexed + tally.unchanged + tally.failed + tally.skipped.count
    return tally.found, tally.indexed, tally.unchanged, tally.removed, tally.failed


def documents(context: WorkerContext) -> dict[str, Document]:
    """Return all that the archive holds, by id."""
    target = context.library.registry.get(TEAM, ARCHIVE_INDEX).serving_target()
    if target is None:
        return {}
    return {
        document.id: document for batch in context.library.engine.writer.scan(target, text=True) for document in batch
    }
