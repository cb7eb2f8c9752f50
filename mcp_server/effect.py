"""What an operation changes: tool annotations, read-only mode and scopes are derived from it."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Effect:
    """An effect, in the terms of MCP's tool annotations."""

    changes: bool
    """Whether the call changes stored state."""
    destroys: bool
    """Whether the call can lose data."""
    repeatable: bool
    """Whether the call is idempotent."""
    external: bool
    """Whether the call reaches services outside Trawl."""


READ: Final = Effect(changes=False, destroys=False, repeatable=True, external=False)
EXTERNAL: Final = Effect(changes=False, destroys=False, repeatable=True, external=True)
PAID: Final = Effect(changes=False, destroys=False, repeatable=False, external=True)
"""Calls an external service that charges for each call and may return a different result each time."""
CREATE: Final = Effect(changes=True, destroys=False, repeatable=False, external=False)
CANCEL: Final = Effect(changes=True, destroys=False, repeatable=True, external=False)
REPLACE: Final = Effect(changes=True, destroys=True, repeatable=True, external=False)
DELETE: Final = REPLACE
INGEST: Final = Effect(changes=True, destroys=True, repeatable=False, external=True)
"""Reads external sources and replaces documents. Each call starts a new job, and a mirror also deletes."""
