"""Guesses the language of a text by its script and its most frequent small words: no model, no memory."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Final

_SCRIPTS: Final = (
    ("ja", re.compile(r"[\u3040-\u30ff]")),
    ("ko", re.compile(r"[\uac00-\ud7af]")),
    ("zh", re.compile(r"[\u4e00-\u9fff]")),
    ("el", re.compile(r"[\u0370-\u03ff]")),
    ("he", re.compile(r"[\u0590-\u05ff]")),
    ("hi", re.compile(r"[\u0900-\u097f]")),
    ("th", re.compile(r"[\u0e00-\u0e7f]")),
)
_WORD: Final = re.compile(r"[^\W\d_]+")
_SAMPLE: Final = 2_000
_LETTERS: Final = 200
_SHARE: Final = 0.08
_LEAD: Final = 1.15


@cache
def _languages_of() -> Mapping[str, Sequence[str]]:
    """Return the languages that have a small word, by word."""
    languages: dict[str, list[str]] = {}
    for line in files(__package__).joinpath("small_words.txt").read_text("utf-8").splitlines():
        language, _, words = line.partition(": ")
        for word in words.split():
            languages.setdefault(word, []).append(language)
    return languages


def declared(code: str) -> str | None:
    """Return the ISO 639-1 part of a language tag such as `en-US`."""
    first = code.strip().replace("_", "-").split("-")[0].lower()
    return first if len(first) == 2 and first.isascii() and first.isalpha() else None


def detected(text: str) -> str | None:
    """Return the ISO 639-1 code, or None where the text is short or the vote is close."""
    sample = text[:_SAMPLE]
    words = _WORD.findall(sample.lower())
    letters = sum(map(len, words))
    if letters < _LETTERS:
        return None
    if not sample.isascii():
        for language, pattern in _SCRIPTS:
            # Japanese mixes in Chinese characters, hence the low share; it stands first for the same reason.
            if len(pattern.findall(sample)) > letters * 0.2:
                return language
    known = _languages_of()
    votes = Counter(language for word in words if word in known for language in known[word])
    best = votes.most_common(2)
    if not best or best[0][1] < len(words) * _SHARE:
        return None
    if len(best) > 1 and best[0][1] < best[1][1] * _LEAD:
        return None
    return best[0][0]
