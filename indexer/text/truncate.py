"""Truncates text and JSON values without breaking them."""

import json
import sys
from dataclasses import dataclass
from typing import Any, Final

import orjson

from indexer.text.marks import ELLIPSIS, MARK, MARK_END, PIECES, characters_of, skip_characters


@dataclass(frozen=True, slots=True)
class SizeLimits:
    """Limits for shortening. Without highlights, a hit has no excerpts of any kind."""

    characters: int
    """Of a string, and of a highlight without its marks."""
    items: int
    """Of a list."""
    highlights: int
    """Of a hit."""
    keys: int | None = None
    """Of an object; as many as items of a list by default."""

    @property
    def max_keys(self) -> int:
        return self.items if self.keys is None else self.keys

    def within(self, other: "SizeLimits") -> "SizeLimits":
        """Return the smaller of both limits, for each kind."""
        return SizeLimits(
            min(self.characters, other.characters),
            min(self.items, other.items),
            min(self.highlights, other.highlights),
            min(self.max_keys, other.max_keys),
        )


UNLIMITED: Final = SizeLimits(sys.maxsize, sys.maxsize, sys.maxsize)
LIMITS_FOR_ALL: Final = (SizeLimits(2_000, 200, 3), SizeLimits(500, 50, 3), SizeLimits(200, 20, 3))
"""Tried in turn on all hits of a page, before hits are dropped."""
LIMITS_FOR_ONE: Final = (SizeLimits(100, 10, 1), SizeLimits(40, 4, 1), SizeLimits(20, 2, 1), SizeLimits(0, 0, 0))
"""Tried in turn on a single hit or value that must fit."""


def json_size(value: Any) -> int:
    """Return the length of a value as ASCII JSON with spaces, the longest of the usual formats."""
    return len(json.dumps(value))


def fits(value: Any, size: int) -> bool:
    """Return whether `json_size(value) <= size`; faster if the value is far below the limit."""
    try:
        raw = orjson.dumps(value)
    except TypeError:
        return json_size(value) <= size
    non_ascii = len(raw) - len(raw.decode("ascii", "ignore"))
    # Python's JSON adds spaces and may write longer numbers; each byte of a non-ASCII character becomes three at most.
    upper_bound = len(raw) + 3 * sum(map(raw.count, (b",", b":", b"["))) + 2 * non_ascii
    return upper_bound <= size or json_size(value) <= size


def shorten_text(text: str, characters: int) -> str:
    """Truncate plain text with an ellipsis."""
    return text if len(text) <= characters else text[: max(characters - 1, 0)] + ELLIPSIS


def shorten_title(title: str, limits: SizeLimits) -> str:
    """Truncate a title, but never so far that it cannot be recognised."""
    return shorten_text(title, max(limits.characters, 40))


def shorten_highlight(highlight: str, characters: int) -> str:
    """Return a highlight in one line, truncated to visible characters around its first mark.

    Marks do not count and stay balanced, an entity counts as one.
    """
    line = " ".join(highlight.split())
    if len(line) <= characters or characters_of(line) <= characters:
        return line
    return _cut_end(_cut_start(line, characters), characters)


def _cut_start(highlight: str, characters: int) -> str:
    """Skip words from the start if the first mark would otherwise not be shown with the words around it."""
    before, mark, _ = highlight.partition(MARK)
    lead = characters_of(before)
    start = min(lead - characters // 3, characters_of(highlight) - characters)
    if not mark or start <= 0:
        return highlight
    rest = skip_characters(highlight, start)
    gap = rest.find(" ", 0, rest.index(MARK))
    return ELLIPSIS + rest[gap + 1 :]


def _cut_end(highlight: str, characters: int) -> str:
    kept: list[str] = []
    visible = 0
    opened = False
    for piece in PIECES.findall(highlight):
        if piece in {MARK, MARK_END}:
            opened = piece == MARK
        else:
            visible += 1
        if visible > characters:
            return "".join([*kept, MARK_END if opened else "", ELLIPSIS])
        kept.append(piece)
    return highlight


def shorten_value(value: Any, limits: SizeLimits) -> Any:
    """Truncate the strings, lists and objects in a JSON value."""
    match value:
        case str():
            return shorten_text(value, limits.characters)
        case list():
            return [shorten_value(item, limits) for item in value[: limits.items]]
        case dict():
            items = list(value.items())[: limits.max_keys]
            return {shorten_text(key, limits.characters): shorten_value(item, limits) for key, item in items}
        case _:
            return value


def shorten_to(value: Any, size: int) -> Any:
    """Truncate a JSON object or list until its JSON is no longer than `size`."""
    if json_size(value) <= size:
        return value
    return next(
        (
            short
            for limits in (*LIMITS_FOR_ALL, *LIMITS_FOR_ONE)
            if json_size(short := shorten_value(value, limits)) <= size
        ),
        shorten_value(value, LIMITS_FOR_ONE[-1]),
    )


def truncate_text(text: str, size: int) -> str:
    """Return the start of a text, cut so that its JSON is no longer than `size`; at least one character."""
    count = min(len(text), max(size, 1))
    while count > 1 and (needed := json_size(text[:count])) > size:
        count = max(1, min(count - 1, count * size // needed))
    return text[:count]
