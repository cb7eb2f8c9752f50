"""Sandboxes of upstreams: how a service knows them, and how their results are marked.

Sample data must not be mistaken for real data. The credentials of a sandbox are known to everybody, and no real service
accepts them: whoever uses them talks to a sandbox.
"""

from collections.abc import Mapping
from typing import Any, Final, TypeVar, cast

R = TypeVar("R", bound=Mapping[str, object])

OSDU_SANDBOX_TOKEN: Final = "osdu-sandbox"  # noqa: S105 - no secret
QUILT_SANDBOX_KEY: Final = "qk_sandbox"
_LINE: Final = "sandbox: true (sample data, nothing here is real)"


def marked(result: R) -> R:
    """Return a result with the mark."""
    return cast("R", {**result, "sandbox": True})


def sandbox_lines(result: Mapping[str, Any]) -> list[str]:
    """Return the line that a text of this result needs, if any."""
    return [_LINE] if result.get("sandbox") else []
