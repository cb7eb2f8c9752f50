"""Small documents made up by number, and queries whose share of the documents is known."""

import random
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import accumulate
from typing import Any

_WORDS = 20_000
_LENGTH = 12
_SEED = 19
_GROUPS = 1_000
_TOGETHER = 10
_START = datetime(2020, 1, 1, tzinfo=UTC)
_CONSONANTS, _VOWELS = "bdfgklmnprtv", "aeiou"


def documents(numbers: range) -> Iterator[dict[str, Any]]:
    """Yield the documents of these numbers: twelve words as in language, and one that ten documents share."""
    words, weights = _vocabulary()
    for number in numbers:
        chosen = random.Random(_SEED + number).choices(words, cum_weights=weights, k=_LENGTH)
        yield {
            "doc_id": f"d{number}",
            "content": " ".join([*chosen, rare_word(number)]),
            "metadata": {
                "all": 1,
                "half": number % 2,
                "group": number % _GROUPS,
                "number": _shuffled(number),
                "price": _shuffled(number) / 100,
                "at": (_START + timedelta(seconds=_shuffled(number))).isoformat(),
                "path": f"docs/{number % 100}/{number}.md",
                "declared": _shuffled(number),
            },
        }


def rare_word(number: int) -> str:
    """Return the word that this document shares with nine others."""
    return f"rare{number // _TOGETHER}"


def rare_queries(documents: int, count: int) -> list[str]:
    """Return queries of two words that are in twenty documents, however many there are."""
    chance = random.Random(_SEED)
    return [" ".join(rare_word(chance.randrange(documents)) for _ in range(2)) for _ in range(count)]


def usual_queries(count: int) -> list[str]:
    """Return queries of two words that are in as large a share of the documents, however many there are."""
    words, _ = _vocabulary()
    chance = random.Random(_SEED)
    return [" ".join(chance.sample(words[20:2_000], 2)) for _ in range(count)]


def _shuffled(number: int) -> int:
    """Return another number below a million for each below a million, so that values do not come in order."""
    return number * 700_001 % 1_000_000 + number // 1_000_000 * 1_000_000


@cache
def _vocabulary() -> tuple[Sequence[str], Sequence[float]]:
    """Return words of three syllables and how often the first so many of them occur together, by Zipf's law."""
    syllables = [first + second for first in _CONSONANTS for second in _VOWELS]
    chance = random.Random(_SEED)
    words = list(dict.fromkeys("".join(chance.choices(syllables, k=3)) for _ in range(2 * _WORDS)))[:_WORDS]
    return words, list(accumulate(1 / rank for rank in range(1, len(words) + 1)))
