"""What an operation does to the world: annotations of tools, read-only mode and scopes follow from it."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Effect:
    """An effect in the terms in which MCP tells clients of it."""

    changes: bool
    """Whether anything is different afterwards."""
    destroys: bool
    """Whether something may be lost by it."""
    repeatable: bool
    """Whether a second equal call makes no difference."""
    external: bool
    """Whether services elsewhere are asked."""


READ: Final = Effect(changes=False, destroys=False, repeatable=True, external=False)
EXTERNAL: Final = Effect(changes=False, destroys=False, repeatable=True, external=True)
PAID: Final = Effect(changes=False, destroys=False, repeatable=False, external=True)
"""Asks a service elsewhere that costs for each call and may answer differently each time."""
CREATE: Final = Effect(changes=True, destroys=False, repeatable=False, external=False)
CANCEL: Final = Effect(changes=True, destroys=False, repeatable=True, external=False)
REPLACE: Final = Effect(changes=True, destroys=True, repeatable=True, external=False)
DELETE: Final = REPLACE
INGEST: Final = Effect(changes=True, destroys=True, repeatable=False, external=True)
"""Reads from anywhere and replaces documents, by a new job each time; a mirror deletes, too."""
