"""Bringing an index and its documents to another definition, from what is stored alone."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from indexer.archives.mapping import renewed_archive_document
from indexer.engines.port import Document
from indexer.local.mapping import metadata_of, sortable_values
from indexer.query.ast import Scalar
from indexer.schema.definition import IndexDefinition, SortType
from indexer.schema.metadata_terms import keys_of, terms_of

_SORTED_AS: Final[Mapping[SortType, type]] = {"string": str, "number": float, "date": int, "boolean": bool}


def renewed(entry_definition: IndexDefinition, current: IndexDefinition) -> IndexDefinition:
    """Return the current definition of this kind with what the user chose; an archive's user chooses nothing."""
    if entry_definition.kind == "archive":
        return current
    return replace(entry_definition, version=current.version)


def renewed_document(definition: IndexDefinition, document: Document) -> Document:
    """Make everything that is not stored anew, as this definition wants it."""
    if definition.kind == "archive":
        return renewed_archive_document(document, definition)
    metadata = metadata_of(document.payload)
    return replace(
        document,
        terms=terms_of(metadata),
        keys=keys_of(metadata),
        sortable=sortable_values(definition, metadata),
    )


def fitted(definition: IndexDefinition, documents: Sequence[Document]) -> list[Document]:
    """Return documents that were made for one generation as another one takes them."""
    return [
        document if _fits(definition, document.sortable) else renewed_document(definition, document)
        for document in documents
    ]


def _fits(definition: IndexDefinition, values: Mapping[str, Scalar]) -> bool:
    return all(type(values.get(field)) is _SORTED_AS[kind] for field, kind in definition.sortable.items())
