"""An index: its documents as they are stored, and in the form in which they are searched."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from app.sandbox.engine.documents import Document, Documents
from app.sandbox.engine.mapping import Mapping as FieldMapping


@dataclass(frozen=True, slots=True)
class IndexPlan:
    """What an index holds, for any engine."""

    name: str
    properties: Mapping[str, Any]
    """Its fields, declared as for Elasticsearch."""
    documents: Sequence[Document]
    dynamic: bool = False
    """Whether documents may have other fields, which get their types from their first values."""


class Index:
    """The documents of one index, numbered alike in `stored` and `documents`."""

    def __init__(self, plan: IndexPlan) -> None:
        self.name = plan.name
        self.stored = plan.documents
        self.documents = Documents(FieldMapping(plan.properties, dynamic=plan.dynamic))
        for document in self.stored:
            self.documents.add(document.source)
        self._numbers = {document.id: number for number, document in enumerate(self.stored)}
        fields = self.documents.mapping.fields
        self.join_field = next((name for name, field in fields.items() if field.type == "join"), None)
        """The field that tells the parent of each document, if the index has one."""

    def children(self, kind: str) -> dict[int, int]:
        """Return the documents that have a parent of this kind, with their parents."""
        if self.join_field is None:
            return {}
        kinds = self.documents.values[self.join_field]
        found = {}
        for number, document in enumerate(self.stored):
            joined = document.source.get(self.join_field)
            parent = self._numbers.get(joined.get("parent", "")) if isinstance(joined, dict) else None
            if parent is not None and kind in kinds[parent]:
                found[number] = parent
        return found
