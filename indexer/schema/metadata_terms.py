"""Metadata as exact terms, the same on both engines: one field holds a `type, key, value` term for each value.

Types are `s` string, `n` number, `d` date, `b` boolean, and `i` for terms of our own that no filter of a user can
name. Every part is ASCII without spaces, and the terms of one type and key sort as their values do.
"""

import math
import struct
from collections.abc import Iterator, Mapping
from datetime import datetime
from functools import lru_cache
from hashlib import sha256
from typing import Any, Final, NamedTuple, cast
from unicodedata import normalize
from urllib.parse import quote, unquote

from indexer.schema.dates import microseconds, moment
from indexer.schema.definition import SortType
from indexer.schema.values import Bound, Scalar

SEPARATOR: Final = "\x1f"
LONGEST_KEY: Final = 256
"""Fields with longer names are stored, and cannot be filtered by."""
LONGEST_STRING: Final = 256
"""In characters, normalised; longer strings are compared whole by a hash, and by range and prefix by so many."""
_CUT: Final = "h"
_AFTER_STRINGS: Final = "g"
_LARGEST: Final = "f" * 16
_SIGN: Final = 1 << 63
_ALL_BITS: Final = (1 << 64) - 1
_TYPES: Final[Mapping[str, SortType]] = {"s": "string", "n": "number", "d": "date", "b": "boolean"}


class Bounds(NamedTuple):
    """A range over terms; an open end is closed by the limit of the type."""

    lower: str
    upper: str
    include_lower: bool
    include_upper: bool


def terms_of(metadata: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the terms of all scalars and of all scalars in lists, each once; a date is a string too."""
    return tuple(dict.fromkeys(_each_term(metadata)))


def keys_of(metadata: Mapping[str, Any]) -> tuple[str, ...]:
    """Return one `type, key` term for each type of value that a field has; a date counts as a date only."""
    return tuple(dict.fromkeys(_key_term(_type(value), field) for field, value in indexed(metadata)))


def indexed(metadata: Mapping[str, Any]) -> Iterator[tuple[str, Scalar]]:
    """Yield each value that can be filtered by, with its field: no nulls, nested values or numbers beyond doubles."""
    for field, given in metadata.items():
        if len(field) > LONGEST_KEY:
            continue
        for value in given if isinstance(given, list | tuple) else (given,):
            scalar = as_scalar(value)
            if scalar is not None:
                yield field, scalar


def as_scalar(value: object) -> Scalar | None:
    """Return a JSON value as it is compared, or None if it is none of string, number and boolean."""
    if isinstance(value, str | bool):
        return value
    if isinstance(value, int | float):
        try:
            number = float(value)
        except OverflowError:
            return None
        return number if math.isfinite(number) else None
    return None


def value_term(field: str, value: Scalar) -> str:
    """Return the term of one value."""
    if isinstance(value, str):
        return _prefix("s", field) + _string(value)
    if isinstance(value, bool):
        return _prefix("b", field) + ("1" if value else "0")
    return _prefix("n", field) + _number(float(value))


def internal_term(name: str, value: str) -> str:
    """Return a term of our own, out of the reach of users' metadata and filters."""
    return _prefix("i", name) + _string(value)


def range_bounds(
    field: str,
    *,
    gte: Bound | None = None,
    gt: Bound | None = None,
    lte: Bound | None = None,
    lt: Bound | None = None,
) -> Bounds:
    """Return the range of terms that a range of values means; the bounds given are all of one type."""
    given = [bound for bound in (gte, gt, lte, lt) if bound is not None]
    start, smallest, largest = _limits(field, given[0])
    lower = [(start + _bound(bound), exclusive) for bound, exclusive in _pair(gte, gt)]
    upper = [(start + _bound(bound), not exclusive) for bound, exclusive in _pair(lte, lt)]
    low, excluded = max(lower, default=(smallest, False))
    high, included = min(upper, default=(largest, True))
    return Bounds(low, high, not excluded, included)


def prefix_term(field: str, text: str) -> str:
    """Return how the terms of strings start that start with this text, of at most `LONGEST_STRING` characters."""
    return _prefix("s", field) + normalize("NFC", text).encode().hex()


def key_terms(field: str) -> tuple[str, ...]:
    """Return the key terms one of which a document has if it has any value in this field."""
    return tuple(_key_term(letter, field) for letter in _TYPES)


def parse_key(term: str) -> tuple[str, SortType]:
    """Return the field and the type that a key term names."""
    letter, _, key = term.partition(SEPARATOR)
    return unquote(key), _TYPES[letter]


def facet_prefixes(field: str) -> tuple[str, ...]:
    """Return how all terms start that a facet counts; dates are counted as the strings they are."""
    return tuple(_prefix(letter, field) for letter in "snb")


def facet_value(term: str) -> Scalar:
    """Return the value of a string, number or boolean term; whole numbers as int, long strings cut."""
    letter, _, encoded = term.split(SEPARATOR)
    if letter == "b":
        return encoded == "1"
    if letter == "n":
        number = _parse_number(encoded)
        return int(number) if number.is_integer() and abs(number) <= 2**53 else number
    shown, cut, _ = encoded.partition(_CUT)
    return bytes.fromhex(shown).decode() + ("…" if cut else "")


def _each_term(metadata: Mapping[str, Any]) -> Iterator[str]:
    for field, value in indexed(metadata):
        yield value_term(field, value)
        if isinstance(value, str) and (when := moment(value)) is not None:
            yield _prefix("d", field) + _moment(when)


def _type(value: Scalar) -> str:
    if isinstance(value, str):
        return "s" if moment(value) is None else "d"
    return "b" if isinstance(value, bool) else "n"


@lru_cache(maxsize=1_024)
def _prefix(letter: str, field: str) -> str:
    return f"{_key_term(letter, field)}{SEPARATOR}"


def _key_term(letter: str, field: str) -> str:
    return f"{letter}{SEPARATOR}{quote(field, safe='')}"


def _string(value: str) -> str:
    value = normalize("NFC", value)
    if len(value) <= LONGEST_STRING:
        return value.encode().hex()
    return value[:LONGEST_STRING].encode().hex() + _CUT + sha256(value.encode()).hexdigest()[:32]


def _number(value: float) -> str:
    bits = int.from_bytes(struct.pack(">d", value + 0.0), "big")
    return f"{bits ^ (_ALL_BITS if bits & _SIGN else _SIGN):016x}"


def _parse_number(encoded: str) -> float:
    bits = int(encoded, 16)
    bits ^= _SIGN if bits & _SIGN else _ALL_BITS
    return cast("float", struct.unpack(">d", bits.to_bytes(8, "big"))[0])


def _moment(when: datetime) -> str:
    return f"{microseconds(when) + _SIGN:016x}"


def _bound(bound: Bound) -> str:
    if isinstance(bound, str):
        return _string(bound)
    return _moment(bound) if isinstance(bound, datetime) else _number(float(bound))


def _pair(inclusive: Bound | None, exclusive: Bound | None) -> list[tuple[Bound, bool]]:
    return [(bound, excluded) for bound, excluded in ((inclusive, False), (exclusive, True)) if bound is not None]


def _limits(field: str, bound: Bound) -> tuple[str, str, str]:
    """Return how the terms of a bound's type start, and the smallest and the largest of them."""
    if isinstance(bound, str):
        start = _prefix("s", field)
        return start, start, start + _AFTER_STRINGS
    start = _prefix("d" if isinstance(bound, datetime) else "n", field)
    return start, start + "0" * 16, start + _LARGEST
