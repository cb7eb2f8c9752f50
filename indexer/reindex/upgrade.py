"""Upgrades an index's definition to the current version."""

from dataclasses import replace

from indexer.schema.definition import IndexDefinition


def upgrade_definition(definition: IndexDefinition, current: IndexDefinition) -> IndexDefinition:
    """Return the current version of a definition; a local index keeps the user's choices, an archive has none."""
    if definition.kind == "archive":
        return current
    return replace(definition, version=current.version, range_codes=current.range_codes)
