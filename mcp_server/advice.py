"""What the operations of a feature can do about a failure of the library, which knows no operation."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from indexer.errors import PlatformError


@dataclass(frozen=True, slots=True)
class Advice:
    """Added to a failure before it is answered."""

    alternatives: Mapping[str, str] = field(default_factory=dict)
    """Names of operations, each with what it is good for here."""
    command: Callable[[Any], str] | None = None
    """Writes the call that mends it, given the failure."""
    action: str | None = None
    """What to do, where operations have a better answer than the library."""

    def add_to(self, error: PlatformError) -> None:
        """Complete the failure."""
        error.alternatives |= self.alternatives
        if self.command is not None:
            error.command = self.command(error)
        if self.action is not None:
            error.action = self.action
