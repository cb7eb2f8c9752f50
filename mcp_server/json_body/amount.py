"""Bounds how many values the arguments of a call may have, before they are validated one by one."""

from collections.abc import Mapping
from typing import Any, Final

from pydantic import BaseModel

from indexer.errors import Invalid

MAX_VALUES: Final = 20_000
"""The longest list that an argument may be is one of 10,000 addresses. Each wrong value costs a microsecond."""
MAX_CHARACTERS: Final = 1_000_000
"""Of the strings of an argument; the longest texts that others than documents may have are cursors."""
_CONTAINERS: Final = (list, dict)
_FREE: Final = frozenset({"documents", "content", "metadata"})
"""Validated by the library, each document for itself."""


def check_amount(model: type[BaseModel], values: Mapping[str, Any]) -> None:
    """Raise `Invalid` if the arguments hold too much; it names the argument if that is a known one."""
    _check("The call", "values", len(values), MAX_VALUES)
    for name, value in values.items():
        if name not in _FREE and isinstance(value, str | list | dict):
            argument = f"The argument {name}" if name in model.model_fields else "An unknown argument"
            count, characters = _measure(value)
            _check(argument, "values", count, MAX_VALUES)
            _check(argument, "characters", characters, MAX_CHARACTERS)


def _check(what: str, unit: str, number: int, limit: int) -> None:
    if number > limit:
        raise Invalid(
            f"{what} has more than {limit:,} {unit}",
            action=f"Give at most {limit:,} {unit}, in several calls if need be",
            details={"limit": {"name": unit, "number": limit}},
        )


def _measure(value: str | list[Any] | dict[str, Any]) -> tuple[int, int]:
    """Count the values in a value, until there are too many, and the characters of its strings."""
    if isinstance(value, str):
        return 1, len(value)
    count = characters = 0
    rest = [value]
    while rest and count <= MAX_VALUES:
        container = rest.pop()
        count += len(container)
        if isinstance(container, dict):
            characters += sum(map(len, container))
        inner = container.values() if isinstance(container, dict) else container
        characters += sum([len(each) for each in inner if isinstance(each, str)])
        rest += [each for each in inner if isinstance(each, _CONTAINERS)]
    return count, characters
