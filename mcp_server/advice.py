"""What a feature's operations can do about a failure of the library, which knows no operations."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from indexer.errors import PlatformError


@dataclass(frozen=True, slots=True)
class Advice:
    """Added to a failure before it is returned to the caller."""

    alternatives: Mapping[str, str] = field(default_factory=dict)
    """Names of operations, each with its purpose here."""
    command: Callable[[Any], str] | None = None
    """Builds the call that fixes the failure, from the failure."""
    action: str | None = None
    """Replaces the library's `action`, if operations offer a better one."""

    def add_to(self, error: PlatformError) -> None:
        """Add this advice to a failure."""
        error.alternatives |= self.alternatives
        if self.command is not None:
            error.command = self.command(error)
        if self.action is not None:
            error.action = self.action
