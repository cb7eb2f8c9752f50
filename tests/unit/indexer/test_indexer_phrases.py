"""Phrases are found where a comparison from each token on finds them, in time that does not grow with the phrase."""

from hypothesis import given
from hypothesis import strategies as st

from indexer.engines.phrases import phrase_spans
from indexer.schema.analysis import token_regex
from indexer.schema.definition import Analysis

TOKEN = token_regex(Analysis())
WORDS = st.sampled_from(["aa", "bb", "aab", "\u65e5"])


def spans(text: str, phrase: list[str]) -> list[tuple[int, int]]:
    return list(phrase_spans(text, phrase, TOKEN, lambda: None))


def compared_anew(text: str, phrase: list[str]) -> list[tuple[int, int]]:
    found = list(TOKEN.finditer(text))
    places = range(len(found) - len(phrase) + 1)
    return [
        (found[at].start(), found[at + len(phrase) - 1].end())
        for at in places
        if [token[0] for token in found[at : at + len(phrase)]] == phrase
    ]


@given(st.lists(WORDS, max_size=40), st.lists(WORDS, min_size=2, max_size=5), st.sampled_from([" ", "-", ", "]))
def test_a_phrase_stands_where_its_tokens_follow_each_other(words: list[str], phrase: list[str], between: str) -> None:
    text = between.join(words)
    assert spans(text, phrase) == compared_anew(text, phrase)


def test_no_token_of_the_text_is_compared_again_and_again() -> None:
    checks = 0

    def count() -> None:
        nonlocal checks
        checks += 1

    text, phrase = "aa " * 5_000, ["aa"] * 600
    assert list(phrase_spans(text, [*phrase, "bb"], TOKEN, count)) == []
    assert len(list(phrase_spans(text, phrase, TOKEN, count))) == 5_000 - 600 + 1
    assert checks < 4 * 5_000
