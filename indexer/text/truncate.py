"""Truncates text and JSON values without breaking them."""

import json
from dataclasses import dataclass
from typing import Any, Final

import orjson

from indexer.text.marks import ELLIPSIS, MARK, MARK_END, PIECES


@dataclass(frozen=True, slots=True)
class SizeLimits:
    """Limits for shortening: characters of a string, items of a list or object, highlights of a hit."""

    characters: int
    items: int
    highlights: int


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


def shorten_highlight(highlight: str, characters: int) -> str:
    """Truncate a highlight to visible characters: marks do not count and stay balanced, an entity counts as one."""
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
            items = list(value.items())[: limits.items]
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
