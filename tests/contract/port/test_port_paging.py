from dataclasses import replace

import orjson
import pytest

from indexer.engines.port import Deletion, Engine, SearchRequest, Target
from indexer.errors import ExpiredView, Invalid
from indexer.query.ast import Everything, SortKey, Word
from indexer.tenancy import DocumentId, IndexName, TeamId, alias, physical_name
from tests.contract.port.notes import DEFINITION, document, put, write


async def pages(engine: Engine, target: Target, request: SearchRequest) -> list[list[str]]:
    """Follow the positions to the end; they survive JSON, as a cursor carries them."""
    found: list[list[str]] = []
    while hits := (await engine.reader.search(target, request)).hits:
        found.append([hit.id for hit in hits])
        request = replace(request, after=orjson.loads(orjson.dumps(hits[-1].position)))
    return found


async def test_a_sorted_page_has_scores_and_positions(engine: Engine, target: Target) -> None:
    given = [document(f"d{at}", "boat " * (at + 1), year=2000 + at % 3) for at in range(7)]
    put(engine, target, *given, document("none", "boat"))
    request = SearchRequest(Word("boat"), 3, sort=(SortKey("year", descending=True),))
    assert all(hit.score > 0 for hit in (await engine.reader.search(target, request)).hits)
    assert await pages(engine, target, request) == [["d2", "d5", "d1"], ["d4", "d0", "d3"], ["d6", "none"]]


@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize("field", ["year", "title", "on", "undeclared"])
async def test_pages_by_a_field_put_missing_values_last_and_ties_by_id(
    engine: Engine, target: Target, field: str, *, descending: bool
) -> None:
    kinds = {"year": (3.5, 1.0, 2.0), "title": ("c", "a", "b"), "on": (True, False, True)}
    values = kinds.get(field, (3, "x", 2))
    given = {f"{at:02}": values[at % 4] if at % 4 < 3 else None for at in range(20)}
    documents = [document(at, "same", **({} if value is None else {field: value})) for at, value in given.items()]
    put(engine, target, *documents)
    ranks = {value: rank for rank, value in enumerate(("a", "b", "c", "x", False, 1.0, 2, 2.0, 3, 3.5))}
    ranks |= {True: 20} if field == "on" else {}
    present = sorted(at for at, value in given.items() if value is not None)
    present.sort(key=lambda at: ranks[given[at]], reverse=descending)
    expected = present + [at for at, value in given.items() if value is None]
    request = SearchRequest(Word("same"), 3, (SortKey(field, descending),))
    assert [id_ for page in await pages(engine, target, request) for id_ in page] == expected


async def test_without_keys_a_page_can_be_in_the_order_of_ids(engine: Engine, target: Target) -> None:
    put(engine, target, document("b", "reef"), document("a", "a reef and sand"), document("c", "reef reef"))
    request = SearchRequest(Word("reef"), 2, by_id=True)
    first = await engine.reader.search(target, request)
    assert ([hit.id for hit in first.hits], first.total) == (["a", "b"], 3)
    assert all(hit.score > 0 for hit in first.hits)
    rest = await engine.reader.search(target, replace(request, after=first.hits[-1].position))
    assert [hit.id for hit in rest.hits] == ["c"]


async def test_too_many_matches_cannot_be_sorted_by_an_undeclared_field(engine: Engine, target: Target) -> None:
    put(engine, target, *(document(f"{at:05}", "same", rank=at) for at in range(10_001)))
    request = SearchRequest(Word("same"), 2, (SortKey("rank", descending=True),))
    with pytest.raises(Invalid, match="not declared"):
        await engine.reader.search(target, request)
    engine.writer.delete(target, [Deletion(DocumentId("10000"), 9)])
    engine.writer.refresh(target)
    but_one = await engine.reader.search(target, request)
    assert [hit.id for hit in but_one.hits] == ["09999", "09998"]


async def test_pages_through_a_view_go_past_ten_thousand_and_see_no_later_write(engine: Engine, target: Target) -> None:
    put(engine, target, *(document(f"{at:05}", "same") for at in range(10_050)))
    view = await engine.reader.open_view(target)
    write(engine, target, document("late", "same"), document("00007", "other", revision=9))
    engine.writer.delete(target, [Deletion(DocumentId("00008"), 9)])
    request = SearchRequest(Word("same"), 1_000, payload=False, view=view)
    assert (await engine.reader.search(target, request)).total == 10_050
    seen = [id_ for page in await pages(engine, target, request) for id_ in page]
    assert len(seen) == len(set(seen)) == 10_050
    assert "late" not in seen
    await engine.reader.close_view(view)


async def test_a_view_that_is_gone_foreign_or_nonsense_is_expired(engine: Engine, target: Target, team: TeamId) -> None:
    other = Target(physical_name(team, IndexName("other"), 1), DEFINITION)
    engine.writer.create(other, alias(team, IndexName("other")))
    view = await engine.reader.open_view(target)
    nonsense = view.partition(":")[0] + ":abc"
    closed = await engine.reader.open_view(target)
    await engine.reader.close_view(closed)
    for place, wrong in ((other, view), (target, nonsense), (target, ""), (target, closed)):
        with pytest.raises(ExpiredView):
            await engine.reader.search(place, SearchRequest(Everything(), 1, view=wrong))
