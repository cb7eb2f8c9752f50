"""How text becomes tokens, the same in Python and on both engines; text is NFC before it gets here.

A token is one character of a script written without spaces, or a run of at least `min_length` other word characters.
Tokens of more than `LONGEST_TOKEN` bytes of UTF-8 are left out. Then, by the definition, each character is lowered.
"""

import re
from functools import cache
from typing import Final, Literal

from indexer.schema.characters import ROLES, Ranges, escaped_class, literal_class, ranges
from indexer.schema.definition import Analysis

LONGEST_TOKEN: Final = 255
"""In bytes of UTF-8, before lowering; Lucene counts UTF-16 units instead, which no query can tell."""
LOWERED_SPECIALLY: Final = ("\u0130", "i\u0307")
"""The one character that lowers to two: Lucene lowers it to a plain i, so its analyzer replaces it in tokens first."""
_BEYOND: Final = 0x10000
_ONE_EDIT_FROM: Final = 4
_TWO_EDITS_FROM: Final = 8


def tokens(text: str, analysis: Analysis) -> list[str]:
    """Return the tokens of an unstemmed field, in order."""
    found = _kept(text, analysis)
    return [lowered(token) for token in found] if analysis.lowercase else found


def count_tokens(text: str, analysis: Analysis) -> int:
    """Return how many tokens a text has, faster than by listing them."""
    return len(_kept(text, analysis))


def lowered(text: str) -> str:
    """Lower each character by itself: engines know no rule for a sigma at the end of a word."""
    return text.replace("\N{GREEK CAPITAL LETTER SIGMA}", "\N{GREEK SMALL LETTER SIGMA}").lower()


def token_pattern(analysis: Analysis) -> str:
    """Return the regular expression of a token, for tantivy's regex tokenizer; Python's `re` reads it alike."""
    word, single = (escaped_class(ranges(role)) for role in ROLES)
    return f"{word}{{{analysis.min_length},}}|{single}"


def simple_pattern(analysis: Analysis) -> str:
    """Return the same for Lucene's `simple_pattern` tokenizer."""
    word, single = (literal_class(ranges(role)) for role in ROLES)
    return f"{word}{{{analysis.min_length},}}|{single}"


def most_edits(length: int) -> Literal[0, 1, 2]:
    """Return by how many edits a fuzzy word typed with so many letters may differ."""
    if length < _ONE_EDIT_FROM:
        return 0
    return 1 if length < _TWO_EDITS_FROM else 2


def _kept(text: str, analysis: Analysis) -> list[str]:
    found = _compiled(analysis.min_length).findall(text)
    return [token for token in found if len(token) * 4 <= LONGEST_TOKEN or len(token.encode()) <= LONGEST_TOKEN]


@cache
def _compiled(min_length: int) -> re.Pattern[str]:
    """Say `token_pattern` in a way that is six times as fast here: tables up to U+FFFF, and a guard before the rest."""
    word, single = (_guarded(ranges(role)) for role in ROLES)
    return re.compile(f"(?:{word}){{{min_length},}}|{single}")


def _guarded(all_ranges: Ranges) -> str:
    basic = tuple(pair for pair in all_ranges if pair[1] < _BEYOND)
    beyond = tuple(pair for pair in all_ranges if pair[0] >= _BEYOND)
    return rf"{escaped_class(basic)}|(?=[\U00010000-\U0010FFFF]){escaped_class(beyond)}"
