"""Upgrading an index's definition to the current version."""

from dataclasses import replace

from indexer.schema.definition import IndexDefinition


def upgraded(definition: IndexDefinition, current: IndexDefinition) -> IndexDefinition:
    """Return the current definition of this kind with what the user chose; an archive's user chooses nothing."""
    if definition.kind == "archive":
        return current
    return replace(definition, version=current.version)
