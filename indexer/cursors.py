"""Cursors: where a search goes on, signed and bound to the search that they came from."""

import hashlib
import hmac
import json
import time
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as NotBase64
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import orjson

from indexer.errors import ExpiredView, Invalid
from indexer.tenancy import IndexName, TeamId

_LIFETIME: Final = 24 * 60 * 60
_SIGNATURE: Final = 16
_PLAIN: Final = b"\x01"
_COMPRESSED: Final = b"\x02"
_COMPRESS_FROM: Final = 200
_RAW: Final = -zlib.MAX_WBITS
_RAW_SMALL: Final = -12
_LONGEST: Final = 200_000


@dataclass(frozen=True, slots=True)
class Cursor:
    """How far a search has come; everything that the next page needs and the caller cannot be asked for again."""

    total: int
    """How many matched when the first page was made; each page repeats it."""
    generation: int
    """Which generation of the index the view belongs to."""
    shown: tuple[str, ...] = ()
    """What a first page by score has shown; left out of all later ones."""
    view: str | None = None
    position: list[Any] | None = None
    left: int | None = None
    """How many hits a view still has; unknown for pages by field."""
    best: float | None = None
    """The best score of the first page, for scores that are parts of it."""


def digest(team: TeamId, index: IndexName, search: Mapping[str, Any]) -> str:
    """Return what binds a cursor to one team's search; `search` is all that decides which hits come in which order."""
    return hashlib.sha256(_json([team, index, search])).hexdigest()[:32]


class Cursors:
    """Writes and reads cursors with the service's secret key."""

    def __init__(self, key: bytes, now: Callable[[], float] = time.time) -> None:
        self._key = hashlib.sha256(b"trawl cursor\0" + key).digest()
        self._now = now

    def write(self, cursor: Cursor, bound_to: str) -> str:
        fields = {
            "s": bound_to,
            "e": int(self._now()) + _LIFETIME,
            "t": cursor.total,
            "g": cursor.generation,
            "i": cursor.shown or None,
            "v": cursor.view,
            "p": cursor.position,
            "l": cursor.left,
            "b": cursor.best,
        }
        kept = {name: value for name, value in fields.items() if value is not None}
        body = _json(kept)
        packed = _PLAIN + body if len(body) < _COMPRESS_FROM else _COMPRESSED + _compressed(body)
        return _text(self._signature(packed) + packed)

    def read(self, text: str, bound_to: str) -> Cursor:
        """Return what `write` was given; anything that is wrong with the cursor is a failure."""
        fields = self._opened(text)
        if not hmac.compare_digest(str(fields["s"]), bound_to):
            raise Invalid(
                "This cursor belongs to another search",
                action="Repeat the arguments of the search that it came from, or search again without a cursor",
            )
        if fields["e"] < self._now():
            raise ExpiredView
        return Cursor(
            total=fields["t"],
            generation=fields["g"],
            shown=tuple(fields.get("i", ())),
            view=fields.get("v"),
            position=fields.get("p"),
            left=fields.get("l"),
            best=fields.get("b"),
        )

    def _opened(self, text: str) -> dict[str, Any]:
        try:
            raw = urlsafe_b64decode(text[:_LONGEST].encode("ascii") + b"=" * (-len(text) % 4))
        except (UnicodeEncodeError, NotBase64):
            raw = b""
        if _text(raw) != text:  # the decoder passes over foreign characters and spare bits; a cursor has none
            raw = b""
        signature, packed = raw[:_SIGNATURE], raw[_SIGNATURE:]
        # The signature is checked before anything is unpacked: what follows was written here.
        if not packed or not hmac.compare_digest(signature, self._signature(packed)):
            raise Invalid("This cursor is not valid", action="Search again without a cursor")
        body = zlib.decompress(packed[1:], _RAW) if packed[:1] == _COMPRESSED else packed[1:]
        fields: dict[str, Any] = json.loads(body)
        return fields

    def _signature(self, packed: bytes) -> bytes:
        return hmac.digest(self._key, packed, "sha256")[:_SIGNATURE]


def _json(value: Any) -> bytes:
    try:
        return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
    except TypeError:
        # numbers of more than 64 bits, and half a surrogate pair, are more than the faster one takes
        return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()


def _compressed(body: bytes) -> bytes:
    # a small window: setting up the usual one can take ten times as long as everything else here
    packing = zlib.compressobj(3, zlib.DEFLATED, _RAW_SMALL, 5)
    return packing.compress(body) + packing.flush()


def _text(raw: bytes) -> str:
    return urlsafe_b64encode(raw).decode().rstrip("=")
