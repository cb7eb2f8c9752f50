"""An index that was rebuilt: the same documents, a new definition, cursors that go on, and nothing left over."""

import asyncio
from dataclasses import replace
from types import MappingProxyType

import pytest

from indexer.archives.definition import ARCHIVE
from indexer.bootstrap import DEFINITIONS, open_library
from indexer.index.generations import drop_orphans, orphans, retire
from indexer.index.registry import Registry
from indexer.library import Library
from indexer.local.definition import LOCAL
from indexer.reindex.backfill import copy_documents, replay_deletions
from indexer.reindex.rebuild import RebuildReport, abandoned, rebuild
from indexer.reindex.session import discard, rebuilding
from indexer.reindex.verify import differing, verify
from indexer.schema.definition import SortType
from indexer.settings import IndexerSettings
from indexer.tenancy import ARCHIVE_INDEX, DEFAULT_INDEX, IndexName
from tests.contract.caller import Caller
from tests.contract.shelf import Shelf, edges, paper


def rebuilt_now(library: Library, caller: Caller | Shelf, index: IndexName, owner: str = "j_1") -> RebuildReport:
    return rebuild(library, caller.principal.team, index, owner=owner, progress=lambda _: None, cancelled=lambda: False)


async def rebuilt(caller: Caller | Shelf, index: IndexName = DEFAULT_INDEX, owner: str = "j_1") -> RebuildReport:
    return await asyncio.to_thread(rebuilt_now, caller.library, caller, index, owner)


def physical(caller: Caller | Shelf) -> list[str]:
    return list(caller.library.engine.writer.physical_names(f"trawl.{caller.principal.team}."))


async def test_a_rebuilt_index_gives_the_same_answers(caller: Caller) -> None:
    await caller.create("notes", sortable_fields={"year": "number"}, tokenizer={"language": "none"})
    documents = {
        f"d{n}": (f"boats number {n}", {"year": n % 7, "tag": ["a", "b"], "due": "2024-05-01"}) for n in range(40)
    }
    await caller.fill(documents, "notes")
    await caller.delete("d3", index_name="notes")

    async def answers() -> list[object]:
        page = await caller.search("boats", index_name="notes", k=5, sort=["-year"], facets=["tag", "year"])
        return [
            [hit["doc_id"] for hit in page["results"]],
            page["facets"],
            await caller.found("boats", index_name="notes", filters={"due": {"gte": "2024-01-01"}}, sort=["year"]),
            await caller.matching("boat", index_name="notes"),
            (await caller.get("d7", index_name="notes")),
            (await caller.describe("notes")),
        ]

    before = await answers()
    report = await rebuilt(caller, IndexName("notes"))
    assert report.documents == 39
    assert await answers() == before


async def test_an_index_that_was_never_written_to_has_nothing_to_rebuild(caller: Caller) -> None:
    assert await rebuilt(caller) == RebuildReport(0, None, resumed=False)
    assert physical(caller) == []


async def test_a_new_definition_is_seen_afterwards(caller: Caller, engine_settings: IndexerSettings) -> None:
    await caller.fill({f"d{n}": (f"boat {n}", {"year": 2000 - n}) for n in range(5)})
    opened = open_library(engine_settings)
    newer = {**DEFINITIONS, "local": replace(LOCAL, version=LOCAL.version + 1)}
    upgraded = replace(opened, registry=Registry(opened.engine.records, newer, max_indices=200))
    new = Caller(upgraded, caller.principal)
    try:
        assert [record["outdated"] for record in (await new.indices())["indices"]] == [True]
        await rebuilt(new)
        [record] = (await new.indices())["indices"]
        assert (record["outdated"], record["definition_version"]) == (False, LOCAL.version + 1)
        assert await new.found("boat", sort=["year"]) == ["d4", "d3", "d2", "d1", "d0"]
    finally:
        await opened.aclose()


async def test_a_sortable_field_can_be_added_while_others_write(caller: Caller) -> None:
    await caller.fill({f"d{n}": (f"boat {n}", {"year": n}) for n in range(4)})
    team = caller.principal.team
    sortable: dict[str, SortType] = {"year": "number"}
    wanted = replace(LOCAL, sortable=MappingProxyType(sortable))

    def fill() -> None:
        with rebuilding(caller.library, team, DEFAULT_INDEX, wanted, "j_1") as build:
            asyncio.run_coroutine_threadsafe(caller.add("late", "boat", {"year": -1}), loop).result()
            copy_documents(build, lambda _: None)
            asyncio.run_coroutine_threadsafe(caller.add("later", "boat", {"year": 2.5}), loop).result()
            replay_deletions(build)
            assert differing(build, lambda: None) == []
            assert verify(build, lambda: None) == 6

    loop = asyncio.get_running_loop()
    await asyncio.to_thread(fill)
    assert (await caller.describe())["sortable_fields"] == {"year": "number"}
    assert await caller.found("boat", sort=["year"]) == ["late", "d0", "d1", "d2", "later", "d3"]


async def test_cursors_from_before_go_on_until_the_old_generation_is_dropped(caller: Caller) -> None:
    await caller.fill({f"d{n}": ("boat " * (n + 1), {"n": n}) for n in range(9)})
    first = await caller.search("boat", k=3)
    second = await caller.search("boat", k=3, cursor=first["next_cursor"])
    by_field = await caller.search("boat", k=3, sort=["n"])
    await rebuilt(caller)
    await caller.add("new", "boat")
    third = await caller.search("boat", k=3, cursor=second["next_cursor"])
    seen = [hit["doc_id"] for page in (first, second, third) for hit in page["results"]]
    assert len(seen) == 9
    assert set(seen) == {f"d{n}" for n in range(9)}
    assert third["next_cursor"] is None
    assert len((await caller.search("boat", k=3, sort=["n"], cursor=by_field["next_cursor"]))["results"]) == 3
    hasty = replace(caller.library, rebuild_grace=0)
    team = caller.principal.team
    await asyncio.to_thread(
        caller.library.registry.change,
        team,
        DEFAULT_INDEX,
        lambda record: replace(record, retired=tuple(replace(old, until=0.0) for old in record.retired)),
    )
    assert await asyncio.to_thread(retire, hasty, team, DEFAULT_INDEX) == 1
    failure = await caller.failure("boat", k=3, cursor=second["next_cursor"])
    assert failure["error"] == "This cursor has expired"
    assert len(await caller.matching("boat")) == 10


async def test_only_what_serves_is_left_after_the_grace_time(caller: Caller) -> None:
    await caller.fill({f"d{n}": "boat" for n in range(5)})
    hasty = replace(caller.library, rebuild_grace=0)
    for owner in ("j_1", "j_2"):
        report = await asyncio.to_thread(rebuilt_now, hasty, caller, DEFAULT_INDEX, owner)
    assert await asyncio.to_thread(retire, hasty, caller.principal.team, DEFAULT_INDEX) == 1
    assert physical(caller) == [f"trawl.{caller.principal.team}.default.{report.generation}"]
    assert len(await caller.matching("boat")) == 5


async def test_the_alias_follows(caller: Caller) -> None:
    await caller.add("a", "boat")
    report = await rebuilt(caller)
    if caller.library.engine.name == "opensearch":
        client = caller.library.engine.writer._client  # type: ignore[attr-defined]  # only the cluster knows aliases
        behind = client.indices.get_alias(name=f"trawl.{caller.principal.team}.default")
        assert list(behind) == [f"trawl.{caller.principal.team}.default.{report.generation}"]
    assert physical(caller)[-1].endswith(str(report.generation))


async def test_an_abandoned_build_is_found_and_discarded(caller: Caller) -> None:
    await caller.add("a", "boat")
    team, library = caller.principal.team, caller.library

    def leave() -> None:
        # Not a failure but an end: what is begun stays.
        with rebuilding(library, team, DEFAULT_INDEX, LOCAL, "j_dead"):
            raise SystemExit

    with pytest.raises(SystemExit):
        await asyncio.to_thread(leave)
    assert len(physical(caller)) == 2
    [left] = [one for one in abandoned(library, lambda _owner: False) if one.team == team]
    assert (left.index, left.owner) == (DEFAULT_INDEX, "j_dead")
    assert discard(library, team, DEFAULT_INDEX, left.generation)
    assert not discard(library, team, DEFAULT_INDEX, left.generation)
    assert len(physical(caller)) == 1
    assert await caller.matching("boat") == {"a"}


async def test_an_orphan_is_dropped_when_it_is_old(caller: Caller) -> None:
    await caller.add("a", "boat")
    library, team = caller.library, caller.principal.team
    record = library.registry.get(team, DEFAULT_INDEX)
    assert record.serving is not None
    lost = record.target(replace(record.serving, number=record.serving.number - 2 * 60 * 60 * 1_000_000))
    library.engine.writer.create(lost, record.alias)
    young = record.target(replace(record.serving, number=record.serving.number + 1))
    library.engine.writer.create(young, record.alias)
    assert orphans(library, team) == [lost.physical]
    assert drop_orphans(library, team) == 1
    assert sorted(physical(caller)) == sorted([record.target(record.serving).physical, young.physical])
    library.engine.writer.drop(young.physical)
    assert await caller.matching("boat") == {"a"}


async def test_an_archive_is_rebuilt_with_its_filters_versions_and_citations(shelf: Shelf) -> None:
    papers = [
        paper("lib/a.md", "Boats and ships", links=("b.md",), tags=("sea",), authors=("Ann",)),
        paper("lib/b.md", "Boats and harbours", doi="10.1/b"),
    ]
    await shelf.put(*papers)
    await shelf.delete(ids=[(await shelf.list())["documents"][1]["id"]])
    await shelf.put(papers[1])

    async def answers() -> list[object]:
        return [
            await shelf.paths("boats", filters={"tags": "sea"}),
            edges(await shelf.graph("boats")),
            await shelf.list(sort=["-title"]),
        ]

    before = await answers()
    registry, team = shelf.library.registry, shelf.principal.team
    older = replace(ARCHIVE, version=0)
    assert registry.outdated(registry.change(team, ARCHIVE_INDEX, lambda record: replace(record, definition=older)))
    assert (await rebuilt(shelf, ARCHIVE_INDEX)).documents == 2
    assert registry.get(team, ARCHIVE_INDEX).definition == ARCHIVE
    assert await answers() == before
