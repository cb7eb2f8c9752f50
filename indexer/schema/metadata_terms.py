"""Encodes metadata as exact terms, the same on both engines: one `type, key, value` term for each value.

The types are `s` string, `n` number, `d` date, `b` boolean, and `i` for internal terms, which no filter of a user can
reach. Every part is ASCII without spaces. The terms of one type and key sort like their values, so a range of values is
a range of terms.
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

from indexer.schema.dates import moment, to_microseconds
from indexer.schema.definition import SortType
from indexer.schema.values import Bound, Scalar

SEPARATOR: Final = "\x1f"
MAX_KEY_LENGTH: Final = 256
"""Fields with longer names are stored but cannot be filtered."""
MAX_STRING_LENGTH: Final = 256
"""In characters of NFC. A longer string is cut here and gets a hash: equality sees all of it, ranges only the start."""
_HASH_MARKER: Final = "h"
"""Stands between the start of a long string and its hash; not a hexadecimal digit."""
_AFTER_STRINGS: Final = "g"
"""Sorts after every encoded string, since those start with a hexadecimal digit."""
_LARGEST_NUMBER: Final = "f" * 16
_SIGN_BIT: Final = 1 << 63
_ALL_BITS: Final = (1 << 64) - 1
_TYPES_BY_LETTER: Final[Mapping[str, SortType]] = {"s": "string", "n": "number", "d": "date", "b": "boolean"}


class Bounds(NamedTuple):
    """A range of terms; an open end is closed by the smallest or largest term of the type."""

    lower: str
    upper: str
    include_lower: bool
    include_upper: bool


def terms_of(metadata: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the distinct terms of all scalars, in lists too; a date has a date term and a string term."""
    return tuple(dict.fromkeys(_all_terms(metadata)))


def keys_of(metadata: Mapping[str, Any]) -> tuple[str, ...]:
    """Return one `type, key` term for each field and type of value; a date counts as a date only."""
    return tuple(dict.fromkeys(key_term(_type_letter(value), field) for field, value in indexed_values(metadata)))


def indexed_values(metadata: Mapping[str, Any]) -> Iterator[tuple[str, Scalar]]:
    """Yield each field and value that can be filtered: no nulls, nested objects or numbers beyond a double."""
    for field, value in metadata.items():
        if len(field) > MAX_KEY_LENGTH:
            continue
        for each in value if isinstance(value, list | tuple) else (value,):
            scalar = as_scalar(each)
            if scalar is not None:
                yield field, scalar


def as_scalar(value: object) -> Scalar | None:
    """Return a JSON string, number or boolean as it is compared; None for anything else."""
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
        return _term_prefix("s", field) + _encode_string(value)
    if isinstance(value, bool):
        return _term_prefix("b", field) + ("1" if value else "0")
    return _term_prefix("n", field) + _encode_number(float(value))


def internal_term(name: str, value: str) -> str:
    """Return an internal term, which neither metadata nor filters of users can reach."""
    return _term_prefix("i", name) + _encode_string(value)


def range_bounds(
    field: str,
    *,
    gte: Bound | None = None,
    gt: Bound | None = None,
    lte: Bound | None = None,
    lt: Bound | None = None,
) -> Bounds:
    """Return the range of terms for a range of values; all bounds must have one type."""
    bounds = [bound for bound in (gte, gt, lte, lt) if bound is not None]
    start, smallest, largest = _type_limits(field, bounds[0])
    lower = [(start + _encode_bound(bound), exclusive) for bound, exclusive in _present_bounds(gte, gt)]
    upper = [(start + _encode_bound(bound), not exclusive) for bound, exclusive in _present_bounds(lte, lt)]
    low, excluded = max(lower, default=(smallest, False))
    high, included = min(upper, default=(largest, True))
    return Bounds(low, high, not excluded, included)


def prefix_term(field: str, text: str) -> str:
    """Return the prefix of all string terms whose value has this prefix, of at most `MAX_STRING_LENGTH` characters."""
    return _term_prefix("s", field) + normalize("NFC", text).encode().hex()


def key_terms(field: str) -> tuple[str, ...]:
    """Return the key terms of a field, one for each type; a document with a value in the field has one of them."""
    return tuple(key_term(letter, field) for letter in _TYPES_BY_LETTER)


def key_term(letter: str, field: str) -> str:
    """Return the key term of a field and one type."""
    return f"{letter}{SEPARATOR}{quote(field, safe='')}"


def parse_key(term: str) -> tuple[str, SortType]:
    """Return the field and type of a key term."""
    letter, _, key = term.partition(SEPARATOR)
    return unquote(key), _TYPES_BY_LETTER[letter]


def type_of(term: str) -> SortType:
    """Return the type of the value in a term, which is not an internal one."""
    return _TYPES_BY_LETTER[term[0]]


def facet_prefixes(field: str) -> tuple[str, ...]:
    """Return the prefixes of all terms that a facet counts; dates count as strings."""
    return tuple(_term_prefix(letter, field) for letter in "snb")


def internal_prefix(name: str) -> str:
    """Return the prefix of all internal terms of this name."""
    return _term_prefix("i", name)


def facet_value(term: str) -> Scalar:
    """Decode a string, number or boolean term; whole numbers become int, long strings are cut."""
    letter, _, encoded = term.split(SEPARATOR)
    if letter == "b":
        return encoded == "1"
    if letter == "n":
        number = decode_number(encoded)
        return int(number) if number.is_integer() and abs(number) <= 2**53 else number
    text, marker, _ = encoded.partition(_HASH_MARKER)
    return bytes.fromhex(text).decode() + ("…" if marker else "")


def decode_number(encoded: str) -> float:
    """Return the number at the end of its term."""
    bits = int(encoded, 16)
    bits ^= _SIGN_BIT if bits & _SIGN_BIT else _ALL_BITS
    return cast("float", struct.unpack(">d", bits.to_bytes(8, "big"))[0])


def decode_date(encoded: str) -> int:
    """Return the microseconds since 1970 of the date at the end of its term."""
    return int(encoded, 16) - _SIGN_BIT


def _all_terms(metadata: Mapping[str, Any]) -> Iterator[str]:
    for field, value in indexed_values(metadata):
        yield value_term(field, value)
        if isinstance(value, str) and (when := moment(value)) is not None:
            yield _term_prefix("d", field) + _encode_date(when)


def _type_letter(value: Scalar) -> str:
    if isinstance(value, str):
        return "s" if moment(value) is None else "d"
    return "b" if isinstance(value, bool) else "n"


@lru_cache(maxsize=1_024)
def _term_prefix(letter: str, field: str) -> str:
    return f"{key_term(letter, field)}{SEPARATOR}"


def _encode_string(value: str) -> str:
    value = normalize("NFC", value)
    if len(value) <= MAX_STRING_LENGTH:
        return value.encode().hex()
    return value[:MAX_STRING_LENGTH].encode().hex() + _HASH_MARKER + sha256(value.encode()).hexdigest()[:32]


def _encode_number(value: float) -> str:
    # Adding 0.0 turns -0.0 into 0.0. Flipping bits makes the hexadecimal form sort like the number.
    bits = int.from_bytes(struct.pack(">d", value + 0.0), "big")
    return f"{bits ^ (_ALL_BITS if bits & _SIGN_BIT else _SIGN_BIT):016x}"


def _encode_date(when: datetime) -> str:
    return f"{to_microseconds(when) + _SIGN_BIT:016x}"


def _encode_bound(bound: Bound) -> str:
    if isinstance(bound, str):
        return _encode_string(bound)
    return _encode_date(bound) if isinstance(bound, datetime) else _encode_number(float(bound))


def _present_bounds(inclusive: Bound | None, exclusive: Bound | None) -> list[tuple[Bound, bool]]:
    return [(bound, excluded) for bound, excluded in ((inclusive, False), (exclusive, True)) if bound is not None]


def _type_limits(field: str, bound: Bound) -> tuple[str, str, str]:
    """Return the prefix of all terms of the bound's type, and the smallest and largest such term."""
    if isinstance(bound, str):
        start = _term_prefix("s", field)
        return start, start, start + _AFTER_STRINGS
    start = _term_prefix("d" if isinstance(bound, datetime) else "n", field)
    return start, start + "0" * 16, start + _LARGEST_NUMBER
