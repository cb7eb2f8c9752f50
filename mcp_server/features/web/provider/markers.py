"""Finds the markers that cite a source in a text, so that a passage can be read without them.

A provider writes a marker behind the sentence that a source supports: ([reuters.com](https://reuters.com/reefs)).
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from mcp_server.features.web.provider.removal import Span

_HOST: Final = r"(?:[\w-]+\.)+[^\W\d_]{2,}"
_URL: Final = r"\((?:[^()\s]|\([^()\s]*\))*+\)"
_LINK: Final = rf"\[[^\[\]\n]*\]{_URL}"
_BLANKS: Final = r"[ \t]*+"
_ALL_BLANKS: Final = rf"(?<![ \t]){_BLANKS}"
"""A run of blanks from its start, so that a long run is read only once."""
_SEPARATOR: Final = rf"{_BLANKS}(?:[,;]{_BLANKS})?+"
_IN_PARENTHESES: Final = rf"\({_LINK}(?:{_SEPARATOR}{_LINK})*\)"
_GROUP: Final = rf"{_IN_PARENTHESES}(?:{_SEPARATOR}{_IN_PARENTHESES})*"
_AFTER_SENTENCE: Final = r"(?<=[.!?\u3002\uff01\uff1f])"
_SHORT_LINK: Final = rf"\[(?:{_HOST}|\d+)\]{_URL}"
"""A link whose label is only a host or a number. It is a marker behind a sentence, and a word within one."""
_MARKERS: Final = re.compile(
    rf"{_AFTER_SENTENCE}{_BLANKS}{_GROUP}\.(?!\w)"  # a full stop before the markers and one behind them
    rf"|{_ALL_BLANKS}{_GROUP}"
    rf"|{_AFTER_SENTENCE}{_BLANKS}{_SHORT_LINK}"
    rf"|{_ALL_BLANKS}{_SHORT_LINK}(?!{_BLANKS}[\w,:])"
    rf"|\[(?P<label>[^\[\]\n]*)\]{_URL}"
)
_BARE_MARKER: Final = re.compile(
    rf"\([^\s()]*\)|\[[^\s\[\]]*\]|\u3010[^\u3010\u3011\n]*\u3011|(?:https?://)?{_HOST}(?:[/?#]\S*)?"
)
"""What an annotation may span instead of a link: (host), [1], a host or a URL."""


def marker_spans(text: str, cited: Iterable[Span]) -> list[Span]:
    """Return the spans of markers, in order. Of a link within a sentence, only the label is left."""
    linked = [span for match in _MARKERS.finditer(text) for span in _spans_of(match)]
    spans = sorted({*linked, *_bare_spans(text, cited)})
    joined: list[Span] = []
    for start, end in spans:
        if joined and start < joined[-1][1]:
            joined[-1] = joined[-1][0], max(end, joined[-1][1])
        else:
            joined.append((start, end))
    return joined


def _spans_of(match: re.Match[str]) -> Iterator[Span]:
    if match["label"] is None:
        yield match.span()
        return
    label_start, label_end = match.span("label")
    yield match.start(), label_start
    yield label_end, match.end()


def _bare_spans(text: str, cited: Iterable[Span]) -> Iterator[Span]:
    for start, end in cited:
        if _BARE_MARKER.fullmatch(text, start, end) is None:
            continue
        if text[start - 1 : start] == "(" and text[end : end + 1] == ")":
            start, end = start - 1, end + 1  # noqa: PLW2901 - the parentheses belong to the marker
        while text[start - 1 : start] in {" ", "\t"}:
            start -= 1  # noqa: PLW2901 - as do the blanks before it
        yield start, end
