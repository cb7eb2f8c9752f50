"""Codes of numbers and dates for ranges: any range is at most `MAX_RANGE_TERMS` terms, however many values there are.

A value becomes a whole number of fixed width, in decimal digits without the zeros at its end, after a hash of field and
type. It is found by each beginning of its code and by the code itself, whose last digit is a letter. So one term stands
for all longer codes that begin like it, and a range is a few of these and a few single values. Decimal digits, because
values that people write have few of them: a price needs three digits of exponent and its own.
"""

from collections.abc import Iterable, Iterator
from datetime import datetime
from functools import lru_cache
from hashlib import blake2b
from typing import Final, NamedTuple

from indexer.schema.dates import to_microseconds
from indexer.schema.metadata_terms import SEPARATOR, decode_date, decode_number, key_term
from indexer.schema.values import Bound

_HASH_BYTES: Final = 8
_MANTISSA_DIGITS: Final = 17
_EXPONENT_BIAS: Final = 325
"""Makes the decimal exponent of every double positive, and of at most three digits."""
_ZERO: Final = 10**20
"""The key of the number 0. Keys of positive numbers are above it, those of negative ones as far below."""
_EPOCH: Final = 10**18
"""The key of the first microsecond of 1970; those of the years 1 to 9999 are positive and of as many digits."""
_LETTERS: Final = dict(zip("0123456789", "abcdefghij", strict=True))


class _Keys(NamedTuple):
    """The keys of one type: how many digits they have, the lowest one and the first one above the highest, rounded."""

    digits: int
    lowest: int
    above: int


_KEYS: Final = {"n": _Keys(21, 36 * 10**18, 164 * 10**18), "d": _Keys(19, 93 * 10**16, 126 * 10**16)}
_LONGEST: Final = _KEYS["n"]
_FEWEST_DIGITS: Final = 3
"""Of a beginning that is indexed. Each further one costs every value a term, to spare ranges with an open end some."""
SHORTEST_TERM: Final = 2 * _HASH_BYTES + _FEWEST_DIGITS
LONGEST_TERM: Final = 2 * _HASH_BYTES + _LONGEST.digits
MAX_RANGE_TERMS: Final = 2 * (2 * 9 * (_LONGEST.digits - _FEWEST_DIGITS) + (164 - 36))
"""At either end nine beginnings of each length, and all of the fewest digits; each with the value that it starts at."""


def range_codes(terms: Iterable[str]) -> Iterator[str]:
    """Yield the code of each number and date among a document's metadata terms."""
    for term in terms:
        letter = term[0]
        if letter in _KEYS:
            name, _, encoded = term.rpartition(SEPARATOR)
            key = _number_key(decode_number(encoded)) if letter == "n" else _EPOCH + decode_date(encoded)
            yield _start(name) + _code(str(key).zfill(_KEYS[letter].digits))


def range_terms(
    field: str,
    *,
    gte: Bound | None = None,
    gt: Bound | None = None,
    lte: Bound | None = None,
    lt: Bound | None = None,
) -> list[str] | None:
    """Return the terms of which a value within these bounds of one type has at least one; None for strings."""
    letter = _letter(next(bound for bound in (gte, gt, lte, lt) if bound is not None))
    if letter is None:
        return None
    width, lowest, above = _KEYS[letter]
    lower = [(_key(bound), excluded) for bound, excluded in ((gte, False), (gt, True)) if bound is not None]
    upper = [_key(bound) + included for bound, included in ((lt, False), (lte, True)) if bound is not None]
    low, excluded = max(lower, default=(lowest, False))
    found = list(_between(low, min(upper, default=above), width))
    start = _start(key_term(letter, field))
    # The first term is that of the lower bound alone.
    return [start + term for term in found[excluded:]]


def _between(low: int, high: int, width: int) -> Iterator[str]:
    """Yield the terms of the keys from `low` to below `high`: the start of each aligned piece, then the rest of it."""
    while low < high:
        digits = str(low).zfill(width)
        free = width - max(_FEWEST_DIGITS, len(digits.rstrip("0")))
        while low + 10**free > high:
            free -= 1
        yield _code(digits)
        if free:
            yield digits[: width - free]
        low += 10**free


def _code(digits: str) -> str:
    significant = digits.rstrip("0")
    return f"{significant[:-1]}{_LETTERS[significant[-1]]}".ljust(_FEWEST_DIGITS, "0")


def _key(bound: Bound) -> int:
    return _EPOCH + to_microseconds(bound) if isinstance(bound, datetime) else _number_key(float(bound))


def _number_key(number: float) -> int:
    """Return the exponent and the shortest decimal digits as one whole number, which sorts like the number."""
    if number == 0:
        return _ZERO
    mantissa, _, exponent = repr(abs(number)).partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = whole + fraction
    significant = digits.lstrip("0")
    biased = int(exponent or 0) + len(whole) - 1 - (len(digits) - len(significant)) + _EXPONENT_BIAS
    size = int(f"{biased}{significant[:_MANTISSA_DIGITS]:0<{_MANTISSA_DIGITS}}")
    return _ZERO + size if number > 0 else _ZERO - size


def _letter(bound: Bound) -> str | None:
    if isinstance(bound, str):
        return None
    return "d" if isinstance(bound, datetime) else "n"


@lru_cache(maxsize=1_024)
def _start(name: str) -> str:
    return blake2b(name.encode(), digest_size=_HASH_BYTES).hexdigest()
