"""Cursors for paging: signed with the service's secret key for one team, and bound to the search that issued them.

What a cursor holds is up to the source that is searched: a dataclass, whose values are written without their names.
"""

import hashlib
import hmac
import json
import time
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as NotBase64
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Final, TypeVar

import orjson

from indexer.errors import ExpiredView, Invalid
from indexer.tenancy import TeamId
from indexer.type_adapters import adapter_of

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

_LIFETIME_SECONDS: Final = 24 * 60 * 60
_SIGNATURE_BYTES: Final = 16
_PLAIN: Final = b"\x01"
_COMPRESSED: Final = b"\x02"
_MIN_BYTES_TO_COMPRESS: Final = 200
_RAW_DEFLATE: Final = -zlib.MAX_WBITS
_RAW_DEFLATE_SMALL_WINDOW: Final = -12
_MAX_LENGTH: Final = 200_000
State = TypeVar("State", bound="DataclassInstance")
"""What a source needs for the next page, besides the arguments that the caller repeats."""


@dataclass(frozen=True, slots=True)
class Binding:
    """What a cursor is good for: a search of a team. To all other teams it is as invalid as any text."""

    team: TeamId
    search: str
    """A digest."""


def bind(team: TeamId, source: str, search: Mapping[str, Any]) -> Binding:
    """Return the binding of a team's search; `source` is what is searched, `search` all that decides hits and order."""
    return Binding(team, hashlib.sha256(_to_json([team, source, search])).hexdigest()[:16])


class Cursors:
    """Signs cursors with the service's secret key, and verifies those that it or an earlier one signed."""

    def __init__(self, key: bytes, *earlier: bytes, now: Callable[[], float] = time.time) -> None:
        self._keys = [hashlib.sha256(b"trawl cursor 2\0" + each).digest() for each in (key, *earlier)]
        self._now = now

    def write(self, state: State, bound_to: Binding) -> str:
        """Return the cursor of a state; values that JSON lacks need a serializer in the state's type."""
        expires = int(self._now()) + _LIFETIME_SECONDS
        body = _to_json([bound_to.search, expires, *adapter_of(type(state)).dump_python(state).values()])
        packed = _PLAIN + body if len(body) < _MIN_BYTES_TO_COMPRESS else _COMPRESSED + _compress(body)
        return _to_base64(_signature(self._keys[0], packed, bound_to.team) + packed)

    def read(self, text: str, bound_to: Binding, kind: type[State]) -> State:
        """Verify and decode a cursor; raise if it was changed, belongs to another team or search, or has expired."""
        search, expires, *values = self._verify(text, bound_to.team)
        if not hmac.compare_digest(search, bound_to.search):
            raise Invalid(
                "This cursor belongs to another search",
                action="Repeat the arguments of the search that it came from, or search again without a cursor",
            )
        if expires < self._now():
            raise ExpiredView
        try:
            names = (each.name for each in fields(kind))
            state: State = adapter_of(kind).validate_python(dict(zip(names, values, strict=True)))
        except ValueError:  # another version of the service wrote it
            raise _invalid() from None
        return state

    def _verify(self, text: str, team: TeamId) -> list[Any]:
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
            raise _invalid()
        body = zlib.decompress(packed[1:], _RAW_DEFLATE) if packed[:1] == _COMPRESSED else packed[1:]
        values: list[Any] = json.loads(body)
        return values


def _invalid() -> Invalid:
    return Invalid("This cursor is not valid", action="Search again without a cursor")


def _signature(key: bytes, packed: bytes, team: TeamId) -> bytes:
    return hmac.digest(key, team.encode() + b"\0" + packed, "sha256")[:_SIGNATURE_BYTES]


def _to_json(value: Any) -> bytes:
    try:
        return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
    except TypeError:
        # orjson rejects integers of more than 64 bits and lone surrogates.
        return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()


def _compress(body: bytes) -> bytes:
    # A small window, because setting up the default one can take ten times as long as all the rest.
    compressor = zlib.compressobj(3, zlib.DEFLATED, _RAW_DEFLATE_SMALL_WINDOW, 5)
    return compressor.compress(body) + compressor.flush()


def _to_base64(raw: bytes) -> str:
    return urlsafe_b64encode(raw).decode().rstrip("=")
