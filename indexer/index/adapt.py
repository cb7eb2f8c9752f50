"""Adapts documents that were built for one generation to the definition of another."""

from collections.abc import Mapping, Sequence
from typing import Final

from indexer.engines.port import Document
from indexer.index.store import IndexStore
from indexer.schema.definition import IndexDefinition, SortType
from indexer.schema.values import Scalar

_PYTHON_TYPES: Final[Mapping[SortType, type]] = {"string": str, "number": float, "date": int, "boolean": bool}


def adapt_documents(store: IndexStore, definition: IndexDefinition, documents: Sequence[Document]) -> list[Document]:
    """Return the documents with sortable values as the definition declares them; matching ones stay unchanged."""
    remap = store.remap[definition.kind]
    return [
        document if _matches(definition, document.sortable) else remap(document, definition) for document in documents
    ]


def _matches(definition: IndexDefinition, values: Mapping[str, Scalar]) -> bool:
    return all(type(values.get(field)) is _PYTHON_TYPES[kind] for field, kind in definition.sortable.items())
