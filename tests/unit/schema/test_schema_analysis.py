import re
import unicodedata
from itertools import pairwise

import pytest
import regex
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from indexer.schema.analysis import count_tokens, max_edits, token_pattern, tokens
from indexer.schema.characters import ROLES, ranges
from indexer.schema.definition import Analysis
from indexer.schema.languages import LANGUAGES, NO_LANGUAGE, SNOWBALL, overrides

PLAIN = Analysis()
SHORTEST = Analysis(min_length=1)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Python rate limiting with token buckets", ["python", "rate", "limiting", "with", "token", "buckets"]),
        ("don't rate-limit snake_case", ["don", "rate", "limit", "snake_case"]),
        ("x² ½ 3.14 v2", ["x²", "14", "v2"]),
        ("漢字とかな カタカナ", ["漢", "字", "と", "か", "な", "カタカナ"]),
        ("ภาษาไทย", list("ภาษาไทย")),
        ("ພາສາລາວ", list("ພາສາລາວ")),
        ("ភាសាខ្មែរ", list("ភាសាខ្មែរ")),
        ("မြန်မာ", list("မြန်မာ")),
        ("हिन्दी", ["हिन्दी"]),
        ("ΣΟΦΟΣ", ["σοφοσ"]),
        ("İstanbul DIYARBAKIR", ["i̇stanbul", "diyarbakir"]),
        ("Straße ǅ", ["straße"]),
        ("\U0001d4b3\U0001d4b4 𐐀𐐁 😀", ["\U0001d4b3\U0001d4b4", "𐐨𐐩"]),
        ("a\u200bbc", ["bc"]),
        ("", []),
    ],
)
def test_text_becomes_these_tokens(text: str, expected: list[str]) -> None:
    assert tokens(text, PLAIN) == expected


def test_case_is_kept_where_it_matters() -> None:
    assert tokens("Straße İ ΣΣ", Analysis(lowercase=False)) == ["Straße", "ΣΣ"]


@pytest.mark.parametrize("shortest", [1, 3, 20])
def test_shorter_words_are_left_out_but_not_single_characters(shortest: int) -> None:
    text = "a bb ccc 漢 " + "d" * 20
    expected = [word for word in text.split() if len(word) >= shortest or word == "漢"]
    assert tokens(text, Analysis(min_length=shortest)) == expected


@pytest.mark.parametrize("character", ["x", "é", "ж", "\U00010400"])
def test_tokens_of_more_than_255_bytes_are_left_out(character: str) -> None:
    fitting = character * (255 // len(character.encode()))
    text, analysis = f"{fitting} {fitting}{character} end", Analysis(lowercase=False)
    assert tokens(text, analysis) == [fitting, "end"]
    assert count_tokens(text, analysis) == 2


def test_no_token_contains_white_space() -> None:
    # Tokens are counted in the parts between white space.
    spaces = [character for character in map(chr, range(0x110000)) if character.isspace()]
    assert not any(first <= ord(space) <= last for role in ROLES for first, last in ranges(role) for space in spaces)


@given(st.text(max_size=200), st.integers(1, 20), st.booleans())
@settings(derandomize=True, deadline=None, suppress_health_check=list(HealthCheck), max_examples=300)
def test_tokens_are_what_the_pattern_for_the_engines_finds(text: str, min_length: int, lowercase: bool) -> None:
    analysis = Analysis(min_length=min_length, lowercase=lowercase)
    found = re.findall(token_pattern(analysis), text)
    lowered = ["".join(letter.lower() for letter in token) for token in found]
    assert tokens(text, analysis) == (lowered if lowercase else found)
    assert count_tokens(text, analysis) == len(found)


def test_no_character_is_both_part_of_words_and_a_token_of_its_own() -> None:
    both = sorted(pair for role in ROLES for pair in ranges(role))
    assert all(first <= last for first, last in both)
    assert all(before[1] < after[0] for before, after in pairwise(both))


def test_the_characters_agree_with_the_properties_that_describe_them() -> None:
    letters = regex.compile(r"[\p{L}\p{N}\p{M}_]")
    single = regex.compile(
        r"[\p{Han}\p{Hiragana}]|[[\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]&&[\p{L}\p{N}\p{M}]]", regex.V1
    )
    listed = {role: {point for first, last in ranges(role) for point in range(first, last + 1)} for role in ROLES}
    for point in range(0x20000):
        character = chr(point)
        category = unicodedata.category(character)
        newer_capital = category == "Lu" and point not in listed["word"]
        if newer_capital or category in {"Cn", "Cs", "Co"}:
            continue
        alone = bool(single.match(character))
        assert (point in listed["single"]) == alone, hex(point)
        assert (point in listed["word"]) == (not alone and bool(letters.match(character))), hex(point)


def test_no_listed_character_lowers_to_one_that_is_not_listed() -> None:
    for first, last in ranges("word"):
        for point in range(first, last + 1):
            assert len(tokens(chr(point).lower(), SHORTEST)) == 1, hex(point)


@pytest.mark.parametrize(("length", "edits"), [(0, 0), (3, 0), (4, 1), (7, 1), (8, 2), (100, 2)])
def test_edits_grow_with_the_word(length: int, edits: int) -> None:
    assert max_edits(length) == edits


def test_english_is_offered_and_none_and_german_is_not() -> None:
    assert {"english", NO_LANGUAGE} <= set(LANGUAGES)
    assert "german" not in LANGUAGES


def test_overrides_are_single_tokens_for_offered_languages() -> None:
    assert overrides("english")["evening"] == "evening"
    assert overrides("spanish") == {}
    for language in SNOWBALL:
        for word, stem in overrides(language).items():
            assert tokens(word, Analysis(lowercase=False)) == [word]
            assert tokens(stem, Analysis(lowercase=False)) == [stem]
