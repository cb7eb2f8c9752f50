"""Detects the language of a text by its script and its most frequent function words, without a model."""

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
_SAMPLE_LENGTH: Final = 2_000
_MIN_LETTERS: Final = 200
_MIN_SHARE: Final = 0.08
_MIN_LEAD: Final = 1.15


@cache
def _languages_by_word() -> Mapping[str, Sequence[str]]:
    """Return the languages of each function word."""
    languages: dict[str, list[str]] = {}
    for line in files(__package__).joinpath("small_words.txt").read_text("utf-8").splitlines():
        language, _, words = line.partition(": ")
        for word in words.split():
            languages.setdefault(word, []).append(language)
    return languages


def parse_language_tag(code: str) -> str | None:
    """Return the ISO 639-1 part of a language tag such as `en-US`."""
    first = code.strip().replace("_", "-").split("-")[0].lower()
    return first if len(first) == 2 and first.isascii() and first.isalpha() else None


def detect_language(text: str) -> str | None:
    """Return the ISO 639-1 code, or None if the text is too short or the result is not clear."""
    sample = text[:_SAMPLE_LENGTH]
    words = _WORD.findall(sample.lower())
    letters = sum(map(len, words))
    if letters < _MIN_LETTERS:
        return None
    if not sample.isascii():
        for language, pattern in _SCRIPTS:
            # Japanese contains Chinese characters: therefore it comes first, and the share is low.
            if len(pattern.findall(sample)) > letters * 0.2:
                return language
    languages = _languages_by_word()
    votes = Counter(language for word in words if word in languages for language in languages[word])
    best = votes.most_common(2)
    if not best or best[0][1] < len(words) * _MIN_SHARE:
        return None
    if len(best) > 1 and best[0][1] < best[1][1] * _MIN_LEAD:
        return None
    return best[0][0]
