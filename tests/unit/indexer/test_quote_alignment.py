"""A quotation and a text, word by word."""

import random
import time

import pytest

from indexer.quotes.alignment import Extent, align
from indexer.quotes.match import Passage, match_quote
from indexer.quotes.windows import WHOLE_LENGTH
from indexer.quotes.words import normalized, words_of


def distance_by_table(quote: list[str], text: list[str]) -> int:
    """Return the smallest edit distance of the quotation to any part of the text, the slow and plain way."""
    row = [0] * (len(text) + 1)
    for number, word in enumerate(quote, start=1):
        previous, row = row, [number]
        for place, other in enumerate(text, start=1):
            row.append(min(previous[place - 1] + (word != other), previous[place] + 1, row[-1] + 1))
    return min(row)


def edit_distance(quote: list[str], text: list[str]) -> int:
    row = list(range(len(text) + 1))
    for number, word in enumerate(quote, start=1):
        previous, row = row, [number]
        for place, other in enumerate(text, start=1):
            row.append(min(previous[place - 1] + (word != other), previous[place] + 1, row[-1] + 1))
    return row[-1]


@pytest.mark.parametrize("seed", range(200))
def test_the_distance_is_that_of_the_plain_table_and_the_extents_have_it(seed: int) -> None:
    chance = random.Random(seed)
    letters = "abcdef"[: chance.randint(2, 6)]
    quote = chance.choices(letters, k=chance.randint(1, 12))
    text = chance.choices(letters, k=chance.randint(0, 40))
    found = align(quote, text, max_extents=3)
    assert found.distance == min(distance_by_table(quote, text), len(quote))
    for extent in found.extents:
        assert edit_distance(quote, text[extent.start : extent.end]) == found.distance


def test_replaced_words_at_both_ends_belong_to_the_extent() -> None:
    assert align(["x", "b", "c", "d", "y"], ["0", "a", "b", "c", "d", "e", "9"]).extents == [Extent(1, 6)]


def passage_of(quote: str, text: str) -> tuple[str, float] | None:
    found = match_quote(words_of(normalized(quote)), text)
    return found and (text[found.passages[0].start : found.passages[0].end], found.difference)


@pytest.mark.parametrize(
    ("quote", "text", "passage"),
    [
        ("the ﬁne net", "There: The fine net, torn.", "The fine net"),
        ("the fine net", "a text with the ﬁne net", "the ﬁne net"),
        ("a hyphen-\nation rule", "no. A hyphenation rule.", "A hyphenation rule"),
        ("a hyphenation rule", "no. A hyphen-\n  ation rule.", "A hyphen-\n  ation rule"),
        ("a rate-\nlimiting step", "has a rate-limiting step", "a rate-limiting step"),
        ("hy\u00adphen\u00adation rule", "a hyphenation rule", "hyphenation rule"),
        ("“don\u2019t” — he said", 'said: "Don\'t" - he said', "Don't\" - he said"),
        ("towed\r\n   along the\nbed", "is towed along the bed.", "towed along the bed"),
        ("网在海底", "拖网在海底拖行", "网在海底"),
        ("ΔΡΟΜΟΣ ΩΣ", "ο δρομος ως", "δρομος ως"),  # noqa: RUF001 - Greek letters
    ],
)
def test_spelling_variants_are_exact(quote: str, text: str, passage: str) -> None:
    assert passage_of(quote, text) == (passage, 0.0)


def test_the_difference_is_the_share_of_words_that_differ() -> None:
    text = "An otter trawl is towed along the sea bed by one vessel."
    assert passage_of("otter trawl was towed along a sea bed by vessel", text) == (
        "otter trawl is towed along the sea bed by one vessel",
        0.3,
    )
    assert passage_of("nothing like this stands anywhere", text) is None


def test_all_places_of_a_passage_are_found_in_order() -> None:
    text = "The net is wet. So what? The net is wet."
    found = match_quote(words_of("the net is wet"), text)
    assert found is not None
    assert found.passages == [Passage(0, 14), Passage(25, 39)]


def test_a_passage_is_found_deep_in_a_long_text() -> None:
    chance = random.Random(3)
    vocabulary = ["".join(chance.choices("abcdefghij", k=chance.randint(2, 9))) for _ in range(3_000)]
    words = chance.choices(vocabulary, k=400_000)
    text = " ".join(words)
    assert len(text) > 20 * WHOLE_LENGTH
    for start in (0, 123_456, len(words) - 20):
        quote = words[start : start + 20]
        quote[4], quote[9], quote[15] = "other", "words", "here"
        found = passage_of(" ".join(quote), text)
        assert found == (" ".join(words[start : start + 20]), 0.15)


@pytest.mark.parametrize("quote", ["aa " * 666, "a " * 1_000, "a" * 2_000, "aa bb " * 333])
def test_a_hostile_quotation_against_a_hostile_text_takes_bounded_time(quote: str) -> None:
    text = "aa " * 1_000_000
    started = time.process_time()
    match_quote(words_of(quote), text)
    assert time.process_time() - started < 2


def test_words_in_order_with_gaps_are_found_and_each_gap_counts_once() -> None:
    passage = "The net, held open by two heavy boards of wood, is towed slowly and for hours along the sea bed"
    text = f"{'Nothing here. ' * 50}Before. {passage}. After."
    found = match_quote(words_of("The net is towed along the sea bed"), text)
    assert found is not None
    assert (found.has_gaps, found.difference) == (True, 0.25)
    assert [text[each.start : each.end] for each in found.passages] == [passage]


def test_words_in_another_order_are_no_quotation() -> None:
    text = "Bed sea the along it towed boat a where is net the that says he " * 20
    assert match_quote(words_of("the net is towed along the sea bed by a boat"), text) is None
