"""The values that a document is sorted by, in a form that compares across indices which declare a field differently."""

from collections.abc import Mapping, Sequence
from typing import Any

from indexer.engines.sorting import encoded_field, sort_value
from indexer.query.ast import SortKey
from indexer.schema.definition import IndexDefinition
from indexer.schema.metadata_terms import terms_of, type_of


def sort_values(
    definition: IndexDefinition, fields: Mapping[str, Any], keys: Sequence[SortKey]
) -> tuple[str | None, ...]:
    """Return the value of each key as its index sorts by it; None where the document has none."""
    return tuple(_sort_value(definition, fields, key.field) for key in keys)


def _sort_value(definition: IndexDefinition, fields: Mapping[str, Any], name: str) -> str | None:
    terms = terms_of({name: fields.get(name)})
    declared = definition.sortable.get(name)
    if declared is not None:
        terms = tuple(term for term in terms if type_of(term) == declared)
    return sort_value(terms, encoded_field(name))
