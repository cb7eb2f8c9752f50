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
    Query,
    SortKey,
    Word,
)
from tests.contract.port.notes import document, put


async def test_a_hit_brings_what_was_requested(engine: Engine, target: Target) -> None:
    given = document("a", "python", revision=7, tag="x")
    put(engine, target, given)
    whole = (await engine.reader.search(target, SearchRequest(Word("python"), 1, text=True, explain=True))).hits[0]
    assert (whole.text, whole.payload, whole.revision, whole.position) == (given.text, given.payload, 7, [])
    assert whole.explanation is not None
    bare = (await engine.reader.search(target, SearchRequest(Word("python"), 1, payload=False))).hits[0]
    assert (bare.text, bare.payload, bare.highlights, bare.explanation) == ("", b"", (), None)


@pytest.mark.parametrize(
    ("query", "marked"),
    [
        (Word("search"), "<mark>searching</mark>"),
        (Prefix("buck"), "<mark>bucket</mark>"),
        (Corrected("pythn", ("python",)), "<mark>python</mark>"),
        (Phrase(("bucket",)), "<mark>bucket</mark>"),
        (Combined(any_of=(Word("sail"), Corrected("serching", ("search",)))), "<mark>searching</mark>"),
        (Combined(must=(Word("bucket"),), where=(AnyValue("year", (1.0,)),)), "<mark>bucket</mark>"),
    ],
)
async def test_what_matched_is_marked_and_all_else_escaped(
    engine: Engine, target: Target, query: Query, marked: str
) -> None:
    put(engine, target, document("a", "python </b> & searching 'a' bucket", year=1))
    response = await engine.reader.search(target, SearchRequest(query, 1, snippets=3))
    word = marked.removeprefix("<mark>").removesuffix("</mark>")
    expected = "python &lt;/b&gt; &amp; searching &#x27;a&#x27; bucket".replace(word, marked)
    assert response.hits[0].highlights == (expected,)


async def test_a_prefix_of_very_many_words_is_marked_too(engine: Engine, target: Target) -> None:
    put(engine, target, *(document(f"{at:04}", f"a </b> co{at:04} word") for at in range(1_500)))
    query = Combined(must=(Prefix("co"),), where=(Identified(("0001", "1499")),))
    for sort in ((), (SortKey("year", descending=True),), (SortKey("undeclared", descending=True),)):
        response = await engine.reader.search(target, SearchRequest(query, 10, sort, snippets=3))
        assert {hit.id: hit.highlights for hit in response.hits} == {
            number: (f"a &lt;/b&gt; <mark>co{number}</mark> word",) for number in ("0001", "1499")
        }


async def test_conditions_alone_mark_nothing(engine: Engine, target: Target) -> None:
    put(engine, target, document("a", "python year", year=1))
    for query in (Everything(), Combined(where=(Exists("year"),))):
        assert (await engine.reader.search(target, SearchRequest(query, 1, snippets=3))).hits[0].highlights == ()


async def test_snippets_are_no_more_than_requested(engine: Engine, target: Target) -> None:
    put(engine, target, document("a", " ".join(["needle", *["hay"] * 100] * 9)))
    response = await engine.reader.search(target, SearchRequest(Word("needle"), 1, snippets=3))
    assert len(response.hits[0].highlights) == 3
