import asyncio
from dataclasses import fields, replace
from types import MappingProxyType

import pytest

from indexer.errors import Conflict, NotFound
from indexer.index.record import Generation, IndexRecord, RetiredGeneration, ShadowRecord, index_record, stored_value
from indexer.index.registry import Registry
from indexer.schema.definition import Analysis, IndexDefinition
from indexer.tenancy import ARCHIVE_INDEX, DEFAULT_INDEX, IndexName, TeamId
from mcp_server.feature import advise
from mcp_server.features.all import FEATURES
from tests.unit.indexer.memory_engine import LOCAL, MemoryRecords

RED, BLUE = TeamId("red"), TeamId("blue")
NOTES = IndexName("notes")


class Now:
    def __init__(self) -> None:
        self.time = 0.0

    def __call__(self) -> float:
        return self.time


def registry(records: MemoryRecords | None = None, now: Now | None = None, max_indices: int = 200) -> Registry:
    return Registry(records or MemoryRecords(), {"local": LOCAL}, max_indices=max_indices, now=now or Now())


def serving(record: IndexRecord, number: int = 1) -> IndexRecord:
    return replace(record, serving=Generation(number, record.definition))


def test_a_record_comes_back_from_its_json_as_it_was() -> None:
    definition = IndexDefinition("local", 3, Analysis(False, 4, "french"), MappingProxyType({"year": "number"}))
    generation = Generation(9, definition)
    record = IndexRecord(
        RED,
        NOTES,
        definition,
        "2026-01-01T00:00:00Z",
        generation,
        ShadowRecord(generation, "j_1", "why"),
        (RetiredGeneration(generation, 7.5),),
        "r",
    )
    assert index_record(RED, NOTES, stored_value(record), "r") == record
    bare = IndexRecord(RED, NOTES, definition, "2026-01-01T00:00:00Z", revision="r")
    assert index_record(RED, NOTES, stored_value(bare), "r") == bare


def test_every_field_of_a_definition_is_stored() -> None:
    stored = stored_value(IndexRecord(RED, NOTES, LOCAL, "2026-01-01T00:00:00Z", Generation(9, LOCAL)))
    for definition in (stored["definition"], stored["serving"]["definition"]):
        assert set(definition) == {field.name for field in fields(IndexDefinition)}
        assert set(definition["analysis"]) == {field.name for field in fields(Analysis)}


def test_an_index_that_was_recorded_before_range_codes_has_none() -> None:
    definition = replace(LOCAL, range_codes=True)
    stored = stored_value(IndexRecord(RED, NOTES, definition, "2026-01-01T00:00:00Z", Generation(9, definition)))
    del stored["definition"]["range_codes"], stored["serving"]["definition"]["range_codes"]
    record = index_record(RED, NOTES, stored, "r")
    target = record.serving_target()
    assert target is not None
    assert (record.definition.range_codes, target.definition.range_codes) == (False, False)


def test_every_team_has_the_default_index_before_anything_is_recorded() -> None:
    records = MemoryRecords()
    record = registry(records).get(RED, DEFAULT_INDEX)
    assert record.definition == LOCAL
    assert record.serving is None
    assert [listed.index for listed in registry(records).of_team(RED)] == [DEFAULT_INDEX]
    assert not records.kept


def test_a_created_index_belongs_to_its_team_alone() -> None:
    indices = registry()
    indices.create(RED, NOTES, LOCAL)
    assert [record.index for record in indices.of_team(RED)] == [DEFAULT_INDEX, NOTES]
    assert [record.index for record in indices.of_team(BLUE)] == [DEFAULT_INDEX]
    with pytest.raises(NotFound):
        indices.get(BLUE, NOTES)


def test_a_team_whose_name_starts_like_anothers_sees_nothing_of_it() -> None:
    indices = registry()
    indices.create(TeamId("redder"), NOTES, LOCAL)
    assert [record.index for record in indices.of_team(RED)] == [DEFAULT_INDEX]


@pytest.mark.parametrize("name", [NOTES, DEFAULT_INDEX])
def test_a_name_is_given_once(name: IndexName) -> None:
    indices = registry()
    indices.create(RED, NOTES, LOCAL)
    with pytest.raises(Conflict, match=f"^Index already exists: {name}$"):
        indices.create(RED, name, LOCAL)


def test_an_unknown_index_comes_with_the_closest_names() -> None:
    indices = registry()
    indices.create(RED, IndexName("geology"), LOCAL)
    with pytest.raises(NotFound) as caught:
        indices.get(RED, IndexName("geologie"))
    advise(caught.value, FEATURES)
    assert caught.value.failure() == {
        "success": False,
        "error": "Index not found: geologie",
        "error_category": "not_found",
        "details": {"closest": ["geology"]},
        "fix": {
            "required_action": "Use one of the indices in details.closest, or create it",
            "command": 'search_create_index(index_name="geologie")',
        },
        "alternatives": {"search_list_indices": "List this team's indices"},
    }


def test_another_teams_names_are_never_offered() -> None:
    indices = registry()
    indices.create(BLUE, IndexName("geology"), LOCAL)
    with pytest.raises(NotFound) as caught:
        indices.get(RED, IndexName("geologie"))
    advise(caught.value, FEATURES)
    assert caught.value.details == {"closest": []}


def test_a_team_has_a_quota_of_indices() -> None:
    indices = registry(max_indices=3)
    indices.create(RED, IndexName("one"), LOCAL)
    indices.create(RED, IndexName("two"), LOCAL)
    with pytest.raises(Conflict, match="limit of 3 indices") as full:
        indices.create(RED, IndexName("three"), LOCAL)
    assert full.value.details == {"limit": {"name": "indices", "number": 3, "used": 3}}
    indices.create(BLUE, IndexName("three"), LOCAL)


def test_a_taken_name_is_told_as_such_even_at_the_quota() -> None:
    indices = registry(max_indices=2)
    indices.create(RED, NOTES, LOCAL)
    with pytest.raises(Conflict):
        indices.create(RED, NOTES, LOCAL)


def test_a_change_is_made_again_when_somebody_else_was_faster() -> None:
    records = MemoryRecords()
    mine, theirs = registry(records), registry(records)
    mine.create(RED, NOTES, LOCAL)
    seen: list[Generation | None] = []

    def changed(record: IndexRecord) -> IndexRecord:
        seen.append(record.serving)
        if len(seen) == 1:
            assert theirs.save(serving(theirs.get(RED, NOTES), 5)) is not None
        return replace(record, created_at="changed")

    record = mine.change(RED, NOTES, changed)
    assert seen == [None, Generation(5, LOCAL)]
    assert record.serving == Generation(5, LOCAL)
    assert records.get("indices", "red/notes").value["created_at"] == "changed"  # type: ignore[union-attr]  # it is there


async def test_readers_ask_once_a_second_and_writers_always() -> None:
    records, now = MemoryRecords(), Now()
    indices = registry(records, now)
    indices.create(RED, NOTES, LOCAL)
    indices.change(RED, NOTES, serving)
    before = records.reads
    for _ in range(5):
        await indices.cached(RED, NOTES)
    assert records.reads == before
    await indices.cached(RED, NOTES, fresh=True)
    indices.get(RED, NOTES)
    assert records.reads == before + 2
    now.time += 1.1
    await indices.cached(RED, NOTES)
    assert records.reads == before + 3


async def test_readers_who_come_together_ask_together() -> None:
    records, now = MemoryRecords(), Now()
    indices = registry(records, now)
    indices.create(RED, NOTES, LOCAL)
    indices.change(RED, NOTES, serving)
    before = records.reads
    now.time += 1.1
    found = await asyncio.gather(*(indices.cached(RED, NOTES) for _ in range(16)))
    assert [record.serving for record in found] == [Generation(1, LOCAL)] * 16
    assert records.reads == before + 1


async def test_another_processs_first_write_is_seen_at_once() -> None:
    records = MemoryRecords()
    mine, theirs = registry(records), registry(records)
    assert (await mine.cached(RED, DEFAULT_INDEX)).serving is None
    theirs.change(RED, DEFAULT_INDEX, serving)
    assert (await mine.cached(RED, DEFAULT_INDEX)).serving == Generation(1, LOCAL)


async def test_a_removed_index_is_gone_for_this_process_at_once() -> None:
    indices = registry()
    indices.create(RED, NOTES, LOCAL)
    indices.change(RED, NOTES, serving)
    assert indices.remove(RED, NOTES).serving == Generation(1, LOCAL)
    with pytest.raises(NotFound):
        await indices.cached(RED, NOTES)


def test_an_index_of_an_older_definition_is_outdated() -> None:
    newer = Registry(MemoryRecords(), {"local": IndexDefinition("local", 2)}, max_indices=9)
    assert newer.outdated(newer.create(RED, NOTES, LOCAL))
    assert not newer.outdated(newer.get(RED, DEFAULT_INDEX))


def test_the_archive_is_not_among_the_local_indices() -> None:
    archive = IndexDefinition("archive", 1)
    indices = Registry(MemoryRecords(), {"local": LOCAL, "archive": archive}, max_indices=9)
    indices.change(RED, ARCHIVE_INDEX, serving)
    assert indices.get(RED, ARCHIVE_INDEX).definition == archive
    assert [record.index for record in indices.of_team(RED)] == [DEFAULT_INDEX]


def test_a_failed_build_keeps_its_first_reason_and_loses_its_writers() -> None:
    indices = registry()
    indices.create(RED, NOTES, LOCAL)
    shadow = ShadowRecord(Generation(2, LOCAL), "j_1")
    indices.change(RED, NOTES, lambda record: replace(serving(record), shadow=shadow))
    assert len(indices.get(RED, NOTES).targets()) == 2
    indices.fail_rebuild(RED, NOTES, 3, "of another build")
    assert len(indices.get(RED, NOTES).targets()) == 2
    indices.fail_rebuild(RED, NOTES, 2, "first")
    indices.fail_rebuild(RED, NOTES, 2, "second")
    record = indices.get(RED, NOTES)
    assert record.shadow == replace(shadow, failed="first")
    assert [target.physical for target in record.targets()] == ["trawl.red.notes.1"]
    assert [target.physical for target in record.all_physical()] == ["trawl.red.notes.1", "trawl.red.notes.2"]


def test_writers_write_to_serving_shadow_and_retiring_and_readers_read_by_number() -> None:
    generations = [Generation(number, LOCAL) for number in (1, 2, 3)]
    record = IndexRecord(
        RED,
        NOTES,
        LOCAL,
        "now",
        generations[1],
        ShadowRecord(generations[2], "j_1"),
        (RetiredGeneration(generations[0], 9.0),),
    )
    assert [target.physical[-1] for target in record.targets()] == ["2", "3", "1"]
    assert record.serving_target() == record.target(generations[1])
    assert record.serving_target(1) == record.target(generations[0])
    assert record.serving_target(3) is None
