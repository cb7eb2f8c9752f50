"""What a hit owes its score to."""

import pytest

from indexer.engines.port import Engine, SearchRequest, Target
from indexer.query.ast import (
    AnyValue,
    Combined,
    Corrected,
    Everything,
    Exists,
    Phrase,
    Prefix,
    Query,
    SortKey,
    Word,
)
from tests.contract.port.notes import document, put

DEEP = Phrase(("deep", "reef"))
NO_TAG = Combined(must_not=(Exists("tag"),))


@pytest.mark.parametrize(
    ("query", "parts"),
    [
        (Word("search"), {("search", "word")}),
        (Combined(any_of=(Word("reef"), Word("nowhere"))), {("reef", "word")}),
        (DEEP, {("deep reef", "phrase")}),
        (Phrase(("deep", "reef"), 3.0), {("deep reef", "phrase")}),
        (Prefix("buck"), {("buck*", "prefix")}),
        (Corrected("pythn", ("nowhere", "python")), {("python", "fuzzy")}),
        (
            Combined(any_of=(Word("reef"), Corrected("pythn", ("python", "reef")))),
            {("reef", "word"), ("python", "fuzzy")},
        ),
        (Combined(must=(DEEP,), ranking=(Word("bucket"),)), {("deep reef", "phrase"), ("bucket", "word")}),
        (Combined(any_of=(Combined(must=(Phrase(("deep",)), Prefix("re"))),)), {("deep", "phrase"), ("re*", "prefix")}),
        (Combined(any_of=(Word("reef"), Word("reef"))), {("reef", "word")}),
        (Everything(), {("*", "other")}),
        (Combined(must_not=(Word("nowhere"),)), {("*", "other")}),
        (
            Combined(any_of=(Word("reef"),), where=(AnyValue("year", (1.0,)), NO_TAG)),
            {("reef", "word"), ("year", "filter"), ("tag", "filter")},
        ),
    ],
)
@pytest.mark.parametrize("sort", [(), (SortKey("year", descending=True),), (SortKey("other", descending=True),)])
async def test_the_parts_of_a_score_are_named_and_add_up_to_it(
    engine: Engine, target: Target, query: Query, parts: set[tuple[str, str]], sort: tuple[SortKey, ...]
) -> None:
    put(
        engine,
        target,
        document("a", "python searching a bucket below the deep reef", year=1),
        document("b", "reef and reef", year=1),
        document("c", "a boat", year=1),
    )
    response = await engine.reader.search(target, SearchRequest(query, 10, sort, parts=True))
    hit = next(hit for hit in response.hits if hit.id == "a")
    assert {(part.what, part.kind) for part in hit.parts} == parts
    assert [part.kind for part in hit.parts] == sorted(
        (part.kind for part in hit.parts), key=lambda kind: kind == "filter"
    )
    scores = [part.score for part in hit.parts]
    assert scores == sorted(scores, reverse=True)
    assert all((part.score > 0) is (part.kind != "filter") for part in hit.parts)
    for each in response.hits:
        assert sum(part.score for part in each.parts) == pytest.approx(each.score, rel=1e-4)


async def test_parts_come_only_if_requested_and_each_hit_has_its_own(engine: Engine, target: Target) -> None:
    put(engine, target, document("a", "deep reef"), document("b", "reef reef reef"))
    query = Combined(any_of=(Word("deep"), Word("reef")))
    bare = await engine.reader.search(target, SearchRequest(query, 10))
    assert [hit.parts for hit in bare.hits] == [(), ()]
    explained = await engine.reader.search(target, SearchRequest(query, 10, parts=True))
    assert {hit.id: {part.what for part in hit.parts} for hit in explained.hits} == {
        "a": {"deep", "reef"},
        "b": {"reef"},
    }
    assert all(hit.explanation is None for hit in explained.hits)


async def test_parts_of_a_view_are_those_of_its_documents(engine: Engine, target: Target) -> None:
    put(engine, target, document("a", "deep reef"))
    view = await engine.reader.open_view(target)
    put(engine, target, document("b", "deep sea"))
    response = await engine.reader.search(target, SearchRequest(Word("deep"), 10, view=view, parts=True))
    [hit] = response.hits
    assert [(part.what, part.score) for part in hit.parts] == [("deep", pytest.approx(hit.score, rel=1e-4))]
