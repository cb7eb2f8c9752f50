"""Bounds what the JSON of a request body may become, while other requests are served."""

import asyncio
from typing import Final

from indexer.errors import Invalid
from mcp_server.json_body.outline import Outline

MAX_VALUES: Final = 100_000
"""Of members of arrays and objects. Most calls have a few; 500 documents may have 200 each."""
MAX_DEPTH: Final = 100
"""Metadata may have 64 levels, inside of a list of documents inside of a request."""
MAX_OUTSIDE: Final = 4_000_000
"""Of bytes outside of strings. Whole numbers cost the square of their length."""
_MAX_STRINGS: Final = 2 * MAX_VALUES
"""Each member has a name and a value at most, so more strings are no JSON."""
_SMALL: Final = 64 * 1024
"""A body of so many bytes cannot exceed any bound but that of depth."""
_PIECE: Final = 128 * 1024
"""Scanned in about half a millisecond."""


class BodyBounds:
    """Checks bodies; of the large ones one at a time, so that two of them are never parsed without a pause between."""

    def __init__(self) -> None:
        self._turn = asyncio.Lock()

    async def check(self, body: bytes) -> None:
        """Raise `Invalid` if the body exceeds a bound; it may still be invalid JSON."""
        if len(body) <= _SMALL:
            if body.count(b"[") + body.count(b"{") > MAX_DEPTH:
                _scan(Outline(), body)
            return
        async with self._turn:
            outline = Outline()
            for start in range(0, len(body), _PIECE):
                _scan(outline, body[start : start + _PIECE])
                await asyncio.sleep(0)


def _scan(outline: Outline, piece: bytes) -> None:
    # JSON in UTF-8 has no such byte. In UTF-16, which one parser accepts, other characters look like quotes.
    if b"\0" in piece:
        raise Invalid("The body is not valid JSON", action="Send one JSON object in UTF-8")
    outline.feed(piece)
    if outline.depth > MAX_DEPTH:
        raise Invalid(
            f"The body is nested more than {MAX_DEPTH} levels deep",
            action=f"Nest arrays and objects at most {MAX_DEPTH} levels deep",
            details={"limit": {"name": "depth", "number": MAX_DEPTH}},
        )
    if outline.values > MAX_VALUES or outline.strings > _MAX_STRINGS:
        raise Invalid(
            f"The body holds more than {MAX_VALUES:,} values",
            action="Send fewer values in a call, for example fewer documents, or less metadata with each",
            details={"limit": {"name": "values", "number": MAX_VALUES}},
        )
    if outline.outside > MAX_OUTSIDE:
        raise Invalid(
            f"The body has more than {MAX_OUTSIDE / 1_000_000:g} MB outside of strings",
            action="Leave out white space, and send fewer or shorter numbers in a call",
            details={"limit": {"name": "bytes_outside_strings", "number": MAX_OUTSIDE}},
        )
