"""Ingestion within the quota of a team: files beyond it fail with a reason, and the job goes on."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from indexer.settings import IndexerSettings
from tests.unit.workers.jobs_workplace import ListedBroker, Shelf, asked, counts, do_all, documents, notes
from workers.context import WorkerContext
from workers.parsers.child.parser import Parser
from workers.settings import WorkerSettings

Put = Callable[[Shelf], Shelf]


@pytest.fixture
def limited(tmp_path: Path, parser: Parser) -> Iterator[Callable[..., tuple[WorkerContext, ListedBroker]]]:
    """Open a worker's context with limits."""
    opened: list[WorkerContext] = []

    def open_context(**limits: int) -> tuple[WorkerContext, ListedBroker]:
        settings = WorkerSettings(worker_lease_seconds=1_000)
        broker = ListedBroker(settings)
        context = WorkerContext(settings, IndexerSettings(engine="tantivy", data_dir=tmp_path, **limits), broker)
        context.__dict__["parser"] = parser
        opened.append(context)
        return context, broker

    yield open_context
    for context in opened:
        del context.__dict__["parser"]
        context.close()


Limited = Callable[..., tuple[WorkerContext, ListedBroker]]


def test_files_beyond_the_quota_fail_with_a_reason_and_the_job_goes_on(limited: Limited, put: Put) -> None:
    context, broker = limited(max_documents=300)
    put(Shelf(notes(700)))
    job = do_all(context, broker, asked(context))
    assert job.status == "done"
    assert counts(job) == (700, 300, 0, 0, 400)
    assert {problem.reason for problem in job.tally.errors} == {"is beyond the team's limit of 300 documents"}
    assert len(documents(context)) == 300


def test_a_full_team_may_ingest_changed_files_again(limited: Limited, put: Put) -> None:
    context, broker = limited(max_documents=3)
    shelf = put(Shelf(notes(3)))
    assert counts(do_all(context, broker, asked(context))) == (3, 3, 0, 0, 0)
    shelf.files = {path: text + " changed" for path, text in shelf.files.items()} | notes(1, start=3)
    assert counts(do_all(context, broker, asked(context))) == (4, 3, 0, 0, 1)


def test_a_retry_ingests_what_did_not_fit_when_there_is_room(limited: Limited, put: Put) -> None:
    context, broker = limited(max_documents=2)
    put(Shelf(notes(3)))
    job = do_all(context, broker, asked(context))
    assert counts(job) == (3, 2, 0, 0, 1)
    roomier, broker = limited(max_documents=3)
    roomier.jobs.reopen(job.team, job.id)
    assert counts(do_all(roomier, broker, job)) == (3, 3, 0, 0, 0)


def test_files_beyond_the_quota_of_bytes_fail_too(limited: Limited, put: Put) -> None:
    context, broker = limited(max_bytes=100_000)
    put(Shelf(notes(2) | {"notes/long.md": "# Long\n\n" + "reef " * 40_000}))
    job = do_all(context, broker, asked(context))
    assert counts(job) == (3, 2, 0, 0, 1)
    assert [(problem.path, problem.reason) for problem in job.tally.errors] == [
        ("notes/long.md", "is beyond the team's limit of 100,000 bytes")
    ]
