"""The mark of results from a sandbox: sample data must not be mistaken for real data."""

from collections.abc import Mapping
from typing import Any, Final, TypeVar, cast

R = TypeVar("R", bound=Mapping[str, object])

SANDBOX_LINE: Final = "sandbox: true (sample data, nothing here is real)"


def marked(result: R) -> R:
    """Return a result with the mark."""
    return cast("R", {**result, "sandbox": True})


def sandbox_lines(result: Mapping[str, Any]) -> list[str]:
    """Return the line that a text of this result needs, if any."""
    return [SANDBOX_LINE] if result.get("sandbox") else []
