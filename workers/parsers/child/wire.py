"""The wire format between parent and child: length-prefixed frames, JSON in the responses.

The parent validates every field of a response, since a hostile file may have taken over the child.
"""

import struct
from collections.abc import Iterator, Sequence
from typing import Any, Final, TypeGuard, get_args

import orjson

from indexer.archives.parsed import Link, LinkKind, ParsedDocument, Place
from workers.parsers.builder import TEXT_LIMIT
from workers.parsers.cleaning import is_clean
from workers.parsers.failures import ParseFailure

REQUEST_HEADER: Final = struct.Struct("!IQ")
"""The lengths of the file's name and of its bytes, which follow in this order."""
RESPONSE_HEADER: Final = struct.Struct("!I")
"""The length of the JSON that follows."""
READY: Final = RESPONSE_HEADER.pack(0)
"""The empty frame that a child sends when it has started."""
MAX_RESPONSE_LENGTH: Final = 100_000_000
_MAX_REASON_LENGTH: Final = 300
_MAX_FIELD_LENGTH: Final = 2_000
_MAX_ITEMS: Final = 100_000
_MAX_NUMBER: Final = 2**31
_LINK_KINDS: Final = frozenset(get_args(LinkKind))
_FIELDS: Final = ("title", "text", "date", "authors", "tags", "language", "canonical_url", "doi")


class MalformedResponse(Exception):
    """A response that a correct child never sends."""


def encode_request(name: str, data: bytes) -> bytes:
    """Return the frame that requests the parsing of one file."""
    encoded_name = name.encode("utf-8", "replace")
    return b"".join((REQUEST_HEADER.pack(len(encoded_name), len(data)), encoded_name, data))


def encode_response(result: ParsedDocument | ParseFailure, *, last: bool) -> bytes:
    """Return the frame of a result; `last` asks the parent to replace this child."""
    fields: dict[str, Any] = {"last": last}
    if isinstance(result, ParseFailure):
        fields["refused"] = result.reason
    else:
        fields.update((name, getattr(result, name)) for name in _FIELDS)
        fields["links"] = [(link.target, link.kind, link.start) for link in result.links]
        # Many places share a heading, so each heading is sent and validated only once.
        heading_numbers: dict[str | None, int] = {None: 0}
        fields["places"] = [
            (place.start, place.page, heading_numbers.setdefault(place.heading, len(heading_numbers)), place.line)
            for place in result.places
        ]
        fields["headings"] = list(heading_numbers)[1:]
    packed = orjson.dumps(fields)
    return RESPONSE_HEADER.pack(len(packed)) + packed


def decode_response(packed: bytes) -> tuple[ParsedDocument | ParseFailure, bool]:
    """Return the validated result in the JSON of a response, and whether the child asks to be replaced."""
    try:
        fields = orjson.loads(packed)
    except orjson.JSONDecodeError:
        raise MalformedResponse from None
    if not isinstance(fields, dict):
        raise MalformedResponse
    last = fields.get("last") is True
    if "refused" in fields:
        return ParseFailure(_text(fields["refused"], _MAX_REASON_LENGTH)), last
    text = _text(fields.get("text"), TEXT_LIMIT)
    if not text:
        raise MalformedResponse
    return (
        ParsedDocument(
            title=_text(fields.get("title"), _MAX_FIELD_LENGTH),
            text=text,
            date=_optional_text(fields.get("date")),
            authors=_texts(fields.get("authors")),
            tags=_texts(fields.get("tags")),
            language=_optional_text(fields.get("language")),
            canonical_url=_optional_text(fields.get("canonical_url")),
            doi=_optional_text(fields.get("doi")),
            links=tuple(_link(item, len(text)) for item in _items(fields.get("links"), 3)),
            places=tuple(_places(fields, len(text))),
        ),
        last,
    )


def _text(value: object, limit: int) -> str:
    if not isinstance(value, str) or len(value) > limit or not is_clean(value):
        raise MalformedResponse
    return value


def _optional_text(value: object) -> str | None:
    return None if value is None else _text(value, _MAX_FIELD_LENGTH)


def _texts(value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or len(value) > _MAX_ITEMS:
        raise MalformedResponse
    return tuple(_text(item, _MAX_FIELD_LENGTH) for item in value)


def _items(value: object, size: int) -> list[Sequence[Any]]:
    if not isinstance(value, list) or len(value) > _MAX_ITEMS:
        raise MalformedResponse
    if not all(isinstance(item, list) and len(item) == size for item in value):
        raise MalformedResponse
    return value


def _is_number(value: object, maximum: int) -> TypeGuard[int]:
    return type(value) is int and 0 <= value <= maximum


def _link(item: Sequence[Any], length: int) -> Link:
    target, kind, start = item
    if kind not in _LINK_KINDS or not _is_number(start, length):
        raise MalformedResponse
    return Link(_text(target, _MAX_FIELD_LENGTH), kind, start)


def _places(fields: dict[str, Any], length: int) -> Iterator[Place]:
    headings = (None, *_texts(fields.get("headings")))
    last = len(headings) - 1
    for start, page, heading, line in _items(fields.get("places"), 4):
        if not (_is_number(start, length) and _is_number(heading, last)):
            raise MalformedResponse
        if not ((page is None or _is_number(page, _MAX_NUMBER)) and (line is None or _is_number(line, _MAX_NUMBER))):
            raise MalformedResponse
        yield Place(start, page, headings[heading], line)
