import pytest

from indexer.engines.counts import FacetValue
from indexer.engines.opensearch.connection import Connection
from indexer.engines.opensearch.engine import open_engine
from indexer.engines.port import Engine, SearchRequest, Target
from indexer.errors import ExpiredView
from indexer.query.ast import (
    Everything,
    SortKey,
    Word,
)
from indexer.tenancy import IndexName, TeamId, alias, physical_name
from tests.integration.opensearch_engine.notes import DEFINITION, document, ids, put


async def test_a_view_of_a_dropped_index_is_expired(engine: Engine, target: Target) -> None:
    view = await engine.reader.open_view(target)
    engine.writer.drop(target.physical)
    with pytest.raises(ExpiredView):
        await engine.reader.search(target, SearchRequest(Everything(), 1, view=view))


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
