"""What goes between a worker and its reading child: frames of a length and JSON; nothing received is trusted."""

import struct
from collections.abc import Iterator, Sequence
from typing import Any, Final, TypeGuard, get_args

import orjson

from indexer.archives.parsed import Link, LinkKind, ParsedDocument, Place
from workers.parsers.builder import TEXT_LIMIT
from workers.parsers.cleaning import is_clean
from workers.parsers.failures import ParseFailure

REQUEST: Final = struct.Struct("!IQ")
"""The length of the file's name and of its bytes, which follow in this order."""
ANSWER: Final = struct.Struct("!I")
"""The length of the JSON that follows."""
READY: Final = ANSWER.pack(0)
"""What a child sends once, when it has started."""
LONGEST_ANSWER: Final = 100_000_000
_LONGEST_REASON: Final = 300
_LONGEST_FIELD: Final = 2_000
_MOST_ITEMS: Final = 100_000
_LARGEST: Final = 2**31
_KINDS: Final = frozenset(get_args(LinkKind))
_FIELDS: Final = ("title", "text", "date", "authors", "tags", "language", "canonical_url", "doi")


class Malformed(Exception):
    """The child sent what no sound child sends."""


def request(name: str, data: bytes) -> bytes:
    """Return what asks for one file to be read."""
    encoded = name.encode("utf-8", "replace")
    return b"".join((REQUEST.pack(len(encoded), len(data)), encoded, data))


def answer(result: ParsedDocument | ParseFailure, *, last: bool) -> bytes:
    """Return the frame of a result; `last` says that this child wants to be replaced."""
    fields: dict[str, Any] = {"last": last}
    if isinstance(result, ParseFailure):
        fields["refused"] = result.reason
    else:
        fields.update((name, getattr(result, name)) for name in _FIELDS)
        fields["links"] = [(link.target, link.kind, link.start) for link in result.links]
        # Many places share a heading: each is sent, and checked, once.
        numbers: dict[str | None, int] = {None: 0}
        fields["places"] = [
            (place.start, place.page, numbers.setdefault(place.heading, len(numbers)), place.line)
            for place in result.places
        ]
        fields["headings"] = list(numbers)[1:]
    packed = orjson.dumps(fields)
    return ANSWER.pack(len(packed)) + packed


def result(packed: bytes) -> tuple[ParsedDocument | ParseFailure, bool]:
    """Return what the JSON of an answer holds, checked field by field, and whether the child wants to be replaced."""
    try:
        fields = orjson.loads(packed)
    except orjson.JSONDecodeError:
        raise Malformed from None
    if not isinstance(fields, dict):
        raise Malformed
    last = fields.get("last") is True
    if "refused" in fields:
        return ParseFailure(_text(fields["refused"], _LONGEST_REASON)), last
    text = _text(fields.get("text"), TEXT_LIMIT)
    if not text:
        raise Malformed
    return (
        ParsedDocument(
            title=_text(fields.get("title"), _LONGEST_FIELD),
            text=text,
            date=_optional(fields.get("date")),
            authors=_texts(fields.get("authors")),
            tags=_texts(fields.get("tags")),
            language=_optional(fields.get("language")),
            canonical_url=_optional(fields.get("canonical_url")),
            doi=_optional(fields.get("doi")),
            links=tuple(_link(item, len(text)) for item in _items(fields.get("links"), 3)),
            places=tuple(_places(fields, len(text))),
        ),
        last,
    )


def _text(value: object, limit: int) -> str:
    if not isinstance(value, str) or len(value) > limit or not is_clean(value):
        raise Malformed
    return value


def _optional(value: object) -> str | None:
    return None if value is None else _text(value, _LONGEST_FIELD)


def _texts(value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or len(value) > _MOST_ITEMS:
        raise Malformed
    return tuple(_text(item, _LONGEST_FIELD) for item in value)


def _items(value: object, size: int) -> list[Sequence[Any]]:
    if not isinstance(value, list) or len(value) > _MOST_ITEMS:
        raise Malformed
    if not all(isinstance(item, list) and len(item) == size for item in value):
        raise Malformed
    return value


def _is_count(value: object, most: int) -> TypeGuard[int]:
    return type(value) is int and 0 <= value <= most


def _link(item: Sequence[Any], length: int) -> Link:
    target, kind, start = item
    if kind not in _KINDS or not _is_count(start, length):
        raise Malformed
    return Link(_text(target, _LONGEST_FIELD), kind, start)


def _places(fields: dict[str, Any], length: int) -> Iterator[Place]:
    headings = (None, *_texts(fields.get("headings")))
    last = len(headings) - 1
    for start, page, heading, line in _items(fields.get("places"), 4):
        if not (_is_count(start, length) and _is_count(heading, last)):
            raise Malformed
        if not ((page is None or _is_count(page, _LARGEST)) and (line is None or _is_count(line, _LARGEST))):
            raise Malformed
        yield Place(start, page, headings[heading], line)
