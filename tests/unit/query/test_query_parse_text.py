import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from indexer.errors import Invalid, PlatformError
from indexer.query.parse_text import Clause, parse_text


def parsed(query: str) -> list[tuple[str, str, str]]:
    return [(clause.sign, clause.kind, clause.text) for clause in parse_text(query)]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("word", [("", "word", "word")]),
        ("+word", [("+", "word", "word")]),
        ("-word", [("-", "word", "word")]),
        ('"a phrase"', [("", "phrase", "a phrase")]),
        ('+"a phrase"', [("+", "phrase", "a phrase")]),
        ('-"a phrase"', [("-", "phrase", "a phrase")]),
        ("wor*", [("", "prefix", "wor")]),
        ("+wor*", [("+", "prefix", "wor")]),
        ("-wor*", [("-", "prefix", "wor")]),
        ("*", [("", "all", "")]),
        ("  *\n", [("", "all", "")]),
        ("", []),
        (" \t\n ", []),
    ],
)
def test_each_kind_of_clause_is_understood(query: str, expected: list[tuple[str, str, str]]) -> None:
    assert parsed(query) == expected


def test_clauses_keep_their_order_and_may_be_divided_by_any_white_space() -> None:
    assert parsed('fast\t+python\u3000-java\n"machine learning"') == [
        ("", "word", "fast"),
        ("+", "word", "python"),
        ("-", "word", "java"),
        ("", "phrase", "machine learning"),
    ]


@pytest.mark.parametrize(
    ("query", "texts"),
    [
        ('"machine learning', ['"machine', "learning"]),
        ('learning" machine', ['learning"', "machine"]),
        ('"a b" "c d', ["a b", '"c', "d"]),
    ],
)
def test_an_unbalanced_quote_is_text(query: str, texts: list[str]) -> None:
    assert [text for _, _, text in parsed(query)] == texts


def test_an_unbalanced_quote_does_not_lose_the_sign_before_it() -> None:
    assert parsed('-"java beans') == [("-", "word", '"java'), ("", "word", "beans")]


def test_a_quote_after_a_letter_or_digit_is_text() -> None:
    assert [kind for _, kind, _ in parsed('5" disk 3" tape')] == ["word"] * 4


def test_a_quote_after_punctuation_starts_a_phrase() -> None:
    assert ("", "phrase", "machine learning") in parsed('title:"machine learning"')
    assert ("", "phrase", "machine learning") in parsed('("machine learning")')


@pytest.mark.parametrize("query", ["--verbose", "++x", "+-x", "-+x"])
def test_two_signs_are_text(query: str) -> None:
    assert [(sign, kind) for sign, kind, _ in parsed(query)] == [("", "word")]


@pytest.mark.parametrize("query", ["+", "-", "- +", "()", '""', "-*", "**", "((((", "&& || !", "'"])
def test_punctuation_alone_is_no_clause(query: str) -> None:
    assert parsed(query) == []


def test_a_sign_inside_a_word_is_text() -> None:
    assert parsed("C++ rate-limiting a+b") == [
        ("", "word", "C++"),
        ("", "word", "rate-limiting"),
        ("", "word", "a+b"),
    ]


def test_an_asterisk_inside_a_word_is_text() -> None:
    assert parsed("wo*rd *word") == [("", "word", "wo*rd"), ("", "word", "*word")]


def test_sixty_four_clauses_are_accepted_and_one_more_is_not() -> None:
    assert len(parse_text("word " * 64)) == 64
    with pytest.raises(Invalid, match="64 clauses"):
        parse_text("word " * 65)


def test_punctuation_does_not_count_as_clauses() -> None:
    assert parse_text("- " * 200 + "word") == (Clause("", "word", "word"),)


def test_two_thousand_characters_are_accepted_and_one_more_is_not() -> None:
    assert len(parse_text("x" * 2_000)) == 1
    with pytest.raises(Invalid, match="2000 characters"):
        parse_text("x" * 2_001)


def test_a_query_far_over_the_limit_fails_without_being_read() -> None:
    with pytest.raises(Invalid, match="2000 characters"):
        parse_text('("' * 5_000_000)


@pytest.mark.parametrize("flood", ["(", '"', "*", "+", "-", '+"', "a*", "\u0301"])
def test_floods_within_the_limit_are_answered(flood: str) -> None:
    query = flood * (2_000 // len(flood))
    assert len(parse_text(query)) <= 1


@pytest.mark.parametrize("character", ["\x00", "\x07", "\x1b", "\x1f", "\x7f", "\x80", "\x9f", "\ud800"])
def test_control_characters_and_half_characters_are_refused(character: str) -> None:
    with pytest.raises(Invalid, match="control characters") as refused:
        parse_text(f"secret{character}word")
    assert "secret" not in str(refused.value.failure())


@given(st.text(alphabet=st.characters(codec=None), max_size=300) | st.text(alphabet='+-"*( ab\n', max_size=300))
@settings(derandomize=True, deadline=None, suppress_health_check=list(HealthCheck), max_examples=500)
def test_any_text_is_clauses_or_a_failure(query: str) -> None:
    try:
        clauses = parse_text(query)
    except PlatformError:
        return
    for clause in clauses:
        assert clause.text in query
