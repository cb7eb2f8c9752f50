"""Worker contexts that end with their test, and one parser's child for all of them."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.unit.workers.jobs_workplace import ListedBroker, Shelf, workplace
from workers.context import WorkerContext
from workers.parsers.child.parser import Parser


@pytest.fixture(scope="session")
def parser() -> Iterator[Parser]:
    with Parser() as opened:
        # Started here: a child ends with the thread that started it.
        opened.parse("first.md", b"# First")
        yield opened


@pytest.fixture
def placed(tmp_path: Path, parser: Parser) -> Iterator[tuple[WorkerContext, ListedBroker]]:
    context, broker = workplace(tmp_path)
    context.__dict__["parser"] = parser
    yield context, broker
    del context.__dict__["parser"]
    context.close()


@pytest.fixture
def other(tmp_path: Path) -> Iterator[WorkerContext]:
    """Another worker's context, with a parser of its own."""
    context, _ = workplace(tmp_path)
    yield context
    context.close()


@pytest.fixture
def context(placed: tuple[WorkerContext, ListedBroker]) -> WorkerContext:
    return placed[0]


@pytest.fixture
def broker(placed: tuple[WorkerContext, ListedBroker]) -> ListedBroker:
    return placed[1]


@pytest.fixture
def put(monkeypatch: pytest.MonkeyPatch) -> Callable[[Shelf], Shelf]:
    """Let all jobs read from this source."""

    def put_in(shelf: Shelf) -> Shelf:
        monkeypatch.setattr("workers.ingest.steps.open_source", lambda *_: shelf)
        return shelf

    return put_in
