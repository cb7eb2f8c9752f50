"""Analyzers: how the text of a field becomes tokens."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from indexer.schema.analysis import lowered

Analyzer = Literal["standard", "words"]
"""`standard` is Elasticsearch's default analyzer. `words` splits at everything but letters and digits."""

_IDEOGRAPH: Final = "\u3040-\u309f\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_MARK: Final = "\u00ad\u0300-\u036f\u200c\u200d"
_LETTER: Final = rf"[^\W\d_{_IDEOGRAPH}]"
_PATTERNS: Final[dict[Analyzer, re.Pattern[str]]] = {
    # An approximation of the word boundaries of Unicode (UAX 29) that suffices for sample data.
    "standard": re.compile(
        rf"(?:(?:{_LETTER}|[\d_{_MARK}])|(?<=[^\W\d_])['\u2019.:\u00b7](?={_LETTER})|(?<=\d)['.,;](?=\d))+"
        rf"|[{_IDEOGRAPH}]|[\U0001f300-\U0001faff]"
    ),
    "words": re.compile(r"[^\W_]+"),
}
_ONLY_JOINERS: Final = re.compile(rf"[_{_MARK}]+\Z")


@dataclass(frozen=True, slots=True)
class Token:
    """A token and its place in the text."""

    text: str
    start: int
    end: int


def tokens(text: str, analyzer: Analyzer) -> Iterator[Token]:
    """Tokenise a text; tokens are lowercased."""
    for match in _PATTERNS[analyzer].finditer(text):
        if not _ONLY_JOINERS.match(match[0]):
            yield Token(lowered(match[0]), match.start(), match.end())


def terms(text: str, analyzer: Analyzer) -> list[str]:
    """Return the texts of the tokens."""
    return [token.text for token in tokens(text, analyzer)]
