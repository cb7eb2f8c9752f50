"""Cursors for paging: signed with the service's secret key for one team, and bound to the search that issued them."""

import hashlib
import hmac
import json
import time
import zlib
from base64 import b64decode, b64encode, urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as NotBase64
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import orjson

from indexer.errors import ExpiredView, Invalid
from indexer.tenancy import IndexName, TeamId

_LIFETIME_SECONDS: Final = 24 * 60 * 60
_SIGNATURE_BYTES: Final = 16
_PLAIN: Final = b"\x01"
_COMPRESSED: Final = b"\x02"
_MIN_BYTES_TO_COMPRESS: Final = 200
_RAW_DEFLATE: Final = -zlib.MAX_WBITS
_RAW_DEFLATE_SMALL_WINDOW: Final = -12
_MAX_LENGTH: Final = 200_000
_SHOWN_BYTES: Final = 6
"""With so many, one in 2.8 million reads of a million hits takes a new hit for one of a hundred shown ones."""


@dataclass(frozen=True, slots=True)
class Cursor:
    """The state that the next page needs, besides the arguments that the caller repeats."""

    total: int
    """The number of matches at the first page; every page repeats it."""
    generation: int
    """The generation of the index that the view belongs to."""
    shown: frozenset[bytes] = frozenset()
    """Digests (`shown_digest`) of hits that earlier pages returned and the next one may meet again."""
    view: str | None = None
    """The engine's point-in-time view; None if the search needs none."""
    position: list[Any] | None = None
    """The engine's position of the last returned hit."""
    best: float | None = None
    """The best score of the first page; archives report scores relative to it."""
    corrections: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Misspelt words and the words in their place; every page uses those of the first. Bounded, as the query is."""


@dataclass(frozen=True, slots=True)
class Binding:
    """What a cursor is good for: a search of a team. To all other teams it is as invalid as any text."""

    team: TeamId
    search: str
    """A digest."""


def bind(team: TeamId, index: IndexName, search: Mapping[str, Any]) -> Binding:
    """Return the binding of a team's search; `search` holds all that decides hits and order."""
    return Binding(team, hashlib.sha256(_to_json([team, index, search])).hexdigest()[:16])


def shown_digest(id_: bytes) -> bytes:
    """Return the digest by which a cursor remembers a hit: short, because a model reads the cursor."""
    return hashlib.blake2b(id_, digest_size=_SHOWN_BYTES).digest()


class Cursors:
    """Signs cursors with the service's secret key, and verifies those that it or an earlier one signed."""

    def __init__(self, key: bytes, *earlier: bytes, now: Callable[[], float] = time.time) -> None:
        self._keys = [hashlib.sha256(b"trawl cursor\0" + each).digest() for each in (key, *earlier)]
        self._now = now

    def write(self, cursor: Cursor, bound_to: Binding) -> str:
        fields = {
            "s": bound_to.search,
            "e": int(self._now()) + _LIFETIME_SECONDS,
            "t": cursor.total,
            "g": cursor.generation,
            "i": _join_digests(cursor.shown) or None,
            "v": cursor.view,
            "p": cursor.position,
            "b": cursor.best,
            "c": cursor.corrections or None,
        }
        present = {name: value for name, value in fields.items() if value is not None}
        body = _to_json(present)
        packed = _PLAIN + body if len(body) < _MIN_BYTES_TO_COMPRESS else _COMPRESSED + _compress(body)
        return _to_base64(_signature(self._keys[0], packed, bound_to.team) + packed)

    def read(self, text: str, bound_to: Binding) -> Cursor:
        """Verify and decode a cursor; raise if it was changed, belongs to another team or search, or has expired."""
        fields = self._verify(text, bound_to.team)
        if not hmac.compare_digest(str(fields["s"]), bound_to.search):
            raise Invalid(
                "This cursor belongs to another search",
                action="Repeat the arguments of the search that it came from, or search again without a cursor",
            )
        if fields["e"] < self._now():
            raise ExpiredView
        return Cursor(
            total=fields["t"],
            generation=fields["g"],
            shown=_split_digests(fields.get("i", "")),
            view=fields.get("v"),
            position=fields.get("p"),
            best=fields.get("b"),
            corrections={word: tuple(corrections) for word, corrections in fields.get("c", {}).items()},
        )

    def _verify(self, text: str, team: TeamId) -> dict[str, Any]:
        try:
            raw = urlsafe_b64decode(text[:_MAX_LENGTH].encode("ascii") + b"=" * (-len(text) % 4))
        except (UnicodeEncodeError, NotBase64):
            raw = b""
        if _to_base64(raw) != text:  # the decoder ignores invalid characters and spare bits; a cursor has none
            raw = b""
        signature, packed = raw[:_SIGNATURE_BYTES], raw[_SIGNATURE_BYTES:]
        # The signature is checked before anything is decompressed or parsed, since the input is untrusted.
        signed = (hmac.compare_digest(signature, _signature(key, packed, team)) for key in self._keys)
        if not packed or not any(signed):
            raise Invalid("This cursor is not valid", action="Search again without a cursor")
        body = zlib.decompress(packed[1:], _RAW_DEFLATE) if packed[:1] == _COMPRESSED else packed[1:]
        fields: dict[str, Any] = json.loads(body)
        return fields


def _signature(key: bytes, packed: bytes, team: TeamId) -> bytes:
    return hmac.digest(key, team.encode() + b"\0" + packed, "sha256")[:_SIGNATURE_BYTES]


def _to_json(value: Any) -> bytes:
    try:
        return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
    except TypeError:
        # orjson rejects integers of more than 64 bits and lone surrogates.
        return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()


def _join_digests(digests: Collection[bytes]) -> str:
    return b64encode(b"".join(sorted(digests))).decode()


def _split_digests(joined: str) -> frozenset[bytes]:
    raw = b64decode(joined)
    return frozenset(raw[start : start + _SHOWN_BYTES] for start in range(0, len(raw), _SHOWN_BYTES))


def _compress(body: bytes) -> bytes:
    # A small window, because setting up the default one can take ten times as long as all the rest.
    compressor = zlib.compressobj(3, zlib.DEFLATED, _RAW_DEFLATE_SMALL_WINDOW, 5)
    return compressor.compress(body) + compressor.flush()


def _to_base64(raw: bytes) -> str:
    return urlsafe_b64encode(raw).decode().rstrip("=")
