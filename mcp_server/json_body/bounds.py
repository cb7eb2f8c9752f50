"""Bounds what the JSON of a request body may become, while other requests are served."""

import asyncio
from typing import Final

import orjson

from indexer.errors import Invalid
from mcp_server.json_body.checked import CheckedBody, take_out
from mcp_server.json_body.outline import LONG, Outline

MAX_VALUES: Final = 100_000
"""Of members of arrays and objects. Most calls have a few; 500 documents may have 200 each."""
MAX_DEPTH: Final = 100
"""Metadata may have 64 levels, inside of a list of documents inside of a request."""
MAX_OUTSIDE: Final = 4_000_000
"""Of bytes outside of strings. Whole numbers cost the square of their length."""
MAX_SHORT: Final = 16_000_000
"""Of bytes without the long strings: these are parsed at once."""
MAX_STRING: Final = 32_000_000
"""Of bytes of one string: content of 10 MB, with each letter that is not ASCII escaped."""
_MAX_STRINGS: Final = 2 * MAX_VALUES
"""Each member has a name and a value at most, so more strings are no JSON."""
_SMALL: Final = 64 * 1024
"""A body of so many bytes cannot exceed any bound but that of depth."""
_MEDIUM: Final = 1024 * 1024
"""A body of so many bytes is parsed at once, long strings included."""
_PIECE: Final = 128 * 1024
"""Scanned in about half a millisecond."""


class BodyBounds:
    """Checks bodies; of the large ones one at a time, so that two of them are never parsed without a pause between."""

    def __init__(self) -> None:
        self._turn = asyncio.Lock()

    async def check(self, body: bytes) -> CheckedBody:
        """Return the body to be parsed, or raise `Invalid` if it exceeds a bound; it may still be invalid JSON."""
        if len(body) <= _SMALL:
            if body.count(b"[") + body.count(b"{") > MAX_DEPTH:
                _scan(Outline(), body)
            return CheckedBody(body)
        async with self._turn:
            outline = Outline()
            for start in range(0, len(body), _PIECE):
                _scan(outline, body[start : start + _PIECE])
                await asyncio.sleep(0)
            if len(body) <= _MEDIUM:
                return CheckedBody(body)
            return await _shortened(body, outline)


def _scan(outline: Outline, piece: bytes) -> None:
    # JSON in UTF-8 has no such byte. In UTF-16, which one parser accepts, other characters look like quotes.
    if b"\0" in piece:
        raise _no_json()
    outline.feed(piece)
    if outline.depth > MAX_DEPTH:
        action = f"Nest arrays and objects at most {MAX_DEPTH} levels deep"
        raise _exceeded(f"is nested more than {MAX_DEPTH} levels deep", action, "depth", MAX_DEPTH)
    if outline.values > MAX_VALUES or outline.strings > _MAX_STRINGS:
        action = "Send fewer values in a call, for example fewer documents, or less metadata with each"
        raise _exceeded(f"holds more than {MAX_VALUES:,} values", action, "values", MAX_VALUES)
    if outline.outside > MAX_OUTSIDE:
        action = "Leave out white space, and send fewer or shorter numbers in a call"
        raise _exceeded(f"has more than {_mb(MAX_OUTSIDE)} outside of strings", action, "outside", MAX_OUTSIDE)
    if outline.longest > MAX_STRING:
        action = "Split the text; a document may have 10 MB"
        raise _exceeded(f"has a string of more than {_mb(MAX_STRING)}", action, "string", MAX_STRING)


async def _shortened(body: bytes, outline: Outline) -> CheckedBody:
    if not outline.is_complete:
        raise _no_json()
    if len(body) - sum(end - start for start, end in outline.long) > MAX_SHORT:
        action = "Send less in a call, for example fewer documents, or less metadata with each"
        what = f"has more than {_mb(MAX_SHORT)} besides strings of {LONG:,} bytes and more"
        raise _exceeded(what, action, "short", MAX_SHORT)
    try:
        return await take_out(body, outline.long)
    except orjson.JSONDecodeError:
        raise _no_json() from None


def _no_json() -> Invalid:
    return Invalid("The body is not valid JSON", action="Send one JSON object in UTF-8")


def _exceeded(what: str, action: str, name: str, limit: int) -> Invalid:
    return Invalid(f"The body {what}", action=action, details={"limit": {"name": name, "number": limit}})


def _mb(size: int) -> str:
    return f"{size / 1_000_000:g} MB"
