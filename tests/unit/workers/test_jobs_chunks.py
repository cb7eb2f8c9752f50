"""Chunks: done once however many workers try, given up after three deaths, stopped when nobody wants them."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from threading import Thread

import pytest

from indexer.archives.ids import file_id
from indexer.archives.incoming import IncomingDocument
from indexer.archives.ingest import delete_documents, write_incoming
from indexer.engines.port import Written
from indexer.errors import Unavailable
from indexer.library import Library
from indexer.tenancy import TeamId
from tests.unit.workers.jobs_workplace import (
    TEAM,
    ListedBroker,
    Shelf,
    after_each_file,
    asked,
    counts,
    do_all,
    documents,
    notes,
    now,
    planned,
    planned_chunks,
    work_chunk,
)
from workers.context import WorkerContext
from workers.jobs.lease import Lease
from workers.jobs.records import Chunk
from workers.sources.interface import Entry, NotModified

Put = Callable[[Shelf], Shelf]


def chunk_now(context: WorkerContext, key: str) -> Chunk:
    found = context.jobs.chunks.get(key)
    assert found is not None
    return found.value


def test_a_chunk_that_is_delivered_twice_is_done_once(context: WorkerContext, broker: ListedBroker, put: Put) -> None:
    put(Shelf(notes(3)))
    job, key = planned(context, broker)
    work_chunk(context, key, job.key)
    work_chunk(context, key, job.key)
    assert counts(now(context, job)) == (3, 3, 0, 0, 0)


def test_a_counted_chunk_leaves_no_record(context: WorkerContext, broker: ListedBroker, put: Put) -> None:
    put(Shelf(notes(3)))
    job = do_all(context, broker, asked(context))
    assert context.jobs.chunks.list(job.key) == []
    assert context.jobs.files.list(job.key) == []


def test_a_chunk_that_another_worker_has_is_left_alone(context: WorkerContext, broker: ListedBroker, put: Put) -> None:
    shelf = put(Shelf(notes(3)))
    job, key = planned(context, broker)
    context.jobs.chunks.change(key, lambda chunk: replace(chunk, lease=Lease("other", 1, 1e12)))
    reads = shelf.reads
    work_chunk(context, key, job.key)
    assert shelf.reads == reads
    assert chunk_now(context, key).attempts == 0


def test_a_worker_that_was_overtaken_counts_nothing_and_what_it_wrote_is_not_doubled(
    context: WorkerContext, other: WorkerContext, broker: ListedBroker, put: Put, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(Shelf(notes(40)))
    job, key = planned(context, broker)
    overtaking: list[str] = []

    def overtake(_done: int) -> None:
        if not overtaking:
            overtaking.append("begun")
            context.jobs.chunks.change(key, lambda chunk: replace(chunk, lease=replace(chunk.lease, until=0.0)))
            work_chunk(other, key, job.key)

    after_each_file(monkeypatch, overtake)
    work_chunk(context, key, job.key)
    assert overtaking
    assert counts(now(context, job)) == (40, 40, 0, 0, 0)
    assert now(context, job).status == "done"
    assert len(documents(context)) == 40


def test_an_engine_that_does_not_answer_makes_a_chunk_wait_without_counting_an_attempt(
    context: WorkerContext, broker: ListedBroker, put: Put, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(Shelf(notes(2)))
    job, key = planned(context, broker)

    def down(*_: object) -> None:
        raise Unavailable("OpenSearch does not answer", action="Wait")

    with monkeypatch.context() as patched:
        patched.setattr("workers.ingest.chunk_writer.write_incoming", down)
        for _ in range(5):
            work_chunk(context, key, job.key)
    assert chunk_now(context, key).attempts == 0
    work_chunk(context, key, job.key)
    assert counts(now(context, job)) == (2, 2, 0, 0, 0)


def test_a_document_deleted_after_the_planning_is_not_brought_back_by_its_chunk(
    context: WorkerContext, broker: ListedBroker, put: Put
) -> None:
    shelf = put(Shelf(notes(2)))
    do_all(context, broker, asked(context))
    shelf.files = {path: f"{text} changed" for path, text in shelf.files.items()}
    job, key = planned(context, broker)
    delete_documents(context.library, TEAM, [file_id("notes/00000.md")], context.library.clock.next())
    work_chunk(context, key, job.key)
    assert now(context, job).status == "done"
    assert set(documents(context)) == {file_id("notes/00001.md")}


def test_writing_begins_while_files_are_still_being_read(
    context: WorkerContext, broker: ListedBroker, put: Put, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(Shelf(notes(300)))
    job, key = planned(context, broker)
    sizes: list[int] = []

    def counted(library: Library, team: TeamId, arrivals: Sequence[IncomingDocument], revision: int) -> list[Written]:
        sizes.append(len(arrivals))
        return write_incoming(library, team, arrivals, revision)

    monkeypatch.setattr("workers.ingest.chunk_writer.write_incoming", counted)
    work_chunk(context, key, job.key)
    assert 100 <= sizes[0] < 250
    assert sum(sizes) == 300
    assert counts(now(context, job)) == (300, 300, 0, 0, 0)


def test_a_chunk_of_a_cancelled_job_is_not_begun(context: WorkerContext, broker: ListedBroker, put: Put) -> None:
    put(Shelf(notes(2)))
    job, key = planned(context, broker)
    context.jobs.cancel(TEAM, job.id)
    work_chunk(context, key, job.key)
    assert documents(context) == {}
    assert now(context, job).status == "cancelled"


def test_a_chunk_under_way_stops_when_its_job_is_cancelled_and_what_it_wrote_is_counted(
    context: WorkerContext, broker: ListedBroker, put: Put, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workers.ingest.chunk_run._CANCEL_CHECK_SECONDS", 0.0)
    put(Shelf(notes(100)))
    job, key = planned(context, broker)

    def cancel(done: int) -> None:
        if done == 20:
            context.jobs.cancel(TEAM, job.id)

    after_each_file(monkeypatch, cancel)
    work_chunk(context, key, job.key)
    cancelled = now(context, job)
    assert cancelled.status == "cancelled"
    assert cancelled.tally.indexed == len(documents(context)) == 20


def test_several_workers_share_the_chunks_of_a_job(context: WorkerContext, broker: ListedBroker, put: Put) -> None:
    put(Shelf(notes(150), remote=True))
    job, keys = planned_chunks(context, broker)
    assert len(keys) == 3
    failures: list[BaseException] = []

    def work() -> None:
        try:
            for key in keys:
                work_chunk(context, key, job.key)
        except BaseException as error:  # noqa: BLE001  # told by the test, whatever it is
            failures.append(error)

    threads = [Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    for key in keys:
        work_chunk(context, key, job.key)
    assert counts(now(context, job)) == (150, 150, 0, 0, 0)
    assert now(context, job).status == "done"


@pytest.mark.parametrize("restarted", [False, True])
def test_what_its_source_says_to_be_unchanged_counts_as_indexed_if_this_job_wrote_it(
    context: WorkerContext, broker: ListedBroker, put: Put, restarted: bool
) -> None:
    class Unchanging(Shelf):
        def read(self, entry: Entry) -> NotModified:
            return NotModified(file_id(entry.path))

    put(Shelf(notes(2), remote=True))
    written = do_all(context, broker, asked(context))
    put(Unchanging(notes(2), remote=True))
    job = do_all(context, broker, asked(context, revision=written.revision, restarted=restarted))
    assert counts(job) == ((2, 2, 0, 0, 0) if restarted else (2, 0, 2, 0, 0))


def test_a_source_that_cannot_be_opened_any_more_fails_the_files_of_the_chunk(
    context: WorkerContext, broker: ListedBroker, put: Put, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(Shelf(notes(2)))
    job, key = planned(context, broker)

    def gone(*_: object) -> None:
        raise Unavailable("The folder is gone", action="Mount it")

    monkeypatch.setattr("workers.ingest.steps.open_source", gone)
    work_chunk(context, key, job.key)
    assert now(context, job).status == "done"
    assert [problem.reason for problem in now(context, job).tally.errors] == ["The folder is gone"] * 2
