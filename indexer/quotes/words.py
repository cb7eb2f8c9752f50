"""Words of quotations and texts in a form in which spelling variants are equal."""

import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Final
from unicodedata import normalize

from indexer.schema.analysis import find_words, lowered

_SOFT_HYPHEN: Final = "\u00ad"
_LINE_END_HYPHEN: Final = re.compile(r"(?<=\w)[-\u2010\u2011][^\S\n]*\r?\n\s*(?=\w)")


@dataclass(frozen=True, slots=True)
class Word:
    """A normalized word, and its place in the text."""

    text: str
    start: int
    end: int


def normalized(text: str) -> str:
    """Return a quotation without ligatures, soft hyphens and hyphens at line ends."""
    return _LINE_END_HYPHEN.sub("", normalize("NFKC", text).replace(_SOFT_HYPHEN, ""))


def words_of(text: str, start: int = 0, end: int | None = None) -> list[Word]:
    """Return the words of a part of a text."""
    part = text if start == 0 and end is None else text[start:end]
    return [Word(_normal(found[0]), start + found.start(), start + found.end()) for found in find_words(part)]


def join_split_words(words: list[Word], known: Collection[str]) -> list[Word]:
    """Join neighbours that together are a known word, of which the first is none itself: hyphens split words."""
    joined: list[Word] = []
    skip = False
    for word, following in zip(words, [*words[1:], None], strict=True):
        if skip:
            skip = False
            continue
        skip = following is not None and word.text not in known and word.text + following.text in known
        joined.append(
            Word(word.text + following.text, word.start, following.end) if skip and following is not None else word
        )
    return joined


def _normal(word: str) -> str:
    if word.isascii():
        return word.lower()
    return lowered(normalize("NFKC", word)).replace(
        "\N{GREEK SMALL LETTER FINAL SIGMA}", "\N{GREEK SMALL LETTER SIGMA}"
    )
