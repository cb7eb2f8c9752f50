"""The end of a chunk goes on while the next one is parsed, and is not lost when the worker ends."""

from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Event

import pytest

from indexer.archives.incoming import IncomingDocument
from indexer.archives.ingest import write_incoming
from indexer.engines.port import Written
from indexer.library import Library
from indexer.tenancy import TeamId
from tests.unit.workers.jobs_workplace import (
    ListedBroker,
    Shelf,
    counts,
    documents,
    notes,
    now,
    planned,
    planned_chunks,
    workplace,
)
from workers.context import WorkerContext
from workers.ingest.chunks import parse_chunk

Put = Callable[[Shelf], Shelf]


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> Event:
    """Let no write begin before it is opened."""
    opened = Event()

    def write(library: Library, team: TeamId, arrivals: Sequence[IncomingDocument], revision: int) -> list[Written]:
        assert opened.wait(60)
        return write_incoming(library, team, arrivals, revision)

    monkeypatch.setattr("workers.ingest.chunk_writer.write_incoming", write)
    return opened


def test_the_next_chunk_is_parsed_while_the_last_one_is_still_being_written(
    context: WorkerContext, broker: ListedBroker, put: Put, gate: Event
) -> None:
    put(Shelf(notes(70), remote=True))
    job, keys = planned_chunks(context, broker)
    assert len(keys) == 2
    for key in keys:
        begun = parse_chunk(context, key, job.key)
        assert begun is not None
        assert documents(context) == {}
        if key == keys[-1]:
            gate.set()
        context.finish_in_background(begun.finish)
    context.finish_in_background(lambda: None)
    assert now(context, job).status == "done"
    assert counts(now(context, job)) == (70, 70, 0, 0, 0)


def test_a_chunk_whose_end_is_under_way_is_not_taken_again(
    context: WorkerContext, other: WorkerContext, broker: ListedBroker, put: Put, gate: Event
) -> None:
    put(Shelf(notes(2)))
    job, key = planned(context, broker)
    begun = parse_chunk(context, key, job.key)
    assert begun is not None
    assert parse_chunk(other, key, job.key) is None
    gate.set()
    begun.finish()
    assert counts(now(context, job)) == (2, 2, 0, 0, 0)


def test_a_worker_that_ends_finishes_what_it_has_parsed(
    context: WorkerContext, broker: ListedBroker, put: Put, gate: Event, tmp_path: Path
) -> None:
    put(Shelf(notes(2)))
    job, key = planned(context, broker)
    other, _ = workplace(tmp_path)
    begun = parse_chunk(other, key, job.key)
    assert begun is not None
    other.finish_in_background(begun.finish)
    gate.set()
    other.close()
    assert now(context, job).status == "done"
    assert len(documents(context)) == 2


def test_an_end_that_fails_is_logged_and_holds_up_nothing(
    context: WorkerContext, caplog: pytest.LogCaptureFixture
) -> None:
    def fail() -> None:
        raise LookupError

    done = Event()
    context.finish_in_background(fail)
    context.finish_in_background(done.set)
    assert done.wait(60)
    assert [record.message for record in caplog.records] == ["The end of a task failed"]
