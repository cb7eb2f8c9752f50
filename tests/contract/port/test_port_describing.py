from typing import Any

from indexer.engines.counts import FacetValue, KeyCount
from indexer.engines.port import Deletion, Engine, SearchRequest, Target
from indexer.query.ast import Everything, Word
from indexer.tenancy import DocumentId
from tests.contract.port.notes import document, put


async def test_facets_count_the_ten_biggest_values_of_all_types(engine: Engine, target: Target) -> None:
    values: list[Any] = ["x", "x", 7, 7, True, True, "y", *range(100, 110)]
    given = [document(f"d{at}", tag=[value, value], other="z") for at, value in enumerate(values)]
    put(engine, target, *given, document("n", "none", tag="x"), document("gone", tag="x"))
    engine.writer.delete(target, [Deletion(DocumentId("gone"), 2)])
    engine.writer.refresh(target)
    response = await engine.reader.search(target, SearchRequest(Word("boat"), 0, facets=("tag", "absent")))
    assert response.hits == []
    assert response.total == len(values)
    assert response.facets["tag"] == [
        FacetValue("x", 2),
        FacetValue(7, 2),
        FacetValue(True, 2),
        FacetValue("y", 1),
        *(FacetValue(number, 1) for number in range(100, 106)),
    ]
    assert response.facets["absent"] == []
    request = SearchRequest(Word("boat"), 0, facets=("tag",), facet_values=12)
    assert len((await engine.reader.search(target, request)).facets["tag"]) == 12


async def test_facets_and_keys_count_by_type(engine: Engine, target: Target) -> None:
    put(
        engine,
        target,
        document("a", "x", **{"a.b": ["x", 1, True], "when": "2024-05-20"}),
        document("b", "x", **{"a.b": "x", "a_b": "other"}),
    )
    response = await engine.reader.search(target, SearchRequest(Everything(), 0, facets=("a.b", "when", "none")))
    assert response.facets == {
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


async def test_keys_and_size_describe_the_documents_that_are_there(engine: Engine, target: Target) -> None:
    empty = await engine.reader.size(target)
    put(engine, target, document("a", year=1, tag="x"), document("b", year="old"), document("c", tag="y"))
    engine.writer.delete(target, [Deletion(DocumentId("c"), 2)])
    engine.writer.refresh(target)
    assert await engine.reader.keys(target) == [
        KeyCount("tag", "string", 1),
        KeyCount("year", "number", 1),
        KeyCount("year", "string", 1),
    ]
    size = await engine.reader.size(target)
    assert (empty.documents, size.documents) == (0, 2)
    # OpenSearch measures the store only every few seconds.
    assert size.size_bytes >= empty.size_bytes > 0


async def test_an_engine_that_answers_is_healthy(engine: Engine) -> None:
    await engine.reader.health()
    engine.writer.health()
