"""Trying some failed files of a job again: only these are read, and all else stays as the job told it."""

from collections.abc import Callable

import pytest

from indexer.errors import Conflict, Invalid, NotFound, Unavailable
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
)
from workers.context import WorkerContext
from workers.ingest.steps import run_job
from workers.jobs.records import Job, Problem
from workers.jobs.render import render_status
from workers.sources.interface import Entry, FailedFile
from workers.sources.skipped import SkippedFile, SkippedFiles

Put = Callable[[Shelf], Shelf]
MIRROR = {"type": "folder", "path": "/notes", "mirror": True}
BROKEN, WORSE = "notes/broken.pdf", "notes/worse.pdf"


@pytest.fixture
def shelf(put: Put) -> Shelf:
    """Two notes that can be read, and two files that cannot."""
    return put(Shelf({**notes(2), BROKEN: "no pdf", WORSE: "no pdf"}))


def failing(context: WorkerContext, broker: ListedBroker, **fields: object) -> Job:
    job = do_all(context, broker, asked(context, **fields))
    assert counts(job) == (4, 2, 0, 0, 2)
    return job


def paths(job: Job) -> list[str]:
    return [problem.path for problem in job.tally.errors]


def retried(context: WorkerContext, broker: ListedBroker, job: Job, *wanted: str) -> Job:
    context.jobs.reopen(TEAM, job.id, wanted)
    return do_all(context, broker, job)


def test_only_the_named_file_is_read_again_and_the_other_failure_stays_listed(
    context: WorkerContext, broker: ListedBroker, shelf: Shelf
) -> None:
    job = failing(context, broker)
    shelf.files |= {BROKEN: "%PDF", "notes/00000.md": "changed meanwhile", "notes/new.md": "# New"}
    read: list[str] = []
    shelf.before_reading = lambda entry: read.append(entry.path)
    again = context.jobs.reopen(TEAM, job.id, [BROKEN])
    assert (again.status, paths(again)) == ("queued", [WORSE])
    assert render_status(again)["progress"] == 0.0
    shelf.files[BROKEN] = "no pdf yet"
    done = do_all(context, broker, job)
    assert set(read) == {BROKEN}
    assert (done.status, counts(done)) == ("done", (4, 2, 0, 0, 2))
    assert paths(done) == [WORSE, BROKEN]


def test_a_file_that_was_repaired_is_indexed_and_counts_as_failed_no_more(
    context: WorkerContext, broker: ListedBroker, shelf: Shelf
) -> None:
    shelf.files = {**notes(2), WORSE: "no pdf"}
    shelf.refused = [FailedFile("notes/a.md", "may not be read by this service")]
    job = failing(context, broker)
    assert set(paths(job)) == {"notes/a.md", WORSE}
    shelf.refused = []
    shelf.files["notes/a.md"] = "# Repaired"
    done = retried(context, broker, job, "notes/a.md")
    assert counts(done) == (4, 3, 0, 0, 1)
    assert paths(done) == [WORSE]
    assert len(documents(context)) == 3


def test_a_path_that_did_not_fail_is_refused_with_the_closest(
    context: WorkerContext, broker: ListedBroker, shelf: Shelf
) -> None:
    job = failing(context, broker)
    for wrong in (["notes/brokn.pdf"], [WORSE, "notes/brokn.pdf"]):
        with pytest.raises(Invalid) as raised:
            context.jobs.reopen(TEAM, job.id, wrong)
        assert raised.value.details["closest"][0] == BROKEN
        assert "brokn" not in raised.value.message
    assert now(context, job) == job
    shelf.files = notes(2)
    with pytest.raises(Invalid, match="No file of the job failed"):
        context.jobs.reopen(TEAM, do_all(context, broker, asked(context)).id, ["notes/00000.md"])


def test_a_job_that_did_not_reach_its_end_is_only_done_again_as_a_whole(
    context: WorkerContext, broker: ListedBroker, shelf: Shelf
) -> None:
    job = failing(context, broker)
    context.jobs.reopen(TEAM, job.id, [BROKEN])
    context.jobs.cancel(TEAM, job.id)
    with pytest.raises(Conflict, match="did not reach its end"):
        context.jobs.reopen(TEAM, job.id, [WORSE])
    context.jobs.reopen(TEAM, job.id)
    del shelf.files[WORSE]
    whole = do_all(context, broker, job)
    assert (counts(whole), whole.retry) == ((3, 2, 0, 0, 1), None)


def test_a_retry_whose_worker_dies_begins_anew_with_the_same_counts(
    context: WorkerContext, broker: ListedBroker, shelf: Shelf
) -> None:
    job = failing(context, broker)
    context.jobs.reopen(TEAM, job.id, [BROKEN])
    deaths = iter(range(2))

    def die(_entry: Entry) -> None:
        if next(deaths, None) is not None:
            raise RuntimeError

    shelf.before_reading = die
    for _ in range(2):
        with pytest.raises(RuntimeError):
            run_job(context, job.key)
        assert now(context, job).tally.found == 3
    done = do_all(context, broker, job)
    assert (done.status, counts(done), paths(done)) == ("done", (4, 2, 0, 0, 2), [WORSE, BROKEN])


def test_a_retry_that_cannot_be_planned_leaves_its_files_failed_with_the_reason(
    context: WorkerContext, broker: ListedBroker, shelf: Shelf
) -> None:
    job = failing(context, broker)

    def gone(_number: int) -> None:
        raise NotFound("The folder cannot be opened", action="See that it exists")

    shelf.before_listing = gone
    done = retried(context, broker, job, BROKEN)
    assert (done.status, counts(done)) == ("done", (4, 2, 0, 0, 2))
    assert done.tally.errors[-1] == Problem(BROKEN, "The folder cannot be opened")
    assert paths(retried(context, broker, done, WORSE)) == [BROKEN, WORSE]

    def killed(_number: int) -> None:
        raise RuntimeError

    shelf.before_listing = killed
    context.jobs.reopen(TEAM, job.id, [BROKEN, WORSE])
    for _ in range(3):
        with pytest.raises(RuntimeError):
            run_job(context, job.key)
    run_job(context, job.key)
    done = now(context, job)
    assert (done.status, counts(done)) == ("done", (4, 2, 0, 0, 2))
    assert {problem.reason for problem in done.tally.errors} == {"gave up after 3 attempts"}


def test_what_a_failed_retry_had_begun_counts_nowhere(
    context: WorkerContext, broker: ListedBroker, shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workers.ingest.plan._BATCH_SIZE", 1)
    monkeypatch.setattr("workers.ingest.plan._MAX_CHUNK_ENTRIES", 1)
    shelf.files = notes(2)
    shelf.refused = [FailedFile("notes/in", "is a folder that cannot be opened"), FailedFile(WORSE, "is empty")]
    job = failing(context, broker)
    shelf.files = {**notes(2), **{f"notes/in/{number}.md": "# In" for number in range(5)}}
    shelf.refused = []

    def gone(number: int) -> None:
        if number == 6:
            raise NotFound("The folder cannot be opened", action="See that it exists")

    shelf.before_listing = gone
    context.jobs.reopen(TEAM, job.id, ["notes/in"])
    run_job(context, job.key)
    assert broker.chunks
    do_chunks(context, broker)
    assert counts(now(context, job)) == (4, 2, 0, 0, 2)
    shelf.before_listing = lambda _: None
    assert counts(retried(context, broker, job, "notes/in")) == (8, 7, 0, 0, 1)


def test_a_retry_waits_for_an_engine_that_is_down(context: WorkerContext, broker: ListedBroker, shelf: Shelf) -> None:
    job = failing(context, broker)
    context.jobs.reopen(TEAM, job.id, [BROKEN])

    def down(_entry: Entry) -> None:
        raise Unavailable("The engine does not answer", action="Wait")

    shelf.before_reading = down
    for _ in range(5):
        run_job(context, job.key)
    assert now(context, job).status == "running"
    shelf.before_reading = lambda _: None
    assert counts(do_all(context, broker, job)) == (4, 2, 0, 0, 2)


def test_a_folder_that_could_not_be_entered_stands_for_what_is_in_it_now(
    context: WorkerContext, broker: ListedBroker, shelf: Shelf
) -> None:
    shelf.files = notes(2)
    shelf.refused = [FailedFile("notes/in", "is a folder that cannot be opened"), FailedFile(WORSE, "is empty")]
    job = failing(context, broker)
    shelf.refused = []
    shelf.files |= {"notes/in/a.md": "# A", "notes/in/deep/b.md": "# B", "notes/inner.md": "# C"}
    done = retried(context, broker, job, "notes/in")
    assert counts(done) == (5, 4, 0, 0, 1)
    assert "notes/inner.md" not in {document.text for document in documents(context).values()}


def test_addresses_below_one_that_failed_are_none_of_its_files(
    context: WorkerContext, broker: ListedBroker, shelf: Shelf
) -> None:
    shelf.remote = True
    shelf.files = notes(2)
    shelf.refused = [FailedFile("notes", "was answered with status 500"), FailedFile(WORSE, "is empty")]
    job = failing(context, broker)
    shelf.refused = [FailedFile("notes", "was answered with status 404")]
    done = retried(context, broker, job, "notes")
    assert counts(done) == (4, 2, 0, 0, 2)
    assert done.tally.errors[-1] == Problem("notes", "was answered with status 404")


def test_what_is_gone_stays_failed_and_what_is_left_out_by_now_is_skipped(
    context: WorkerContext, broker: ListedBroker, shelf: Shelf
) -> None:
    job = failing(context, broker)
    shelf.files = notes(2)
    shelf.refused = [SkippedFile(WORSE, "left out by .gitignore: *.pdf"), SkippedFiles(7)]
    done = retried(context, broker, job, BROKEN, WORSE)
    assert done.tally.errors == (Problem(BROKEN, "is not there any more"),)
    assert (counts(done), done.tally.skipped.count) == ((4, 2, 0, 0, 1), 1)


def test_of_two_files_with_one_path_the_one_that_fails_is_tried_again(
    context: WorkerContext, broker: ListedBroker, shelf: Shelf
) -> None:
    shelf.files = notes(2)
    namesake = FailedFile("notes/00001.md", "has the same name as another file, but for its Unicode form")
    shelf.refused = [namesake, FailedFile(WORSE, "is empty")]
    job = failing(context, broker)
    assert counts(retried(context, broker, job, "notes/00001.md")) == (4, 2, 0, 0, 2)
    shelf.refused = []
    assert counts(retried(context, broker, job, "notes/00001.md")) == (4, 3, 0, 0, 1)


def test_a_mirror_deletes_nothing_when_single_files_are_tried_again(
    context: WorkerContext, broker: ListedBroker, shelf: Shelf
) -> None:
    job = failing(context, broker, source=MIRROR)
    del shelf.files["notes/00000.md"]
    assert counts(retried(context, broker, job, BROKEN)) == (4, 2, 0, 0, 2)
    assert len(documents(context)) == 2
    context.jobs.reopen(TEAM, job.id)
    assert counts(do_all(context, broker, job)) == (3, 1, 0, 1, 2)
