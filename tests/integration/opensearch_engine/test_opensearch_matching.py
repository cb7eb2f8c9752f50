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
    Query,
    SortKey,
    StartsWith,
    Within,
    Word,
)
from tests.integration.opensearch_engine.notes import document, ids, put


async def test_every_node_of_the_query_tree_finds_its_documents(engine: Engine, target: Target) -> None:
    put(
        engine,
        target,
        document("a", "Searching for rate limiting", year=2020, author="Smith"),
        document("b", "a searched limit of the rate", year=2021.5, author="Smythe", when="2024-05-20"),
        document("c", "東京 tower", tags=["x", "y"], on=True),
    )
    found = {
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
    assert {query: set(await ids(engine, target, query)) for query in found} == found


async def test_constant_scores_are_those_of_the_tree(engine: Engine, target: Target) -> None:
    put(engine, target, document("a", "python python", year=1))
    for query, score in {
        Everything(): 1,
        Prefix("pyt"): 1,
        Fuzzy("pythn", 1): 0.1,
        Combined(where=(AnyValue("year", (1.0,)),)): 1,
    }.items():
        found = await engine.reader.search(target, SearchRequest(query, 1))
        assert found.hits[0].score == pytest.approx(score)


async def test_a_fuzzy_word_stands_for_any_number_of_words(engine: Engine, target: Target) -> None:
    letters = [chr(number) for number in range(0x100, 0x3A0) if chr(number).islower()]
    words = [f"wor{letter}d" for letter in letters]
    assert len(words) > 200
    put(engine, target, *(document(str(at), word) for at, word in enumerate(words)))
    for query in (Fuzzy("word", 1), Prefix("wo")):
        found = await engine.reader.search(target, SearchRequest(query, 1))
        assert found.total == len(words)


async def test_fuzzy_words_may_stand_for_more_words_than_a_query_has_clauses(engine: Engine, target: Target) -> None:
    letters = ascii_lowercase + digits
    words = [f"{first}{second}mooring" for first in letters for second in letters]
    assert len(words) > 1_024
    put(engine, target, *(document(word, word) for word in words))
    together = Combined(any_of=tuple(Fuzzy(f"{letter}{letter}mooring", 1) for letter in letters[:20]))
    near = {word for word in words if set(word[:2]) & set(letters[:20])}
    for query, expected in ((Fuzzy("aamooring", 2), set(words)), (together, near)):
        assert set(await ids(engine, target, query, limit=2_000)) == expected


@pytest.mark.parametrize(
    ("query", "marked"),
    [
        (Word("search"), "<mark>searching</mark>"),
        (Prefix("buck"), "<mark>bucket</mark>"),
        (Fuzzy("pythn", 1), "<mark>python</mark>"),
        (Phrase(("bucket",)), "<mark>bucket</mark>"),
        (Combined(any_of=(Word("searched"), Fuzzy("serching", 1))), "<mark>searching</mark>"),
        (Combined(must=(Word("bucket"),), where=(AnyValue("year", (1.0,)),)), "<mark>bucket</mark>"),
    ],
)
async def test_what_matched_is_marked_and_all_else_escaped(
    engine: Engine, target: Target, query: Query, marked: str
) -> None:
    put(engine, target, document("a", "python </b> & searching 'a' bucket", year=1))
    found = await engine.reader.search(target, SearchRequest(query, 1, snippets=3))
    word = marked.removeprefix("<mark>").removesuffix("</mark>")
    assert found.hits[0].highlights == ("python &lt;/b&gt; &amp; searching &#x27;a&#x27; bucket".replace(word, marked),)


async def test_a_prefix_of_very_many_words_is_marked_too(engine: Engine, target: Target) -> None:
    put(engine, target, *(document(f"{at:04}", f"a </b> co{at:04} word") for at in range(1_500)))
    query = Combined(must=(Prefix("co"),), where=(Identified(("0001", "1499")),))
    for sort in ((), (SortKey("year", descending=True),), (SortKey("undeclared", descending=True),)):
        found = await engine.reader.search(target, SearchRequest(query, 10, sort, snippets=3))
        assert {hit.id: hit.highlights for hit in found.hits} == {
            number: (f"a &lt;/b&gt; <mark>co{number}</mark> word",) for number in ("0001", "1499")
        }


async def test_conditions_alone_mark_nothing(engine: Engine, target: Target) -> None:
    put(engine, target, document("a", "python year", year=1))
    for query in (Everything(), Combined(where=(Exists("year"),))):
        assert (await engine.reader.search(target, SearchRequest(query, 1, snippets=3))).hits[0].highlights == ()


async def test_snippets_are_no_more_than_asked_for(engine: Engine, target: Target) -> None:
    put(engine, target, document("a", " ".join(["needle", *["hay"] * 100] * 9)))
    found = await engine.reader.search(target, SearchRequest(Word("needle"), 1, snippets=3))
    assert len(found.hits[0].highlights) == 3


async def test_a_hit_brings_what_was_asked_for(engine: Engine, target: Target) -> None:
    put(engine, target, document("a", "python", revision=7))
    whole = (await engine.reader.search(target, SearchRequest(Word("python"), 1, text=True, explain=True))).hits[0]
    assert (whole.text, whole.payload, whole.revision) == ("python", b'{"of": "a"}', 7)
    assert "weight(text:python" in (whole.explanation or "")
    bare = (await engine.reader.search(target, SearchRequest(Word("python"), 1, payload=False))).hits[0]
    assert (bare.text, bare.payload, bare.explanation, bare.position) == ("", b"", None, [])
