"""Misspelt queries: one random edit in one word, as a typist makes it."""

import random
import re
from string import ascii_lowercase

_LONG_WORDS = re.compile(r"[A-Za-z]{5,}")


def misspelt(query: str, chance: random.Random) -> str:
    """Return the query with one edit in one word of five letters or more; unchanged where it has no such word."""
    words = list(_LONG_WORDS.finditer(query))
    if not words:
        return query
    word = chance.choice(words)
    edited = word[0]
    while edited == word[0]:
        edited = _edited(word[0], chance)
    return query[: word.start()] + edited + query[word.end() :]


def _edited(word: str, chance: random.Random) -> str:
    letter, at = chance.choice(ascii_lowercase), chance.randrange(len(word))
    before, after = word[:at], word[at:]
    return chance.choice(
        (
            before + letter + after,
            before + after[1:],
            before + letter + after[1:],
            before + after[1:2] + after[:1] + after[2:],
        )
    )
