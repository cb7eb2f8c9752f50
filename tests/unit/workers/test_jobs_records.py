"""What is recorded of jobs: counting once, showing to the own team only, stopping and beginning again."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import permutations
from pathlib import Path

import pytest

from indexer.engines.tantivy.records import SqliteRecords
from indexer.errors import Conflict, NotFound
from indexer.schema.dates import utc_now
from indexer.tenancy import IndexName, Principal, TeamId
from mcp_server.feature import advise
from mcp_server.features.all import FEATURES
from workers.jobs.jobs import Jobs
from workers.jobs.records import MAX_ERRORS, Chunk, Job, Problem, Tally, add_to_ranges, new_job_id, tally_failures
from workers.jobs.render import render_status
from workers.sources.skipped import NO_READER, SkippedFile, SkippedFiles

OURS, THEIRS = TeamId("ours"), TeamId("theirs")
ME, THEM = Principal(OURS, "me"), Principal(THEIRS, "them")


@pytest.fixture
def jobs(tmp_path: Path) -> Iterator[Jobs]:
    records = SqliteRecords(tmp_path / "records.sqlite3")
    yield Jobs(records)
    records.close()


def started(jobs: Jobs, team: TeamId = OURS, **fields: object) -> Job:
    job = replace(Job(team, new_job_id(), "ingest", utc_now(), revision=1), **fields)  # type: ignore[arg-type]
    jobs.start(job)
    return job


def finished(job: Job) -> Job:
    return job.ended("done")


def test_a_job_is_read_back_as_it_was_recorded(jobs: Jobs) -> None:
    tally = Tally(found=3, indexed=1, failed=2, errors=(Problem("a/b.pdf", "is empty"),))
    job = started(jobs, source={"type": "urls", "urls": ["http://a/"]}, counted=((0, 2),), tally=tally)
    assert jobs.get(OURS, job.id) == job


@pytest.mark.parametrize(
    ("phase", "tally", "progress"),
    [
        ("planning", Tally(), 0.0),
        ("planning", Tally(found=500, unchanged=500), 0.495),
        ("working", Tally(found=500, unchanged=200, indexed=100, failed=50), 0.7),
        ("working", Tally(found=500, unchanged=200, skipped=SkippedFiles(150)), 0.7),
        ("finishing", Tally(found=500, indexed=500), 0.99),
    ],
)
def test_progress_counts_half_while_more_may_be_found_and_reaches_one_only_at_the_end(
    jobs: Jobs, phase: str, tally: Tally, progress: float
) -> None:
    job = started(jobs, status="running", phase=phase, tally=tally)
    assert render_status(job)["progress"] == progress
    assert render_status(finished(job))["progress"] == 1.0


def test_ids_sort_by_time() -> None:
    ids = [new_job_id() for _ in range(3)]
    assert all(id_.startswith("j_") and len(id_) == 22 for id_ in ids)
    assert [id_[:14] for id_ in ids] == sorted(id_[:14] for id_ in ids)


def test_a_team_sees_only_its_own_jobs(jobs: Jobs) -> None:
    job = started(jobs)
    with pytest.raises(NotFound, match="Job not found"):
        jobs.get(THEIRS, job.id)
    with pytest.raises(NotFound):
        jobs.cancel(THEIRS, job.id)
    with pytest.raises(NotFound):
        jobs.reopen(THEIRS, job.id)
    assert jobs.newest(THEM, None, 20)["jobs"] == []


def test_an_unknown_job_points_at_the_list_of_jobs(jobs: Jobs) -> None:
    with pytest.raises(NotFound) as raised:
        jobs.get(OURS, "j_nowhere")
    advise(raised.value, FEATURES)
    assert raised.value.alternatives == {"job_list": "List this team's jobs"}


def test_jobs_are_listed_newest_first_by_state_and_up_to_the_limit(jobs: Jobs) -> None:
    made = [started(jobs, id=f"j_{number:020x}") for number in range(4)]
    jobs.all.change(made[2].key, finished)
    assert [job["job_id"] for job in jobs.newest(ME, None, 3)["jobs"]] == [made[n].id for n in (3, 2, 1)]
    assert [job["job_id"] for job in jobs.newest(ME, "done", 3)["jobs"]] == [made[2].id]


def test_a_chunk_is_counted_once_however_often_it_is_reported(jobs: Jobs) -> None:
    job = started(jobs, plan=1, phase="working", chunks=2)
    chunk = Chunk(plan=1, number=0, revision=5, status="done", result=Tally(indexed=7))
    for _ in range(3):
        counted = jobs.count_chunk(job.key, chunk)
        assert counted is not None
        assert counted.tally.indexed == 7
        assert not counted.is_ready_to_finish
    last = jobs.count_chunk(job.key, replace(chunk, number=1))
    assert last is not None
    assert last.tally.indexed == 14
    assert last.is_ready_to_finish


def test_a_chunk_of_an_older_plan_counts_nowhere(jobs: Jobs) -> None:
    job = started(jobs, plan=2, chunks=1)
    assert jobs.count_chunk(job.key, Chunk(plan=1, number=0, revision=5, result=Tally(indexed=7))) is None
    assert jobs.get(OURS, job.id).tally.indexed == 0


def test_ranges_hold_exactly_the_numbers_that_were_counted() -> None:
    for order in permutations(range(5)):
        counted: tuple[tuple[int, int], ...] = ()
        for number in order:
            more = add_to_ranges(counted, number)
            assert more is not None
            counted = more
            assert add_to_ranges(counted, number) is None
        assert counted == ((0, 4),)
    assert add_to_ranges(((0, 1), (4, 4)), 2) == ((0, 2), (4, 4))
    assert add_to_ranges(((0, 1), (4, 4)), 6) == ((0, 1), (4, 4), (6, 6))


def test_the_first_hundred_errors_are_kept_and_all_are_counted() -> None:
    problems = [Problem(f"{number}.pdf", "is empty") for number in range(MAX_ERRORS)]
    tally = tally_failures(problems) + tally_failures([Problem("late.pdf", "is empty")])
    assert tally.failed == MAX_ERRORS + 1
    assert tally.errors == tuple(problems)


def test_skipped_files_take_bounded_room_however_many_there_are() -> None:
    files = [SkippedFile(f"{number}.k{number}", NO_READER, f".k{number}") for number in range(250)]
    hidden = SkippedFile(".hidden", "hidden")
    tally = Tally(skipped=SkippedFiles.of(files)) + Tally(skipped=SkippedFiles.of([hidden, *files]))
    assert tally.skipped.count == 501
    assert tally.skipped.first == tuple(files[:100])
    assert len(tally.skipped.kinds) == 101
    assert sum(tally.skipped.kinds.values()) == 500
    assert tally.skipped.kinds["other"] == 300


def test_the_commonest_kinds_are_shown_first_and_all_others_last(jobs: Jobs) -> None:
    skipped = SkippedFiles(20, (), {".a": 1, "other": 9, ".c": 5, ".b": 5})
    shown = render_status(started(jobs, tally=Tally(found=20, skipped=skipped)))
    assert [each["kind"] for each in shown["skipped_kinds"]] == [".b", ".c", ".a", "other"]


def test_a_job_that_an_earlier_version_recorded_is_read(jobs: Jobs) -> None:
    job = started(jobs, tally=Tally(found=3, indexed=3))
    record = jobs.records.get("jobs", job.key)
    assert record is not None
    old = {**record.value, "tally": {"found": 3, "indexed": 3, "unchanged": 0, "removed": 0, "failed": 0, "errors": []}}
    jobs.records.put_if("jobs", job.key, old, record.revision)
    status = render_status(jobs.get(OURS, job.id))
    assert (status["counts"]["found"], status["counts"]["skipped"], status["skipped"]) == (3, 0, [])


def test_a_cancelled_job_stays_cancelled_and_a_done_one_cannot_be_cancelled(jobs: Jobs) -> None:
    job = started(jobs)
    first = jobs.cancel(OURS, job.id)
    assert first.status == "cancelled"
    assert jobs.cancel(OURS, job.id) == first
    done = started(jobs)
    jobs.all.change(done.key, finished)
    with pytest.raises(Conflict, match="Job is already done"):
        jobs.cancel(OURS, done.id)


def test_only_a_finished_job_is_begun_again_and_then_from_nothing(jobs: Jobs) -> None:
    job = started(jobs, plan=3, phase="working", chunks=4, counted=((0, 3),), tally=Tally(found=9, failed=1))
    with pytest.raises(Conflict, match="Job is still queued"):
        jobs.reopen(OURS, job.id)
    jobs.all.change(job.key, finished)
    again = jobs.reopen(OURS, job.id)
    assert (again.status, again.phase, again.finished_at) == ("queued", "planning", None)
    assert (again.tally, again.counted, again.chunks) == (Tally(), (), 0)
    assert again.plan == 4
    assert again.restarted


def test_whatever_is_unfinished_is_marked_for_the_sweep(jobs: Jobs) -> None:
    job = started(jobs)
    (mark,) = jobs.unfinished.list()
    assert mark.key == job.key
    jobs.all.change(job.key, finished)
    jobs.reopen(OURS, job.id)
    assert not jobs.unfinished.remove(mark), "a sweep that saw the job finished must not remove the new mark"


def test_an_index_that_is_being_rebuilt_names_its_job(jobs: Jobs) -> None:
    job = started(jobs, kind="reindex", index=IndexName("notes"))
    assert jobs.rebuilding(OURS, IndexName("notes")) == job.id
    assert jobs.rebuilding(OURS, IndexName("other")) is None
    assert jobs.rebuilding(THEIRS, IndexName("notes")) is None
    jobs.all.change(job.key, finished)
    assert jobs.rebuilding(OURS, IndexName("notes")) is None


def test_the_reason_of_a_failed_job_stands_first_among_its_errors(jobs: Jobs) -> None:
    tally = tally_failures([Problem("a.pdf", "is empty")])
    result = render_status(started(jobs, tally=tally).ended("failed", Problem("docs", "is gone")))
    assert result["errors"] == [{"path": "docs", "reason": "is gone"}, {"path": "a.pdf", "reason": "is empty"}]
    assert result["error_count"] == 2
    assert result["counts"]["failed"] == 1
