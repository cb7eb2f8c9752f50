"""Values of the fields that an index declares as sortable."""

from collections.abc import Iterator, Mapping
from typing import Any

from indexer.schema.dates import microseconds, moment
from indexer.schema.definition import IndexDefinition, SortType
from indexer.schema.metadata_terms import LONGEST_STRING, as_scalar
from indexer.schema.values import Scalar


def sortable_values(definition: IndexDefinition, metadata: Mapping[str, Any]) -> dict[str, Scalar]:
    """Return the declared fields' values of the declared type, of several the smallest."""
    found = {field: list(_typed(metadata.get(field), kind)) for field, kind in definition.sortable.items()}
    return {field: min(values) for field, values in found.items() if values}


def _typed(given: object, kind: SortType) -> Iterator[Scalar]:
    for each in given if isinstance(given, list | tuple) else (given,):
        value = as_scalar(each)
        if value is not None and (sortable := _sortable(value, kind)) is not None:
            yield sortable


def _sortable(value: Scalar, kind: SortType) -> Scalar | None:
    match value, kind:
        case str(), "string":
            return value[:LONGEST_STRING]
        case str(), "date":
            when = moment(value)
            return None if when is None else microseconds(when)
        case bool(), "boolean":
            return value
        case float(), "number":
            return value
        case _:
            return None
