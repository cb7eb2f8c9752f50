"""Chunks: done once however many workers try, given up after three deaths, stopped when nobody wants them."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from threading import Thread

import pytest

from indexer.archives.ids import file_id
from indexer.archives.incoming import Arrival
from indexer.archives.ingest import delete_documents, write_arrivals
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
from workers.context import Workplace
from workers.jobs.lease import Lease
from workers.jobs.records import Chunk
from workers.sources.interface import Entry, Kept

Put = Callable[[Shelf], Shelf]


def chunk_now(place: Workplace, key: str) -> Chunk:
    found = place.jobs.chunks.get(key)
    assert found is not None
    return found.value


def test_a_chunk_that_is_delivered_twice_is_done_once(place: Workplace, broker: ListedBroker, put: Put) -> None:
    put(Shelf(notes(3)))
    job, key = planned(place, broker)
    work_chunk(place, key, job.key)
    work_chunk(place, key, job.key)
    assert counts(now(place, job)) == (3, 3, 0, 0, 0)


def test_a_counted_chunk_leaves_no_record(place: Workplace, broker: ListedBroker, put: Put) -> None:
    put(Shelf(notes(3)))
    job = do_all(place, broker, asked(place))
    assert place.jobs.chunks.list(job.key) == []
    assert place.jobs.files.list(job.key) == []


def test_a_chunk_that_another_worker_has_is_left_alone(place: Workplace, broker: ListedBroker, put: Put) -> None:
    shelf = put(Shelf(notes(3)))
    job, key = planned(place, broker)
    place.jobs.chunks.change(key, lambda chunk: replace(chunk, lease=Lease("other", 1, 1e12)))
    reads = shelf.reads
    work_chunk(place, key, job.key)
    assert shelf.reads == reads
    assert chunk_now(place, key).attempts == 0


def test_a_worker_that_was_overtaken_counts_nothing_and_what_it_wrote_is_not_doubled(
    place: Workplace, other: Workplace, broker: ListedBroker, put: Put, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(Shelf(notes(40)))
    job, key = planned(place, broker)
    overtaking: list[str] = []

    def overtake(_done: int) -> None:
        if not overtaking:
            overtaking.append("begun")
            place.jobs.chunks.change(key, lambda chunk: replace(chunk, lease=replace(chunk.lease, until=0.0)))
            work_chunk(other, key, job.key)

    after_each_file(monkeypatch, overtake)
    work_chunk(place, key, job.key)
    assert overtaking
    assert counts(now(place, job)) == (40, 40, 0, 0, 0)
    assert now(place, job).status == "done"
    assert len(documents(place)) == 40


def test_an_engine_that_does_not_answer_makes_a_chunk_wait_without_counting_an_attempt(
    place: Workplace, broker: ListedBroker, put: Put, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(Shelf(notes(2)))
    job, key = planned(place, broker)

    def down(*_: object) -> None:
        raise Unavailable("OpenSearch does not answer", action="Wait")

    with monkeypatch.context() as patched:
        patched.setattr("workers.ingest.chunk_writer.write_arrivals", down)
        for _ in range(5):
            work_chunk(place, key, job.key)
    assert chunk_now(place, key).attempts == 0
    work_chunk(place, key, job.key)
    assert counts(now(place, job)) == (2, 2, 0, 0, 0)


def test_a_document_deleted_after_the_planning_is_not_brought_back_by_its_chunk(
    place: Workplace, broker: ListedBroker, put: Put
) -> None:
    shelf = put(Shelf(notes(2)))
    do_all(place, broker, asked(place))
    shelf.files = {path: f"{text} changed" for path, text in shelf.files.items()}
    job, key = planned(place, broker)
    delete_documents(place.library, TEAM, [file_id("notes/00000.md")], place.library.clock.next())
    work_chunk(place, key, job.key)
    assert now(place, job).status == "done"
    assert set(documents(place)) == {file_id("notes/00001.md")}


def test_writing_begins_while_files_are_still_being_read(
    place: Workplace, broker: ListedBroker, put: Put, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(Shelf(notes(300)))
    job, key = planned(place, broker)
    sizes: list[int] = []

    def counted(library: Library, team: TeamId, arrivals: Sequence[Arrival], revision: int) -> list[Written]:
        sizes.append(len(arrivals))
        return write_arrivals(library, team, arrivals, revision)

    monkeypatch.setattr("workers.ingest.chunk_writer.write_arrivals", counted)
    work_chunk(place, key, job.key)
    assert 100 <= sizes[0] < 250
    assert sum(sizes) == 300
    assert counts(now(place, job)) == (300, 300, 0, 0, 0)


def test_a_chunk_of_a_cancelled_job_is_not_begun(place: Workplace, broker: ListedBroker, put: Put) -> None:
    put(Shelf(notes(2)))
    job, key = planned(place, broker)
    place.jobs.cancel(TEAM, job.id)
    work_chunk(place, key, job.key)
    assert documents(place) == {}
    assert now(place, job).status == "cancelled"


def test_a_chunk_under_way_stops_when_its_job_is_cancelled_and_what_it_wrote_is_counted(
    place: Workplace, broker: ListedBroker, put: Put, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workers.ingest.chunk_run._LOOK_SECONDS", 0.0)
    put(Shelf(notes(100)))
    job, key = planned(place, broker)

    def cancel(done: int) -> None:
        if done == 20:
            place.jobs.cancel(TEAM, job.id)

    after_each_file(monkeypatch, cancel)
    work_chunk(place, key, job.key)
    cancelled = now(place, job)
    assert cancelled.status == "cancelled"
    assert cancelled.tally.indexed == len(documents(place)) == 20


def test_several_workers_share_the_chunks_of_a_job(place: Workplace, broker: ListedBroker, put: Put) -> None:
    put(Shelf(notes(150), remote=True))
    job, keys = planned_chunks(place, broker)
    assert len(keys) == 3
    failures: list[BaseException] = []

    def work() -> None:
        try:
            for key in keys:
                work_chunk(place, key, job.key)
        except BaseException as error:  # noqa: BLE001  # told by the test, whatever it is
            failures.append(error)

    threads = [Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    for key in keys:
        work_chunk(place, key, job.key)
    assert counts(now(place, job)) == (150, 150, 0, 0, 0)
    assert now(place, job).status == "done"


@pytest.mark.parametrize("restarted", [False, True])
def test_what_its_source_says_to_be_unchanged_counts_as_indexed_if_this_job_wrote_it(
    place: Workplace, broker: ListedBroker, put: Put, restarted: bool
) -> None:
    class Unchanging(Shelf):
        def read(self, entry: Entry) -> Kept:
            return Kept(file_id(entry.path))

    put(Shelf(notes(2), remote=True))
    written = do_all(place, broker, asked(place))
    put(Unchanging(notes(2), remote=True))
    job = do_all(place, broker, asked(place, revision=written.revision, restarted=restarted))
    assert counts(job) == ((2, 2, 0, 0, 0) if restarted else (2, 0, 2, 0, 0))


def test_a_source_that_cannot_be_opened_any_more_fails_the_files_of_the_chunk(
    place: Workplace, broker: ListedBroker, put: Put, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(Shelf(notes(2)))
    job, key = planned(place, broker)

    def gone(*_: object) -> None:
        raise Unavailable("The folder is gone", action="Mount it")

    monkeypatch.setattr("workers.ingest.steps.open_source", gone)
    work_chunk(place, key, job.key)
    assert now(place, job).status == "done"
    assert [problem.reason for problem in now(place, job).tally.errors] == ["The folder is gone"] * 2
