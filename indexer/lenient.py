"""Numbers and booleans that were given as text, which models often send: what converts without loss is converted."""

import re
from collections.abc import Callable
from types import UnionType
from typing import Annotated, Any, Final, Union, get_args, get_origin

Converter = Callable[[object], object]
_DECIMAL: Final = re.compile(r"[+-]?[0-9]{1,15}(\.[0-9]{1,15})?\Z")
"""Plain decimal digits; no more than a float holds."""
_WHOLE: Final = re.compile(r"[+-]?[0-9]{1,15}(\.0{1,15})?\Z")
_BOOLEANS: Final = {"true": True, "True": True, "false": False, "False": False}
_LARGEST_EXACT: Final = 2**53
"""Beyond it, a float does not tell neighbouring integers apart."""


def converter_for(annotation: Any) -> Converter | None:
    """Return the conversion for a field of this type; None if text is valid there, or nothing converts."""
    kinds = _kinds(annotation)
    if str in kinds or Any in kinds:
        return None
    return next((convert for kind, convert in _CONVERTERS.items() if kind in kinds), None)


def _kinds(annotation: Any) -> set[Any]:
    """Return the alternatives of a type."""
    origin = get_origin(annotation)
    if origin is Annotated:
        return _kinds(get_args(annotation)[0])
    if origin in {Union, UnionType}:
        return set().union(*(_kinds(each) for each in get_args(annotation)))
    return {annotation}


def _to_integer(value: object) -> object:
    if isinstance(value, str) and _WHOLE.match(value):
        return int(value.partition(".")[0])
    if isinstance(value, float) and value.is_integer() and abs(value) <= _LARGEST_EXACT:
        return int(value)
    return value


def _to_number(value: object) -> object:
    return float(value) if isinstance(value, str) and _DECIMAL.match(value) else value


def _to_boolean(value: object) -> object:
    return _BOOLEANS.get(value, value) if isinstance(value, str) else value


_CONVERTERS: Final[dict[type, Converter]] = {int: _to_integer, float: _to_number, bool: _to_boolean}
