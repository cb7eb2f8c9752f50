"""Tells whether two texts have the same words: a document that is in the archive and in an index is one result."""

import re
from functools import cached_property
from hashlib import blake2b
from string import punctuation
from typing import Final

_LINK_TARGETS: Final = re.compile(r"\]\([^()\s]*\)")
"""The archive stores Markdown as it reads, and an index as it is written."""
_BLANKS: Final = str.maketrans(dict.fromkeys(punctuation, " "))
_MAX_LENGTH: Final = 200_000
"""Longer texts are the same as no other, because comparing them would slow down every search."""
_ENDING: Final = 4_000
"""How many characters are searched for the last word: more than the longest link has."""
_LAST_LINE: Final = 200
"""In how many characters the last word usually is."""


class Content:
    """The words of a text, without regard to case and punctuation; with and without the title that it begins with.

    The archive puts titles before texts.
    """

    def __init__(self, text: str, title: str = "") -> None:
        self._text = text if len(text) <= _MAX_LENGTH else ""
        self._title = title

    @cached_property
    def last_word(self) -> str:
        """The last word, which equal contents share; empty for a blank or a long text."""
        ending = _LINK_TARGETS.sub(" ", self._text[-_ENDING:])
        words = _words(ending[-_LAST_LINE:]) or _words(ending)
        return words[-1] if words else ""

    @cached_property
    def digests(self) -> frozenset[bytes]:
        """One digest with the title and one without it; none for a blank or a long text."""
        words = _words(self._text)
        heading = _words(self._title)
        texts = [words, words[len(heading) :]] if heading and words[: len(heading)] == heading else [words]
        return frozenset(blake2b(" ".join(each).encode(), digest_size=16).digest() for each in texts if each)

    def equals(self, other: "Content") -> bool:
        """Return whether both have the same words; a blank or a long text equals none."""
        return self.last_word == other.last_word and not self.digests.isdisjoint(other.digests)


def _words(text: str) -> list[str]:
    return _LINK_TARGETS.sub(" ", text).lower().translate(_BLANKS).split()
