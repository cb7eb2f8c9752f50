import asyncio
from string import ascii_lowercase, digits

import pytest

from indexer.engines.port import Engine, SearchRequest, Target
from indexer.query.ast import (
    AnyValue,
    Combined,
    Everything,
    Exists,
    Fuzzy,
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
        Fuzzy("twoer", 1): {"c"},
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
        Fuzzy("pythn", 1): 0.1,
        Combined(where=(AnyValue("year", (1.0,)),)): 1,
    }.items():
        response = await engine.reader.search(target, SearchRequest(query, 1))
        assert response.hits[0].score == pytest.approx(score)


async def test_a_fuzzy_word_stands_for_any_number_of_words(engine: Engine, target: Target) -> None:
    letters = [chr(number) for number in range(0x100, 0x3A0) if chr(number).islower()]
    words = [f"wor{letter}d" for letter in letters]
    assert len(words) > 200
    put(engine, target, *(document(str(at), word) for at, word in enumerate(words)))
    for query in (Fuzzy("word", 1), Prefix("wo")):
        assert (await engine.reader.search(target, SearchRequest(query, 1))).total == len(words)


async def test_fuzzy_words_may_stand_for_more_words_than_a_query_has_clauses(engine: Engine, target: Target) -> None:
    letters = ascii_lowercase + digits
    words = [f"{first}{second}mooring" for first in letters for second in letters]
    assert len(words) > 1_024
    put(engine, target, *(document(word, word) for word in words))
    together = Combined(any_of=tuple(Fuzzy(f"{letter}{letter}mooring", 1) for letter in letters[:20]))
    near = {word for word in words if set(word[:2]) & set(letters[:20])}
    for query, expected in ((Fuzzy("aamooring", 2), set(words)), (together, near)):
        assert set(await ids(engine, target, query, size=2_000)) == expected


async def test_an_empty_index_answers(engine: Engine, target: Target) -> None:
    for request in (
        SearchRequest(Word("boat"), 10, facets=("tag",)),
        SearchRequest(Phrase(("a", "b")), 10),
        SearchRequest(Fuzzy("boat", 1), 10, sort=(SortKey("year", descending=True),)),
        SearchRequest(Everything(), 10, sort=(SortKey("tag", descending=True),)),
    ):
        response = await engine.reader.search(target, request)
        assert (response.hits, response.total) == ([], 0)
    assert list(engine.writer.scan(target, text=True)) == []


async def test_searches_run_beside_each_other(engine: Engine, target: Target) -> None:
    put(engine, target, *(document(f"d{at}", f"boat number{at}") for at in range(50)))
    found = await asyncio.gather(*(ids(engine, target, Word(f"number{at}")) for at in range(50)))
    assert found == [[f"d{at}"] for at in range(50)]
