"""A re-index as a job: cancelled, overtaken by another worker, or failing again and again."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from indexer.errors import Unavailable
from indexer.local.arguments import AddDocument
from indexer.local.documents import add_document
from indexer.reindex.rebuild import rebuild
from indexer.tenancy import DEFAULT_INDEX, Principal
from tests.unit.workers.jobs_workplace import TEAM, asked, now
from workers.context import WorkerContext
from workers.housekeeping import clean_up
from workers.ingest.steps import run_job
from workers.jobs.lease import Lease
from workers.jobs.records import Job


@pytest.fixture
def job(context: WorkerContext) -> Job:
    principal = Principal(TEAM, "anonymous")
    asyncio.run(add_document(context.library, principal, AddDocument(doc_id="one", content="a red boat")))
    return asked(context, kind="reindex", source=None, index=DEFAULT_INDEX)


def before_rebuild(monkeypatch: pytest.MonkeyPatch, step: Callable[[], object]) -> None:
    """Let something happen after the job was begun and before the indexer goes to work."""

    def stepped(*arguments: Any, **options: Any) -> Any:
        step()
        return rebuild(*arguments, **options)

    monkeypatch.setattr("workers.reindex.rebuild", stepped)


def test_a_rebuilt_index_has_a_new_generation_and_the_job_tells_how_many_documents_it_has(
    context: WorkerContext, job: Job
) -> None:
    before = context.library.registry.get(TEAM, DEFAULT_INDEX).serving
    run_job(context, job.key)
    assert now(context, job).status == "done"
    assert (now(context, job).tally.found, now(context, job).tally.indexed) == (1, 1)
    assert context.library.registry.get(TEAM, DEFAULT_INDEX).serving != before


def test_a_cancelled_rebuild_leaves_the_index_as_it_was(
    context: WorkerContext, job: Job, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = context.library.registry.get(TEAM, DEFAULT_INDEX)
    before_rebuild(monkeypatch, lambda: context.jobs.cancel(TEAM, job.id))
    run_job(context, job.key)
    assert now(context, job).status == "cancelled"
    after = context.library.registry.get(TEAM, DEFAULT_INDEX)
    assert (after.serving, after.shadow) == (before.serving, None)


def test_a_worker_that_was_overtaken_leaves_the_build_to_the_other_one(
    context: WorkerContext, job: Job, monkeypatch: pytest.MonkeyPatch
) -> None:
    def overtake() -> None:
        context.jobs.all.change(job.key, lambda known: replace(known, lease=Lease("other", 9, 1e12)))

    with monkeypatch.context() as patched:
        before_rebuild(patched, overtake)
        run_job(context, job.key)
    building = context.library.registry.get(TEAM, DEFAULT_INDEX).shadow
    assert building is not None
    assert building.owner == job.id
    assert now(context, job).status == "running"
    context.jobs.all.change(job.key, lambda known: replace(known, lease=Lease("other", 9, 0.0)))
    run_job(context, job.key)
    assert now(context, job).status == "done"


def test_a_rebuild_that_fails_each_time_fails_the_job_with_the_last_reason(
    context: WorkerContext, job: Job, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail() -> None:
        raise Unavailable("The rebuild failed: a document could not be written", action="Look at the engine")

    before_rebuild(monkeypatch, fail)
    for _ in range(2):
        run_job(context, job.key)
        assert now(context, job).status == "running"
    run_job(context, job.key)
    assert now(context, job).status == "failed"
    (problem,) = now(context, job).tally.errors
    assert (problem.path, problem.reason) == ("default", "The rebuild failed: a document could not be written")


def test_what_a_dead_builder_left_is_removed_once_its_job_is_finished(
    context: WorkerContext, job: Job, monkeypatch: pytest.MonkeyPatch
) -> None:
    def overtake() -> None:
        context.jobs.all.change(job.key, lambda known: replace(known, lease=Lease("dead", 9, 1.0)))

    before_rebuild(monkeypatch, overtake)
    run_job(context, job.key)
    clean_up(context)
    assert context.library.registry.get(TEAM, DEFAULT_INDEX).shadow is not None
    context.jobs.cancel(TEAM, job.id)
    clean_up(context)
    assert context.library.registry.get(TEAM, DEFAULT_INDEX).shadow is None
