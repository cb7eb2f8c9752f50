"""How text becomes tokens: the same in Python and on both engines. Text must be NFC.

A token is one character of a script written without spaces, or a run of at least `min_length` other word characters.
Tokens of more than `LONGEST_TOKEN` bytes of UTF-8 are dropped. If the definition says so, each character is lowercased.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import Final, Literal

from indexer.schema.characters import ROLES, Ranges, escaped_class, is_word_character, literal_class, ranges
from indexer.schema.definition import Analysis

LONGEST_TOKEN: Final = 255
"""In bytes of UTF-8, before lowercasing. Lucene counts UTF-16 units instead, which no query can observe."""
LOWERED_SPECIALLY: Final = ("\u0130", "i\u0307")
"""The only character that lowercases to two. Lucene makes it a plain i, so its analyzer replaces it first."""
_FIRST_SUPPLEMENTARY: Final = 0x10000
_MIN_LENGTH_FOR_ONE_EDIT: Final = 4
_MIN_LENGTH_FOR_TWO_EDITS: Final = 8


def tokens(text: str, analysis: Analysis) -> list[str]:
    """Return the tokens of an unstemmed field, in order."""
    matches = _find_tokens(text, analysis)
    return [lowered(token) for token in matches] if analysis.lowercase else matches


def count_tokens(text: str, analysis: Analysis) -> int:
    """Return the number of tokens, faster than `len(tokens(…))`."""
    if text.isascii():
        return _count_ascii(text, analysis)
    # No token contains white space.
    parts = text.split()
    ascii_text = " ".join([part for part in parts if part.isascii()])
    rest = " ".join([part for part in parts if not part.isascii()])
    return _count_ascii(ascii_text, analysis) + len(_find_tokens(rest, analysis))


def find_words(text: str) -> Iterator[re.Match[str]]:
    """Find the words of a text, of any length and as written: what tokens are made of."""
    return _token_regex(1).finditer(text)


def lowered(text: str) -> str:
    """Lowercase each character by itself: the engines have no rule for a sigma at the end of a word."""
    return text.replace("\N{GREEK CAPITAL LETTER SIGMA}", "\N{GREEK SMALL LETTER SIGMA}").lower()


def token_pattern(analysis: Analysis) -> str:
    """Return the regular expression of a token, for tantivy's regex tokenizer."""
    word, single = (escaped_class(ranges(role)) for role in ROLES)
    return f"{word}{{{analysis.min_length},}}|{single}"


def token_regex(analysis: Analysis) -> re.Pattern[str]:
    """Return a regular expression that finds the same tokens as `token_pattern`."""
    return _token_regex(analysis.min_length)


def simple_pattern(analysis: Analysis) -> str:
    """Return the regular expression of a token for Lucene's `simple_pattern` tokenizer."""
    word, single = (literal_class(ranges(role)) for role in ROLES)
    return f"{word}{{{analysis.min_length},}}|{single}"


def max_edits(length: int) -> Literal[0, 1, 2]:
    """Return the maximum edit distance of a fuzzy word with this many letters."""
    if length < _MIN_LENGTH_FOR_ONE_EDIT:
        return 0
    return 1 if length < _MIN_LENGTH_FOR_TWO_EDITS else 2


def _find_tokens(text: str, analysis: Analysis) -> list[str]:
    matches = _token_regex(analysis.min_length).findall(text)
    return [token for token in matches if len(token) * 4 <= LONGEST_TOKEN or len(token.encode()) <= LONGEST_TOKEN]


def _count_ascii(text: str, analysis: Analysis) -> int:
    """Count without a regular expression, in a quarter of the time."""
    words = text.translate(_ascii_separators()).split()
    return sum([analysis.min_length <= len(word) <= LONGEST_TOKEN for word in words])


@cache
def _ascii_separators() -> dict[int, str]:
    """Return a translation of each ASCII character that is part of no word to a space."""
    return {code: " " for code in range(128) if not is_word_character(chr(code))}


@cache
def _token_regex(min_length: int) -> re.Pattern[str]:
    """Compile an equivalent of `token_pattern` that is six times as fast in Python.

    `re` uses a lookup table for ranges up to U+FFFF; a lookahead guards the slow ranges above.
    """
    word, single = (_guarded_class(ranges(role)) for role in ROLES)
    return re.compile(f"(?:{word}){{{min_length},}}|{single}")


def _guarded_class(all_ranges: Ranges) -> str:
    basic = tuple(pair for pair in all_ranges if pair[1] < _FIRST_SUPPLEMENTARY)
    supplementary = tuple(pair for pair in all_ranges if pair[0] >= _FIRST_SUPPLEMENTARY)
    return rf"{escaped_class(basic)}|(?=[\U00010000-\U0010FFFF]){escaped_class(supplementary)}"
