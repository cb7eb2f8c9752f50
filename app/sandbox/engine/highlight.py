"""Highlights: the sentences of a field in which a query matched, with the matched words in `<em>`."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, Final

from app.sandbox.engine.analysis import Token, tokens
from app.sandbox.engine.mapping import Field
from app.sandbox.engine.marks import Mark

_MAX_FRAGMENTS: Final = 5
_SENTENCE_END: Final = re.compile(r"(?<=[.!?])\s+")


def highlights(source: dict[str, Any], name: str, field: Field, marks: Sequence[Mark]) -> list[str]:
    """Return the marked sentences of a field's values."""
    found: list[str] = []
    for value in _values(source, name.split(".")):
        text = str(value)
        if field.type == "text":
            parts = list(tokens(text, field.analyzer))
            matched = set().union(*(mark.positions([part.text for part in parts]) for mark in marks))
            found += _marked_sentences(text, [parts[at] for at in sorted(matched)])
        elif any(text in terms for mark in marks for terms in mark.terms):
            found.append(f"<em>{text}</em>")
    return found[:_MAX_FRAGMENTS]


def _values(value: Any, path: Sequence[str]) -> Iterator[Any]:
    """Yield the values at a path; the name of a subfield, like `keyword`, leads nowhere and is passed over."""
    if isinstance(value, list):
        for each in value:
            yield from _values(each, path)
    elif isinstance(value, dict):
        if path and path[0] in value:
            yield from _values(value[path[0]], path[1:])
    elif value is not None:
        yield value


def _marked_sentences(text: str, matched: Sequence[Token]) -> Iterator[str]:
    bounds = [0, *(match.end() for match in _SENTENCE_END.finditer(text)), len(text)]
    for start, end in pairwise(bounds):
        inside = [token for token in matched if start <= token.start < end]
        if inside:
            marked, at = "", start
            for token in inside:
                marked += f"{text[at : token.start]}<em>{text[token.start : token.end]}</em>"
                at = token.end
            yield (marked + text[at:end]).rstrip()
