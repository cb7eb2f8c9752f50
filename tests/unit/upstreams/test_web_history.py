"""A team's history of web searches: only where it asked for it, for itself alone, and deleted when it says so."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from indexer.engines.tantivy.records import SqliteRecords
from indexer.errors import Invalid, Unavailable
from indexer.tenancy import Principal, TeamId
from mcp_server.features.web.arguments import DeleteHistory, ListHistory
from mcp_server.features.web.history import History
from mcp_server.features.web.results import WebCitation, WebResult
from mcp_server.features.web.settings import WebSettings
from mcp_server.features.web.text import history_text
from mcp_server.features.web.upstream import open_web
from mcp_server.shared import Shared
from mcp_server.upstream.upstream import Opening

SOURCE = WebCitation(url="https://a.org/", title="A", textSnippet="private", startIndex=0, endIndex=7, rank=1)
RESULT = WebResult(
    success=True, text="private", citations=[SOURCE], provider="p", respondedAt="2026-01-01T00:00:00Z", cached=False
)
DAY = 86_400.0


class Clock:
    def __init__(self) -> None:
        self.now = 1_767_225_600.0

    def __call__(self) -> float:
        self.now += 0.01
        return self.now


@pytest.fixture
def records(tmp_path: Path) -> Iterator[SqliteRecords]:
    made = SqliteRecords(tmp_path / "records.sqlite3")
    yield made
    made.close()


@pytest.fixture
def clock() -> Clock:
    return Clock()


def settings(**given: Any) -> WebSettings:
    return WebSettings(_env_file=None, **{"history": "a, b", **given})


@pytest.fixture
def history(records: SqliteRecords, clock: Clock) -> History:
    return History(settings(), records, clock)


async def queries(history: History, team: str) -> list[str]:
    return [entry["query"] for entry in await history.entries(team)]


async def test_searches_of_a_team_that_asked_are_kept_newest_first(history: History) -> None:
    await history.add("a", "coral reefs", RESULT)
    await history.add("a", "kelp forests", RESULT)
    newest, oldest = await history.entries("a")
    assert (newest["query"], oldest["query"]) == ("kelp forests", "coral reefs")
    assert newest["sources"] == [{"url": "https://a.org/", "title": "A"}]
    assert newest["asked_at"] == "2026-01-01T00:00:00Z"


async def test_searches_of_other_teams_are_not_kept(history: History, records: SqliteRecords) -> None:
    assert [history.is_enabled(team) for team in ("a", "b", "c")] == [True, True, False]
    await history.add("c", "coral reefs", RESULT)
    assert records.list("web-history") == []


async def test_nobody_asked_for_it_by_default(records: SqliteRecords) -> None:
    history = History(WebSettings(_env_file=None), records)
    await history.add("main", "coral reefs", RESULT)
    assert records.list("web-history") == []


async def test_a_team_reads_and_deletes_its_own_alone(history: History) -> None:
    await history.add("a", "coral reefs", RESULT)
    await history.add("b", "kelp forests", RESULT)
    (of_b,) = await history.entries("b")
    assert await history.delete("a", [of_b["id"], f"../b/{of_b['id']}", "", "*"]) == 0
    assert await history.delete("a", None) == 1
    assert await queries(history, "a") == []
    assert await queries(history, "b") == ["kelp forests"]
    assert await history.delete("b", [of_b["id"], of_b["id"]]) == 1


async def test_a_team_whose_name_begins_alike_is_another(records: SqliteRecords, clock: Clock) -> None:
    history = History(settings(history="a,ab"), records, clock)
    await history.add("ab", "coral reefs", RESULT)
    assert await queries(history, "a") == []
    assert await history.delete("a", None) == 0


async def test_old_searches_are_not_shown_and_then_removed(
    history: History, records: SqliteRecords, clock: Clock
) -> None:
    await history.add("a", "coral reefs", RESULT)
    clock.now += 31 * DAY
    assert await history.entries("a") == []
    await history.add("a", "kelp forests", RESULT)
    assert [record.value["query"] for record in records.list("web-history")] == ["kelp forests"]


async def test_what_was_kept_before_can_be_deleted_after_the_team_left(
    history: History, records: SqliteRecords, clock: Clock
) -> None:
    await history.add("a", "coral reefs", RESULT)
    later = History(WebSettings(_env_file=None), records, clock)
    assert await queries(later, "a") == ["coral reefs"]
    assert await later.delete("a", None) == 1


async def test_a_search_is_none_the_worse_where_it_cannot_be_kept(caplog: pytest.LogCaptureFixture) -> None:
    class Broken(SqliteRecords):
        def put_if(self, *_: object) -> None:
            raise Unavailable("away", action="Wait")

    await History(settings(), Broken(Path("unused"))).add("a", "coral reefs", RESULT)
    assert "could not be kept: unavailable" in caplog.text
    assert "coral" not in caplog.text


async def test_the_service_lists_and_deletes_for_who_asks(records: SqliteRecords) -> None:
    service = open_web(settings(), Opening((b"key",), Shared(None), records))
    ann = Principal(TeamId("a"), "ann")
    for query in ("coral reefs", "kelp forests"):
        await service._history.add("a", query, RESULT)
    listed = await service.list_history(ann, ListHistory(limit=1))
    assert (len(listed["searches"]), listed["total"], listed["kept"]) == (1, 2, True)
    assert listed["searches"][0]["id"] in history_text(listed)
    other = await service.list_history(Principal(TeamId("c"), "anonymous"), ListHistory())
    assert (other["searches"], other["kept"]) == ([], False)
    for wrong in (DeleteHistory(), DeleteHistory(ids=["x"], everything=True)):
        with pytest.raises(Invalid, match="either ids or everything"):
            await service.delete_history(ann, wrong)
    assert (await service.delete_history(ann, DeleteHistory(ids=[listed["searches"][0]["id"]])))["deleted"] == 1
    assert (await service.delete_history(ann, DeleteHistory(everything=True)))["deleted"] == 1


async def test_without_an_engine_nothing_is_kept() -> None:
    history = History(settings(), None)
    await history.add("a", "coral reefs", RESULT)
    assert await history.entries("a") == []
    assert await history.delete("a", ["1767225600000-00000000"]) == 0
    assert not history.is_enabled("a")
