import asyncio

import pytest

from indexer.engines.port import Engine, SearchRequest, Target
from indexer.query.ast import (
    AnyValue,
    Combined,
    Corrected,
    Everything,
    Exists,
    Identified,
    Phrase,
    Prefix,
    SortKey,
    StartsWith,
    Within,
    Word,
)
from tests.contract.port.notes import document, ids, put


async def test_every_node_of_the_query_tree_finds_its_documents(engine: Engine, target: Target) -> None:
    put(
        engine,
        target,
        document("a", "Searching for rate limiting", year=2020, author="Smith"),
        document("b", "a searched limit of the rate", year=2021.5, author="Smythe", when="2024-05-20"),
        document("c", "東京 tower", tags=["x", "y"], on=True),
    )
    matches = {
        Everything(): {"a", "b", "c"},
        Word("search"): {"a", "b"},
        Phrase(("rate", "limiting")): {"a"},
        Phrase(("searched",)): {"b"},
        Phrase(("東", "京")): {"c"},
        Prefix("limi"): {"a", "b"},
        Corrected("twoer", ("tower",)): {"c"},
        AnyValue("author", ("Smith", "Jones")): {"a"},
        AnyValue("year", (2020.0,)): {"a"},
        AnyValue("on", (True,)): {"c"},
        Within("year", gt=2020.0, lte=2021.5): {"b"},
        Exists("tags"): {"c"},
        StartsWith("author", "Smi"): {"a"},
        Identified(("b", "z")): {"b"},
        Combined(must_not=(Word("tower"),)): {"a", "b"},
    }
    assert {query: set(await ids(engine, target, query)) for query in matches} == matches


async def test_constant_scores_are_those_of_the_tree(engine: Engine, target: Target) -> None:
    put(engine, target, document("a", "python python", year=1))
    for query, score in {
        Everything(): 1,
        Prefix("pyt"): 1,
        Combined(where=(AnyValue("year", (1.0,)),)): 1,
    }.items():
        response = await engine.reader.search(target, SearchRequest(query, 1))
        assert response.hits[0].score == pytest.approx(score)


async def test_an_empty_index_answers(engine: Engine, target: Target) -> None:
    for request in (
        SearchRequest(Word("boat"), 10, facets=("tag",)),
        SearchRequest(Phrase(("a", "b")), 10),
        SearchRequest(Corrected("baot", ("boat",)), 10, sort=(SortKey("year", descending=True),)),
        SearchRequest(Everything(), 10, sort=(SortKey("tag", descending=True),)),
    ):
        response = await engine.reader.search(target, request)
        assert (response.hits, response.total) == ([], 0)
    assert list(engine.writer.scan(target, text=True)) == []


async def test_searches_run_beside_each_other(engine: Engine, target: Target) -> None:
    put(engine, target, *(document(f"d{at}", f"boat number{at}") for at in range(50)))
    found = await asyncio.gather(*(ids(engine, target, Word(f"number{at}")) for at in range(50)))
    assert found == [[f"d{at}"] for at in range(50)]
