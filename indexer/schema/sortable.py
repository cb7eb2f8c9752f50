"""Extracts the values of the sortable fields of an index from metadata."""

from collections.abc import Iterator, Mapping
from typing import Any

from indexer.schema.dates import moment, to_microseconds
from indexer.schema.definition import IndexDefinition, SortType
from indexer.schema.metadata_terms import MAX_STRING_LENGTH, as_scalar
from indexer.schema.values import Scalar


def sortable_values(definition: IndexDefinition, metadata: Mapping[str, Any]) -> dict[str, Scalar]:
    """Return the value of each sortable field, in its declared type; of a list, the smallest."""
    values_by_field = {
        field: list(_typed_values(metadata.get(field), kind)) for field, kind in definition.sortable.items()
    }
    return {field: min(values) for field, values in values_by_field.items() if values}


def _typed_values(value: object, kind: SortType) -> Iterator[Scalar]:
    for each in value if isinstance(value, list | tuple) else (value,):
        scalar = as_scalar(each)
        if scalar is not None and (converted := _convert(scalar, kind)) is not None:
            yield converted


def _convert(value: Scalar, kind: SortType) -> Scalar | None:
    match value, kind:
        case str(), "string":
            return value[:MAX_STRING_LENGTH]
        case str(), "date":
            when = moment(value)
            return None if when is None else to_microseconds(when)
        case bool(), "boolean":
            return value
        case float(), "number":
            return value
        case _:
            return None
