"""What the functions about indices work with: the engine and the registry above it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from indexer.engines.port import Document, Engine
from indexer.index.registry import Registry
from indexer.index.revisions import RevisionClock
from indexer.schema.definition import IndexDefinition, Kind

Remap = Callable[[Document, IndexDefinition], Document]
"""Makes a stored document's terms, keys and sortable values anew, as a definition wants them."""


@dataclass(frozen=True, slots=True)
class IndexStore:
    """All indices of all teams."""

    engine: Engine
    registry: Registry
    clock: RevisionClock
    remap: Mapping[Kind, Remap]
    rebuild_grace: float
    """Seconds for which a replaced generation is kept."""
