"""What is costly is known before a search runs."""

import pytest

from indexer.engines.cost import is_costly
from indexer.engines.port import SearchRequest
from indexer.query.ast import Combined, Corrected, Everything, Phrase, Query, Word

WORDS = tuple(Word(f"word{number}") for number in range(64))
LONG = Phrase(("aa",) * 101)


@pytest.mark.parametrize(
    ("request_", "costly"),
    [
        (SearchRequest(Everything(), 1_000, explain=True), False),
        (SearchRequest(Word("boat"), 1_000, snippets=3), False),
        (SearchRequest(Combined(any_of=WORDS), 10, snippets=3, explain=True), False),
        (SearchRequest(Combined(any_of=WORDS), 1_000), False),
        (SearchRequest(Combined(any_of=WORDS), 1_000, snippets=3), True),
        (SearchRequest(Combined(any_of=WORDS), 1_000, explain=True), True),
        (SearchRequest(Combined(must_not=(Corrected("b", ("boat",) * 3),), any_of=WORDS), 200, parts=True), True),
        (SearchRequest(Phrase(("aa",) * 100), 1), False),
        (SearchRequest(LONG, 1), True),
        (SearchRequest(Combined(must_not=(LONG,)), 1), True),
        (SearchRequest(Combined(must=(Phrase(("aa",) * 60), Phrase(("bb",) * 60))), 1), True),
    ],
)
def test_a_search_is_costly_by_its_phrases_and_by_what_it_shows(request_: SearchRequest, costly: bool) -> None:
    assert is_costly(request_) is costly


def test_a_usual_search_is_not_costly() -> None:
    query: Query = Combined(must=(Word("net"),), any_of=(Phrase(("side", "scan")), Word("sonar")))
    assert not is_costly(SearchRequest(query, 50, snippets=4, text=True, explain=True))
