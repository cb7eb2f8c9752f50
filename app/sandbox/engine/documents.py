"""Documents in the form in which they are searched: an inverted index, and the values of each field."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from app.sandbox.engine.analysis import terms
from app.sandbox.engine.dates import milliseconds
from app.sandbox.engine.geometry import Shape, read_shape
from app.sandbox.engine.mapping import Field, Mapping

Value = str | float | bool | Shape
_POSITION_GAP: Final = 100
"""Positions between two values of a text field, so that no phrase spans them."""


@dataclass(frozen=True, slots=True)
class Document:
    """A document as it is stored."""

    id: str
    source: dict[str, Any]
    routing: str | None = None


class Documents:
    """The documents of one index, or the objects at one nested path of it; they are numbered from 0."""

    def __init__(self, mapping: Mapping) -> None:
        self.mapping = mapping
        self.count = 0
        self.postings: defaultdict[str, defaultdict[str, dict[int, list[int]]]] = defaultdict(lambda: defaultdict(dict))
        """By field and term, the documents and the positions of the term in them."""
        self.lengths: defaultdict[str, dict[int, int]] = defaultdict(dict)
        """By field, the number of tokens in each document that has it."""
        self.filled: Counter[str] = Counter()
        """By field, the number of documents that have a token in it."""
        self.token_counts: Counter[str] = Counter()
        self.values: defaultdict[str, defaultdict[int, list[Any]]] = defaultdict(lambda: defaultdict(list))
        """By field and document, the values of all fields but text; dates are milliseconds."""
        self._next_positions: dict[tuple[str, int], int] = {}
        self.nested: dict[str, Documents] = {}
        self.parents: list[int] = []
        """At a nested path, the document of each object."""

    def add(self, source: dict[str, Any]) -> None:
        """Index the fields of a document."""
        number = self.count
        self.count += 1
        for path, value in source.items():
            self._add_value(number, path, value)

    def having(self, field: str) -> set[int]:
        """Return the documents that have a value in a field."""
        return {*self.lengths.get(field, ()), *self.values.get(field, ())}

    def _add_value(self, number: int, path: str, value: Any) -> None:
        if value is None or self.mapping.is_disabled(path):
            return
        if path in self.mapping.nested:
            self._add_nested(number, path, value)
        elif isinstance(value, list):
            for each in value:
                self._add_value(number, path, each)
        elif isinstance(value, dict) and self._is_object(path):
            for name, each in value.items():
                self._add_value(number, f"{path}.{name}", each)
        elif (field := self.mapping.field_for(path, value)) is not None:
            for name in (path, *self.mapping.subfields.get(path, ()), *([field.copy_to] if field.copy_to else ())):
                self._index(number, name, self.mapping.fields[name], value)

    def _is_object(self, path: str) -> bool:
        field = self.mapping.fields.get(path)
        return field is None or field.type not in {"geo_shape", "join"}

    def _add_nested(self, number: int, path: str, value: Any) -> None:
        objects = self.nested.setdefault(path, Documents(self.mapping))
        for each in value if isinstance(value, list) else [value]:
            objects.parents.append(number)
            objects.add({f"{path}.{name}": part for name, part in each.items()})

    def _index(self, number: int, name: str, field: Field, value: Any) -> None:
        if field.type == "text":
            found = terms(str(value), field.analyzer)
            start = self._next_positions.get((name, number), 0)
            for position, term in enumerate(found, start=start):
                self.postings[name][term].setdefault(number, []).append(position)
            length = self.lengths[name].get(number, 0)
            self.lengths[name][number] = length + len(found)
            self.filled[name] += bool(found) and not length
            self.token_counts[name] += len(found)
            self._next_positions[name, number] = start + len(found) + _POSITION_GAP
            return
        for each in _indexed_values(field, value):
            self.values[name][number].append(each)
            if isinstance(each, str):
                self.postings[name][each].setdefault(number, [])


def _indexed_values(field: Field, value: Any) -> Iterator[Value]:
    match field.type:
        case "keyword":
            text = str(value).lower() if isinstance(value, bool) else str(value)
            if field.longest is None or len(text) <= field.longest:
                yield text
        case "date":
            yield milliseconds(str(value))
        case "boolean":
            yield value in {True, "true"}
        case "geo_shape":
            yield read_shape(value)
        case "join":
            yield value["name"] if isinstance(value, dict) else str(value)
        case "long":
            yield int(value)
        case _:
            yield float(value)
