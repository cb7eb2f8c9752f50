"""Which calls are counted as searches, what is kept of them, and what happens while nothing can be stored."""

import logging
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from indexer.bootstrap import open_library
from indexer.connections.connections import Connections
from indexer.engines.tantivy.records import SqliteRecords
from indexer.errors import PlatformError, Unavailable
from indexer.settings import IndexerSettings
from indexer.tenancy import Principal, TeamId
from mcp_server.admission import Admission
from mcp_server.features.archives.operations import SEARCH as SEARCH_ARCHIVE
from mcp_server.features.everywhere.operations import SEARCH as SEARCH_EVERYWHERE
from mcp_server.features.local.operations import DESCRIBE, SEARCH
from mcp_server.features.simple.operations import SEARCH as SEARCH_DOCUMENTS
from mcp_server.features.usage.searches import COUNTED
from mcp_server.operation import Operation
from mcp_server.run import run
from mcp_server.search_counts import counter
from mcp_server.search_counts.counter import SearchCounter
from mcp_server.search_counts.counts import SearchCounts
from mcp_server.search_counts.search_records import SearchRecords
from mcp_server.search_counts.settings import SEARCHES
from mcp_server.services import Services
from tests.contract.caller import Caller
from tests.made_services import KEY, MAIN, made_searches, with_jobs
from tests.service import wait_until

EVER = float("inf")
DOWN = Unavailable("The disk is full", action="Free some space")


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Callable[..., SearchCounter]]:
    """Open a counter with these connections."""
    made: list[SearchCounter] = []
    records = SqliteRecords(tmp_path / "records.sqlite3")

    def opened(text: str = "", **options: Any) -> SearchCounter:
        path = tmp_path / "connections.toml"
        path.write_text(text)
        made.append(SearchCounter(SearchRecords(records, (KEY,)), Connections(path, [SEARCHES]), COUNTED, **options))
        return made[-1]

    yield opened
    for each in made:
        each.close()
    records.close()


@pytest.fixture
async def services(tmp_path: Path) -> Any:
    library = open_library(IndexerSettings(engine="tantivy", data_dir=tmp_path))
    made = with_jobs(library)
    await Caller(library, MAIN).fill({f"d{number}": "A coral reef" for number in range(3)})
    yield replace(made, admission=Admission(observer=made.searches))
    made.searches.close()
    await library.aclose()


async def ask(
    services: Services, query: str, operation: Operation[Any, Any] = SEARCH, principal: Principal = MAIN, **more: Any
) -> Any:
    return await run(operation, services, principal, {"query": query, **more})


def total(searches: SearchCounter, team: str = "main") -> tuple[int, int]:
    """Return the searches of a team, and those without results."""
    searches.flush(now=EVER)
    days = searches.records.read(TeamId(team)).days.values()
    return sum(day.searches for day in days), sum(day.without_results for day in days)


def missed(searches: SearchCounter, team: str = "main") -> dict[str, int]:
    searches.flush(now=EVER)
    return {text: count.searches for text, count in searches.records.read(TeamId(team)).missed.items()}


def note(searches: SearchCounter, text: str, *, team: str = "main", found: bool = False, at: float = 0.0) -> None:
    """Let the counter know of a search, as the admission does."""
    principal = Principal(TeamId(team), "ada", credential=f"t_{team}")
    call = counter.Call(SEARCH, principal, at or 1_800_000_000.0)
    searches.observe(call, SEARCH.arguments(query=text), {"results": [{}] if found else []})


async def test_each_way_to_search_is_counted_and_nothing_else(services: Services) -> None:
    await ask(services, "coral")
    await ask(services, "mangrove")
    await ask(services, "kelp", SEARCH_ARCHIVE)
    await ask(services, "reef", SEARCH_EVERYWHERE)
    await ask(services, "seagrass", SEARCH_DOCUMENTS)
    await run(DESCRIBE, services, MAIN, {})
    assert total(services.searches) == (5, 3)


async def test_blank_searches_further_pages_and_failures_are_not_counted(services: Services) -> None:
    page = await ask(services, "coral", k=1)
    await ask(services, "coral", k=1, cursor=page["next_cursor"])
    await ask(services, "polyps", SEARCH_EVERYWHERE, sources=["indices"], page=2)
    await ask(services, "")
    await ask(services, " \t" * 300)
    with pytest.raises(PlatformError):
        await ask(services, "kelp", index_name="none")
    assert total(services.searches) == (1, 0)


async def test_what_a_search_asks_of_the_sources_is_part_of_it(services: Services) -> None:
    async with services.admission.call(DESCRIBE, MAIN):
        await ask(services, "coral")
    assert total(services.searches) == (0, 0)
    await ask(services, "coral", SEARCH_EVERYWHERE, sources=["archive", "indices"])
    assert total(services.searches) == (1, 0)


async def test_without_connections_only_numbers_are_kept(services: Services) -> None:
    await ask(services, "mangrove")
    assert total(services.searches) == (1, 1)
    assert missed(services.searches) == {}


def test_words_are_kept_where_a_team_wants_that_and_of_misses_alone(opened: Callable[..., SearchCounter]) -> None:
    searches = opened("[teams.geo.searches]\nkeep_words = true\n[teams.bio.searches]\n")
    for team in ("geo", "bio", "main"):
        note(searches, "Side  Scan\nSONAR", team=team)
        note(searches, "coral", team=team, found=True)
    assert missed(searches, "geo") == {"side scan sonar": 1}
    assert [missed(searches, team) for team in ("bio", "main")] == [{}, {}]
    assert total(searches, "bio") == (2, 1)


def test_all_teams_may_keep_words_by_default_and_one_may_not(opened: Callable[..., SearchCounter]) -> None:
    searches = opened("[default.searches]\nkeep_words = true\n[teams.bio.searches]\nkeep_words = false\n")
    for team in ("geo", "bio"):
        note(searches, "sonar", team=team)
    assert (missed(searches, "geo"), missed(searches, "bio")) == ({"sonar": 1}, {})


def test_long_and_broken_text_is_made_fit(opened: Callable[..., SearchCounter]) -> None:
    searches = opened("[default.searches]\nkeep_words = true\n")
    note(searches, "x" * 10_000)
    note(searches, "half \ud800")
    assert missed(searches) == {"x" * 200: 1, "half ?": 1}


def test_counts_are_stored_in_the_background(opened: Callable[..., SearchCounter]) -> None:
    searches = opened(interval=0.01)
    note(searches, "sonar", at=time.time() - 60)
    wait_until(lambda: searches.records.read(TeamId("main")).days, "the search is stored")


def test_what_cannot_be_stored_is_stored_later_and_the_log_says_nothing_of_words(
    opened: Callable[..., SearchCounter], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    searches = opened("[default.searches]\nkeep_words = true\n")
    with monkeypatch.context() as patched, caplog.at_level(logging.DEBUG):
        patched.setattr(searches.records, "add", _refuse)
        for _ in range(3):
            note(searches, "sonar")
            searches.flush(now=EVER)
    assert total(searches) == (3, 3)
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    assert "sonar" not in caplog.text


def _refuse(*_: Any, **__: Any) -> None:
    raise DOWN


def test_a_process_that_ends_stores_what_it_holds(opened: Callable[..., SearchCounter]) -> None:
    searches = opened()
    note(searches, "sonar", found=True)
    searches.close()
    assert total(searches) == (1, 0)
    assert "search counts" not in [thread.name for thread in threading.enumerate()]


async def test_nothing_is_stored_or_started_before_the_first_search(services: Services) -> None:
    services.searches.flush(now=EVER)
    assert services.searches.records.read(TeamId("main")) == SearchCounts()
    assert made_searches(services.library.engine.records)._thread is None
