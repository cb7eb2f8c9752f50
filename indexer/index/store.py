"""The dependencies of all functions on indices: the engine, the registry and the revision clock."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from indexer.engines.port import Document, Engine
from indexer.index.registry import Registry
from indexer.index.revisions import RevisionClock
from indexer.schema.definition import IndexDefinition, Kind

Remap = Callable[[Document, IndexDefinition], Document]
"""Rebuilds a stored document's terms, keys and sortable values for a definition."""


@dataclass(frozen=True, slots=True)
class IndexStore:
    """Access to the indices of all teams."""

    engine: Engine
    registry: Registry
    clock: RevisionClock
    remap: Mapping[Kind, Remap]
    rebuild_grace: float
    """Seconds for which a replaced generation is kept."""
