"""Random small collections: what `matched` says of a hit is what a search without `fuzzy` finds."""

import random

import pytest

from tests.contract.caller import Caller

_LETTERS = "abno"
_SIGNS = ("", "", "+", "-")


def _words(chance: random.Random, count: int) -> list[str]:
    """Return words of few letters, so that many are near each other."""
    return ["".join(chance.choices(_LETTERS, k=chance.choice((4, 5, 9)))) for _ in range(count)]


@pytest.mark.parametrize("seed", range(4))
async def test_a_hit_is_exact_if_and_only_if_it_is_found_without_fuzzy(caller: Caller, seed: int) -> None:
    chance = random.Random(seed)
    vocabulary = _words(chance, 40)
    await caller.fill({f"d{number}": " ".join(chance.choices(vocabulary, k=4)) for number in range(30)})
    corrected = 0
    for _ in range(25):
        typed = chance.choices([*vocabulary, *_words(chance, 40)], k=chance.choice((1, 2, 3)))
        query = " ".join(chance.choice(_SIGNS) + word for word in typed)
        exact = await caller.matching(query)
        found = await caller.search(query, fuzzy=True, k=1_000)
        corrected += bool(found["query_parsed"]["corrected"])
        by_words = {hit["doc_id"] for hit in found["results"] if hit["matched"] == "exact"}
        by_corrections = {hit["doc_id"] for hit in found["results"] if hit["matched"] == "fuzzy"}
        assert (query, by_words) == (query, exact)
        assert not by_corrections & exact
        assert found["query_parsed"]["corrected"] or not by_corrections
    assert corrected


@pytest.mark.parametrize("seed", range(2))
async def test_a_required_word_that_occurs_finds_the_same_with_fuzzy(caller: Caller, seed: int) -> None:
    chance = random.Random(seed)
    vocabulary = _words(chance, 30)
    documents = {f"d{number}": " ".join(chance.choices(vocabulary, k=3)) for number in range(20)}
    await caller.fill(documents)
    for word in sorted({word for text in documents.values() for word in text.split()}):
        assert await caller.matching(f"+{word}", fuzzy=True) == await caller.matching(f"+{word}")
