"""Cutting text and JSON values down without breaking them."""

import json
import re
from dataclasses import dataclass
from typing import Any, Final

import orjson

_PIECES: Final = re.compile(r"</?mark>|&[a-zA-Z0-9#]+;|.", re.DOTALL)
_ELLIPSIS: Final = "…"


@dataclass(frozen=True, slots=True)
class Room:
    """How much may stay: characters of a text, items of a list or an object, highlights of a hit."""

    characters: int
    items: int
    highlights: int


FOR_ALL: Final = (Room(2_000, 200, 3), Room(500, 50, 3), Room(200, 20, 3))
"""Tried in turn on everything before anything is left out."""
FOR_ONE: Final = (Room(100, 10, 1), Room(40, 4, 1), Room(20, 2, 1), Room(0, 0, 0))
"""Tried where one thing must fit."""


def json_size(value: Any) -> int:
    """Return how long a value is as plain ASCII JSON: the longest of its usual renderings."""
    return len(json.dumps(value))


def fits(value: Any, size: int) -> bool:
    """Say whether a value's `json_size` is at most this; most values are far below, and that is seen quickly."""
    try:
        raw = orjson.dumps(value)
    except TypeError:
        return json_size(value) <= size
    foreign = len(raw) - len(raw.decode("ascii", "ignore"))
    # after each sign a space, and a number may be longer; of a foreign character each byte becomes three at most
    most = len(raw) + 3 * sum(map(raw.count, (b",", b":", b"["))) + 2 * foreign
    return most <= size or json_size(value) <= size


def shorten_text(text: str, characters: int) -> str:
    """Cut a plain text, with an ellipsis for what is gone."""
    return text if len(text) <= characters else text[: max(characters - 1, 0)] + _ELLIPSIS


def shorten_highlight(highlight: str, characters: int) -> str:
    """Cut a highlight; marks stay balanced and entities whole, and neither counts more than what it shows."""
    kept: list[str] = []
    visible = 0
    opened = False
    for piece in _PIECES.findall(highlight):
        if piece in {"<mark>", "</mark>"}:
            opened = piece == "<mark>"
        else:
            visible += 1
        if visible > characters:
            return "".join([*kept, "</mark>" if opened else "", _ELLIPSIS])
        kept.append(piece)
    return highlight


def shorten_value(value: Any, room: Room) -> Any:
    """Cut the strings, lists and objects in a JSON value."""
    match value:
        case str():
            return shorten_text(value, room.characters)
        case list():
            return [shorten_value(item, room) for item in value[: room.items]]
        case dict():
            few = list(value.items())[: room.items]
            return {shorten_text(key, room.characters): shorten_value(item, room) for key, item in few}
        case _:
            return value


def shorten_to(value: Any, size: int) -> Any:
    """Cut a JSON object or list until its JSON is no longer than this."""
    if json_size(value) <= size:
        return value
    return next(
        (short for room in (*FOR_ALL, *FOR_ONE) if json_size(short := shorten_value(value, room)) <= size),
        shorten_value(value, FOR_ONE[-1]),
    )


def truncate_text(text: str, size: int) -> str:
    """Return the beginning of a text whose JSON is no longer than this; one character at least."""
    count = min(len(text), max(size, 1))
    while count > 1 and (needed := json_size(text[:count])) > size:
        count = max(1, min(count - 1, count * size // needed))
    return text[:count]
