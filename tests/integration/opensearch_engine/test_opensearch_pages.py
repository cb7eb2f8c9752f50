import pytest

from indexer.engines.opensearch.connection import Connection
from indexer.engines.opensearch.engine import open_engine
from indexer.engines.port import Engine, FacetValue, KeyCount, SearchRequest, Target
from indexer.errors import ExpiredView, Invalid
from indexer.query.ast import (
    Everything,
    SortKey,
    Word,
)
from indexer.tenancy import DocumentId, IndexName, TeamId, alias, physical_name
from tests.integration.opensearch_engine.notes import DEFINITION, document, ids, put


async def test_pages_through_a_view_go_past_ten_thousand_and_see_no_later_write(engine: Engine, target: Target) -> None:
    put(engine, target, *(document(f"{at:05}", "same") for at in range(10_050)))
    view = await engine.reader.open_view(target)
    put(engine, target, document("late", "same"))
    shown = (DocumentId("00003"), DocumentId("00004"))
    seen: list[str] = []
    after = None
    while True:
        wanted = SearchRequest(Word("same"), 1_000, payload=False, without=shown, view=view, after=after)
        found = await engine.reader.search(target, wanted)
        assert found.total == 10_048
        if not found.hits:
            break
        seen += [hit.id for hit in found.hits]
        after = found.hits[-1].position
    assert len(seen) == len(set(seen)) == 10_048
    assert not {"late", *shown} & set(seen)


async def test_a_view_that_is_gone_foreign_or_nonsense_is_expired(engine: Engine, target: Target, team: TeamId) -> None:
    other = Target(physical_name(team, IndexName("other"), 1), DEFINITION)
    engine.writer.create(other, alias(team, IndexName("other")))
    view = await engine.reader.open_view(target)
    nonsense = view.partition(":")[0] + ":abc"
    engine.writer.drop(target.physical)
    for place, given in ((other, view), (target, view), (target, nonsense), (target, "")):
        with pytest.raises(ExpiredView):
            await engine.reader.search(place, SearchRequest(Everything(), 1, view=given))


@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize("field", ["year", "title", "on", "undeclared"])
async def test_pages_by_a_field_put_missing_values_last_and_ties_by_id(
    engine: Engine, target: Target, field: str, *, descending: bool
) -> None:
    kinds = {"year": (3.5, 1.0, 2.0), "title": ("c", "a", "b"), "on": (True, False, True)}
    values = kinds.get(field, (3, "x", 2))
    given = {f"{at:02}": values[at % 4] if at % 4 < 3 else None for at in range(20)}
    put(
        engine,
        target,
        *(document(at, "same", **({} if value is None else {field: value})) for at, value in given.items()),
    )
    ranks = {value: rank for rank, value in enumerate(("a", "b", "c", "x", False, 1.0, 2, 2.0, 3, 3.5))}
    ranks |= {True: 20} if field == "on" else {}
    present = sorted(at for at, value in given.items() if value is not None)
    present.sort(key=lambda at: ranks[given[at]], reverse=descending)
    expected = present + [at for at, value in given.items() if value is None]
    seen: list[str] = []
    after = None
    while len(seen) < 20:
        found = await engine.reader.search(
            target, SearchRequest(Word("same"), 3, (SortKey(field, descending),), after=after)
        )
        assert found.total == 20
        seen += [hit.id for hit in found.hits]
        after = found.hits[-1].position
    assert seen == expected


async def test_too_many_matches_cannot_be_sorted_by_an_undeclared_field(engine: Engine, target: Target) -> None:
    put(engine, target, *(document(f"{at:05}", "same", rank=at) for at in range(10_001)))
    with pytest.raises(Invalid, match="not declared"):
        await engine.reader.search(target, SearchRequest(Word("same"), 3, (SortKey("rank", descending=True),)))
    but_one = SearchRequest(Word("same"), 2, (SortKey("rank", descending=True),), without=(DocumentId("10000"),))
    assert [hit.id for hit in (await engine.reader.search(target, but_one)).hits] == ["09999", "09998"]


async def test_facets_and_keys_count_by_type(engine: Engine, target: Target) -> None:
    put(
        engine,
        target,
        document("a", "x", **{"a.b": ["x", 1, True], "when": "2024-05-20"}),
        document("b", "x", **{"a.b": "x", "a_b": "other"}),
    )
    found = await engine.reader.search(target, SearchRequest(Everything(), 0, facets=("a.b", "when", "none")))
    assert found.facets == {
        "a.b": [FacetValue("x", 2), FacetValue(1, 1), FacetValue(value=True, count=1)],
        "when": [FacetValue("2024-05-20", 1)],
        "none": [],
    }
    assert await engine.reader.keys(target) == [
        KeyCount("a.b", "boolean", 1),
        KeyCount("a.b", "number", 1),
        KeyCount("a.b", "string", 2),
        KeyCount("a_b", "string", 1),
        KeyCount("when", "date", 1),
    ]


async def test_several_shards_answer_as_one(opensearch_url: str, engine: Engine, team: TeamId) -> None:
    sharded = open_engine(Connection((opensearch_url,), shards=3), search_timeout=30)
    target = Target(physical_name(team, IndexName("sharded"), 1), DEFINITION)
    sharded.writer.create(target, alias(team, IndexName("sharded")))
    put(engine, target, *(document(f"{at:03}", "same", year=float(at % 7), tag=f"t{at % 20}") for at in range(200)))
    expected = [f"{at:03}" for at in range(200)]
    view = await engine.reader.open_view(target)
    seen: list[str] = []
    after = None
    while found := (await engine.reader.search(target, SearchRequest(Word("same"), 30, view=view, after=after))).hits:
        seen += [hit.id for hit in found]
        after = found[-1].position
    assert sorted(seen) == expected
    assert sorted(hit.id for batch in sharded.writer.scan(target, text=True) for hit in batch) == expected
    by_year = await ids(engine, target, Word("same"), SortKey("year", descending=False), limit=200)
    assert by_year == sorted(expected, key=lambda at: (int(at) % 7, at))
    facets = (await engine.reader.search(target, SearchRequest(Everything(), 0, facets=("tag",)))).facets["tag"]
    assert facets == [FacetValue(f"t{at}", 10) for at in (0, 1, *range(10, 18))]
    sharded.writer.close()
