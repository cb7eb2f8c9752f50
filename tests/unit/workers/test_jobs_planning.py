"""Planning: every listed file is counted once, however often the planning is begun."""

from collections.abc import Callable

import pytest

from indexer.errors import Unavailable
from tests.unit.workers.jobs_workplace import (
    TEAM,
    ListedBroker,
    Shelf,
    asked,
    counts,
    do_all,
    do_chunks,
    documents,
    notes,
    now,
    work_chunk,
)
from workers.context import WorkerContext
from workers.ingest.steps import run_job
from workers.jobs.render import render_status
from workers.sources.interface import Entry, FailedFile
from workers.sources.skipped import NO_READER, SkippedFile, SkippedFiles

Put = Callable[[Shelf], Shelf]


def test_all_files_are_indexed_and_the_job_is_done(context: WorkerContext, broker: ListedBroker, put: Put) -> None:
    put(Shelf(notes(3)))
    job = do_all(context, broker, asked(context))
    assert job.status == "done"
    assert counts(job) == (3, 3, 0, 0, 0)
    assert len(documents(context)) == 3


def test_an_unchanged_run_writes_no_document_and_makes_no_chunk(
    context: WorkerContext, broker: ListedBroker, put: Put
) -> None:
    put(Shelf(notes(3)))
    do_all(context, broker, asked(context))
    before = documents(context)
    again = asked(context)
    run_job(context, again.key)
    assert broker.chunks == []
    assert counts(now(context, again)) == (3, 0, 3, 0, 0)
    assert now(context, again).status == "done"
    assert documents(context) == before


def test_only_what_changed_is_read_again(context: WorkerContext, broker: ListedBroker, put: Put) -> None:
    shelf = put(Shelf(notes(3)))
    do_all(context, broker, asked(context))
    shelf.files["notes/00001.md"] = "# Note one\n\nAnother body"
    assert counts(do_all(context, broker, asked(context))) == (3, 1, 2, 0, 0)


def test_files_refused_at_listing_or_reading_are_failures_with_their_reasons(
    context: WorkerContext, broker: ListedBroker, put: Put
) -> None:
    shelf = put(Shelf({**notes(1), "notes/broken.pdf": "no pdf"}))
    shelf.refused = [FailedFile("notes/out", "is a link that leads out")]
    job = do_all(context, broker, asked(context))
    assert job.status == "done"
    assert counts(job) == (3, 1, 0, 0, 2)
    assert {problem.path for problem in job.tally.errors} == {"notes/out", "notes/broken.pdf"}


def test_skipped_files_are_counted_with_their_reasons_and_kinds(
    context: WorkerContext, broker: ListedBroker, put: Put
) -> None:
    shelf = put(Shelf(notes(1)))
    left_out = SkippedFile("notes/build/", "left out by .gitignore: build/")
    drawing = SkippedFile("notes/a.dwg", NO_READER, ".dwg")
    shelf.refused = [left_out, drawing, SkippedFiles(5, (drawing,), {".dwg": 3, ".png": 1})]
    status = render_status(do_all(context, broker, asked(context)))
    assert status["counts"] == {"found": 8, "indexed": 1, "unchanged": 0, "removed": 0, "failed": 0, "skipped": 7}
    assert status["skipped"] == [
        {"path": "notes/build/", "reason": "left out by .gitignore: build/"},
        {"path": "notes/a.dwg", "reason": "no reader for this kind"},
        {"path": "notes/a.dwg", "reason": "no reader for this kind"},
    ]
    assert status["skipped_kinds"] == [
        {"kind": ".dwg", "count": 4, "reason": "no reader for this kind"},
        {"kind": ".png", "count": 1, "reason": "no reader for this kind"},
    ]
    assert status["warning"] is None


def test_what_proves_unreadable_only_when_it_is_fetched_is_skipped_too(
    context: WorkerContext, broker: ListedBroker, put: Put
) -> None:
    shelf = put(Shelf(notes(3), remote=True))
    shelf.skipped_at_reading = {"notes/00001.md": "image/png"}
    status = render_status(do_all(context, broker, asked(context)))
    assert status["counts"] == {"found": 3, "indexed": 2, "unchanged": 0, "removed": 0, "failed": 0, "skipped": 1}
    assert status["skipped_kinds"] == [{"kind": "image/png", "count": 1, "reason": "no reader for this kind"}]


def test_a_job_that_adds_nothing_warns(context: WorkerContext, broker: ListedBroker, put: Put) -> None:
    shelf = put(Shelf({}))
    assert render_status(do_all(context, broker, asked(context)))["warning"] == (
        "Nothing was indexed: no files were found"
    )
    shelf.files = {"notes/broken.pdf": "no pdf"}
    shelf.refused = [SkippedFile("notes/a.dwg", NO_READER, ".dwg"), SkippedFile("notes/b.dwg", NO_READER, ".dwg")]
    job = asked(context)
    assert render_status(job)["warning"] is None, "it has not finished"
    assert render_status(do_all(context, broker, job))["warning"] == "Nothing was indexed: 1 failed and 2 skipped"


def test_chunks_hold_at_most_five_hundred_files_and_are_queued_while_the_listing_goes_on(
    context: WorkerContext, broker: ListedBroker, put: Put
) -> None:
    shelf = put(Shelf(notes(2_100)))
    queued: list[int] = []
    shelf.before_listing = lambda _number: queued.append(len(broker.chunks))
    job = asked(context)
    run_job(context, job.key)
    sizes = [len(found.value.entries) for found in context.jobs.files.list(f"{job.key}/")]
    assert sizes == [500, 500, 500, 500, 100]
    assert queued[-1] >= 2


def test_a_planning_that_died_is_begun_anew_and_counts_every_file_once(
    context: WorkerContext, broker: ListedBroker, put: Put
) -> None:
    shelf = put(Shelf(notes(2_100)))
    shelf.refused = [FailedFile("notes/shut", "may not be read"), SkippedFiles(900, (), {".dwg": 900})]

    def die(number: int) -> None:
        if number == 2_050:
            raise KeyboardInterrupt

    shelf.before_listing = die
    job = asked(context)
    with pytest.raises(KeyboardInterrupt):
        run_job(context, job.key)
    begun = list(broker.chunks)
    assert len(begun) >= 2
    # One chunk of the dead planning is done before the next one, another is still queued afterwards.
    work_chunk(context, begun[0][1], begun[0][0])
    assert now(context, job).tally.indexed == 500
    broker.chunks.clear()
    shelf.before_listing = lambda _: None
    run_job(context, job.key)
    work_chunk(context, begun[1][1], begun[1][0])
    do_chunks(context, broker)
    assert now(context, job).status == "done"
    assert counts(now(context, job)) == (3_001, 2_100, 0, 0, 1)
    assert now(context, job).tally.skipped == SkippedFiles(900, (), {".dwg": 900})


def test_a_source_that_cannot_be_listed_fails_the_job_with_its_reason(
    context: WorkerContext, broker: ListedBroker, put: Put
) -> None:
    shelf = put(Shelf(notes(3)))

    def vanish(_number: int) -> None:
        raise Unavailable("The folder is gone", action="Mount it")

    shelf.before_listing = vanish
    job = do_all(context, broker, asked(context))
    assert job.status == "failed"
    assert [(problem.path, problem.reason) for problem in job.tally.errors] == [("notes", "The folder is gone")]


def test_an_engine_that_does_not_answer_makes_the_job_wait_without_counting_an_attempt(
    context: WorkerContext, broker: ListedBroker, put: Put, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(Shelf(notes(3)))
    job = asked(context)

    async def down(*_: object) -> set[str]:
        raise Unavailable("OpenSearch does not answer", action="Wait")

    with monkeypatch.context() as patched:
        patched.setattr("workers.ingest.compare.find_unchanged", down)
        for _ in range(5):
            run_job(context, job.key)
    assert now(context, job).attempts == 0
    assert now(context, job).status == "running"
    assert counts(do_all(context, broker, job)) == (3, 3, 0, 0, 0)


def test_a_planning_that_dies_each_time_is_given_up_after_three_attempts(
    context: WorkerContext, broker: ListedBroker, put: Put
) -> None:
    shelf = put(Shelf(notes(3)))

    def fail(_number: int) -> None:
        raise RuntimeError

    shelf.before_listing = fail
    job = asked(context)
    for _ in range(3):
        with pytest.raises(RuntimeError):
            run_job(context, job.key)
    run_job(context, job.key)
    assert now(context, job).status == "failed"
    assert now(context, job).tally.errors[0].reason == "gave up after 3 attempts"
    assert broker.chunks == []


def test_a_job_that_is_cancelled_while_it_is_planned_stops(
    context: WorkerContext, broker: ListedBroker, put: Put
) -> None:
    shelf = put(Shelf(notes(2_000)))
    job = asked(context)

    def cancel(number: int) -> None:
        if number == 700:
            context.jobs.cancel(TEAM, job.id)

    shelf.before_listing = cancel
    run_job(context, job.key)
    assert now(context, job).status == "cancelled"
    assert now(context, job).tally.found < 2_000
    do_chunks(context, broker)
    assert now(context, job).status == "cancelled"
    assert documents(context) == {}


def test_what_comes_over_a_network_is_read_once_and_still_compared(
    context: WorkerContext, broker: ListedBroker, put: Put
) -> None:
    shelf = put(Shelf(notes(120), remote=True))
    assert counts(do_all(context, broker, asked(context))) == (120, 120, 0, 0, 0)
    assert shelf.reads == 120
    before = documents(context)
    assert counts(do_all(context, broker, asked(context))) == (120, 0, 120, 0, 0)
    assert documents(context) == before


def test_a_retry_looks_again_at_what_failed_and_keeps_what_was_counted(
    context: WorkerContext, broker: ListedBroker, put: Put
) -> None:
    shelf = put(Shelf(notes(2)))
    do_all(context, broker, asked(context))
    shelf.files.update(notes(3, start=10))
    shelf.files["notes/broken.pdf"] = "no pdf"
    shelf.refused = [FailedFile("notes/closed", "may not be read")]
    job = do_all(context, broker, asked(context))
    assert counts(job) == (7, 3, 2, 0, 2)
    shelf.files["notes/broken.pdf"] = "<!doctype html><html><body><p>It is a page</p></body></html>"
    shelf.refused = []
    context.jobs.reopen(TEAM, job.id)
    assert counts(do_all(context, broker, job)) == (6, 4, 2, 0, 0)


def test_a_mirror_removes_what_its_source_no_longer_has(context: WorkerContext, broker: ListedBroker, put: Put) -> None:
    shelf = put(Shelf(notes(4)))
    do_all(context, broker, asked(context))
    del shelf.files["notes/00002.md"]
    assert counts(do_all(context, broker, asked(context))) == (3, 0, 3, 0, 0)
    assert len(documents(context)) == 4
    mirrored = asked(context, source={"type": "folder", "path": "/notes", "mirror": True})
    assert counts(do_all(context, broker, mirrored)) == (3, 0, 3, 1, 0)
    assert len(documents(context)) == 3


def test_a_mirror_whose_source_has_gone_removes_nothing(context: WorkerContext, broker: ListedBroker, put: Put) -> None:
    shelf = put(Shelf(notes(2)))
    do_all(context, broker, asked(context))

    def nobody_can_tell(_path: str) -> bool:
        raise Unavailable("The folder is gone", action="Mount it")

    shelf.still_there = nobody_can_tell  # type: ignore[method-assign,assignment]
    job = do_all(context, broker, asked(context, source={"type": "folder", "path": "/notes", "mirror": True}))
    assert job.status == "failed"
    assert len(documents(context)) == 2


def test_two_files_with_one_name_are_both_counted(context: WorkerContext, broker: ListedBroker, put: Put) -> None:
    shelf = put(Shelf(notes(1)))
    listed = shelf.list

    def twice() -> object:
        yield from listed()
        yield Entry("notes/00000.md", "notes/00000.md", 1)

    shelf.list = twice  # type: ignore[method-assign,assignment]
    assert counts(do_all(context, broker, asked(context))) == (2, 2, 0, 0, 0)
