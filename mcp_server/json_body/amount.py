"""Bounds how many values the arguments of a call may have, before they are validated one by one."""

from collections.abc import Mapping
from typing import Any, Final

from pydantic import BaseModel

from indexer.errors import Invalid

MAX_VALUES: Final = 20_000
"""The longest list that an argument may be is one of 10,000 addresses. Each wrong value costs a microsecond."""
_FREE: Final = frozenset({"documents", "metadata"})
"""Validated by the library, each document for itself."""


def check_amount(model: type[BaseModel], values: Mapping[str, Any]) -> None:
    """Raise `Invalid` if the arguments hold too many values; it names the argument if that is a known one."""
    _check("The call", "has", len(values))
    for name, value in values.items():
        if name not in _FREE and isinstance(value, list | dict):
            known = f"The argument {name}" if name in model.model_fields else "An unknown argument"
            _check(known, "holds", _count(value))


def _check(what: str, has: str, count: int) -> None:
    if count > MAX_VALUES:
        raise Invalid(
            f"{what} {has} more than {MAX_VALUES:,} values",
            action=f"Give at most {MAX_VALUES:,} values, in several calls if need be",
            details={"limit": {"name": "values", "number": MAX_VALUES}},
        )


def _count(value: list[Any] | dict[str, Any]) -> int:
    """Count the values inside of a value, until there are too many."""
    count, rest = 0, [value]
    while rest and count <= MAX_VALUES:
        inner = rest.pop()
        count += len(inner)
        if count <= MAX_VALUES:
            rest += [each for each in (inner.values() if isinstance(inner, dict) else inner) if _is_container(each)]
    return count


def _is_container(value: object) -> bool:
    return isinstance(value, list | dict)
