import pytest

from indexer.engines.analyzers import stemmer
from indexer.engines.counts import WordCount
from indexer.schema.definition import Analysis
from indexer.search.corrections import choose_corrections


def chosen(word: str, **documents: int) -> tuple[str, ...]:
    nearby = [WordCount(near, count) for near, count in documents.items()]
    return choose_corrections(word, nearby, stemmer(Analysis()))


def test_the_fewest_edits_count_more_than_any_number_of_documents() -> None:
    assert chosen("lighthuose", lighthouse=1, lighthorse=1_000) == ("lighthouse",)


def test_swapped_and_omitted_letters_are_more_likely_than_wrong_ones() -> None:
    assert chosen("baot", boat=10, bait=40) == ("boat",)
    assert chosen("stram", stream=10, strap=40) == ("stream",)
    assert chosen("baot", boat=1, bait=1_000) == ("bait",)


def test_words_with_one_stem_are_one_correction() -> None:
    assert chosen("harbourx", harbour=5, harbours=7) == ("harbours",)
    assert chosen("xoats", boats=3, goats=2, goat=2) == ("boats", "goats")


def test_unlikely_corrections_are_left_out_and_others_bounded() -> None:
    assert chosen("xoat", boat=100, goat=10) == ("boat",)
    assert chosen("xoat", boat=9, goat=8, moat=7, coat=6) == ("boat", "goat", "moat")


def test_two_edits_leave_the_first_letter() -> None:
    assert chosen("gangernous", dangerous=3) == ()
    assert chosen("gangernous", gangrenous=3) == ("gangrenous",)


@pytest.mark.parametrize("order", [("boat", "goat"), ("goat", "boat")])
def test_the_order_of_equals_is_the_alphabet(order: tuple[str, ...]) -> None:
    assert chosen("xoat", **dict.fromkeys(order, 1)) == ("boat", "goat")
