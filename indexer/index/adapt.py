"""Bringing documents that were made for one generation to another one's definition."""

from collections.abc import Mapping, Sequence
from typing import Final

from indexer.engines.port import Document
from indexer.index.store import IndexStore
from indexer.schema.definition import IndexDefinition, SortType
from indexer.schema.values import Scalar

_SORTED_AS: Final[Mapping[SortType, type]] = {"string": str, "number": float, "date": int, "boolean": bool}


def adapt_documents(store: IndexStore, definition: IndexDefinition, documents: Sequence[Document]) -> list[Document]:
    """Return the documents as this definition takes them; those that fit already are left as they are."""
    remap = store.remap[definition.kind]
    return [document if _fits(definition, document.sortable) else remap(document, definition) for document in documents]


def _fits(definition: IndexDefinition, values: Mapping[str, Scalar]) -> bool:
    return all(type(values.get(field)) is _SORTED_AS[kind] for field, kind in definition.sortable.items())
