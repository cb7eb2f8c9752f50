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
        self._parents = {} if self.join_field is None else self._read_parents(self.join_field)

    def children(self, kind: str) -> dict[int, int]:
        """Return the documents that have a parent of this kind, with their parents."""
        kinds = self.documents.values[self.join_field or ""]
        return {child: parent for child, parent in self._parents.items() if kind in kinds[parent]}

    def _read_parents(self, join_field: str) -> dict[int, int]:
        joined = ((number, document.source.get(join_field)) for number, document in enumerate(self.stored))
        named = ((number, each["parent"]) for number, each in joined if isinstance(each, dict) and "parent" in each)
        return {number: self._numbers[parent] for number, parent in named if parent in self._numbers}
