"""Metadata filters as exact terms, the same for both engines."""

from indexer.query.ast import AnyValue, Within
from indexer.schema.metadata_terms import Bounds, internal_term, range_bounds, value_term
from indexer.schema.range_codes import range_terms


def any_value_terms(node: AnyValue) -> tuple[str, ...]:
    """Return the terms of which a matching document has at least one."""
    if node.internal:
        return tuple(internal_term(node.field, value) for value in node.values if isinstance(value, str))
    return tuple(dict.fromkeys(value_term(node.field, value) for value in node.values))


def within_bounds(node: Within) -> Bounds:
    """Return the range of terms in which a matching document has at least one."""
    return range_bounds(node.field, gte=node.gte, gt=node.gt, lte=node.lte, lt=node.lt)


def within_terms(node: Within) -> list[str] | None:
    """Return the terms of range codes of which a matching document has at least one; None for a range of strings."""
    return range_terms(node.field, gte=node.gte, gt=node.gt, lte=node.lte, lt=node.lt)
