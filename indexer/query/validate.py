"""Validates clauses, conditions, sort and facets against an index, and builds the query tree for the engine."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from indexer.errors import Invalid, closest, printable
from indexer.query.ast import Combined, Everything, Nothing, Query, SortKey
from indexer.query.parse_text import Clause
from indexer.query.validate_words import NO_CORRECTIONS, Corrections, TextQueries, build_text_queries
from indexer.schema.definition import IndexDefinition

_MAX_SORT_KEYS: Final = 8
_MAX_FACETS: Final = 16
_NO_FILTERS: Final[Mapping[str, Query]] = {}


class UnknownField(Invalid):
    """The index has no such field; `details` has the closest names."""

    def __init__(self, role: str, field: str, near: Sequence[str]) -> None:
        super().__init__(
            f"Unknown {role} field: {printable(field)}",
            action="Use one of the fields in details.closest" if near else "Use a field that documents have",
            details={"field": printable(field), "closest": near},
        )


@dataclass(frozen=True, slots=True)
class ParsedQuery:
    """The query's tokens by their role, as callers see them: lowercased if the index does so, unstemmed."""

    terms: list[str]
    must: list[str]
    must_not: list[str]
    phrases: list[str]


@dataclass(frozen=True, slots=True)
class ValidatedQuery:
    """The query for the engine, and its tokens for the caller."""

    query: Query
    parsed: ParsedQuery
    sort: tuple[SortKey, ...]
    facets: tuple[str, ...]
    empty: bool
    """Whether the query is blank or has no token left, so that no search is needed."""


def validate(
    clauses: Sequence[Clause],
    definition: IndexDefinition,
    *,
    filters: Mapping[str, Query] = _NO_FILTERS,
    sort: Sequence[str] | None = None,
    facets: Sequence[str] | None = None,
    known: Collection[str] | None = None,
    corrections: Corrections = NO_CORRECTIONS,
) -> ValidatedQuery:
    """Validate a query against an index. `known` are the index's fields; None skips the check of names.

    Words in `corrections` are replaced, as a fuzzy search asks for.
    """
    fields = None if known is None else {*known, *definition.sortable}
    for field in filters:
        _check_field("filter", field, fields)
    text = build_text_queries(clauses, definition.analysis, corrections)
    query = _combine(text, tuple(filters.values()), everything=any(clause.kind == "all" for clause in clauses))
    return ValidatedQuery(
        query=query,
        parsed=ParsedQuery(**text.parsed),
        sort=parse_sort(sort or (), fields),
        facets=check_facets(facets or (), fields),
        empty=isinstance(query, Nothing),
    )


def _combine(text: TextQueries, where: tuple[Query, ...], *, everything: bool) -> Query:
    must_not = tuple(text.must_not)
    if text.must:
        ranking = (*text.any_of, *text.ranking)
        return Combined(must=tuple(text.must), ranking=ranking, where=where, must_not=must_not)
    if text.any_of:
        return Combined(any_of=tuple(text.any_of), ranking=tuple(text.ranking), where=where, must_not=must_not)
    if not everything and not must_not:
        return Nothing()
    return Combined(where=where, must_not=must_not) if where or must_not else Everything()


def parse_sort(sort: Sequence[str], fields: Collection[str] | None = None) -> tuple[SortKey, ...]:
    """Return the keys; `Invalid` if a field occurs twice, and `UnknownField` if it is not one of these fields."""
    keys = tuple(SortKey(field=name.removeprefix("-"), descending=name.startswith("-")) for name in sort)
    names = [key.field for key in keys]
    if len(keys) > _MAX_SORT_KEYS or len(set(names)) < len(names) or "" in names:
        raise Invalid(
            "Invalid sort",
            action=f'Name at most {_MAX_SORT_KEYS} different fields, "-field" for descending order',
        )
    for name in names:
        _check_field("sort", name, fields)
    return keys


def check_facets(facets: Sequence[str], fields: Collection[str] | None = None) -> tuple[str, ...]:
    """Return the different fields to count; `UnknownField` if one is not among these fields."""
    names = tuple(dict.fromkeys(facets))
    if len(names) > _MAX_FACETS:
        raise Invalid("Too many facets", action=f"Name at most {_MAX_FACETS} fields")
    for name in names:
        _check_field("facet", name, fields)
    return names


def _check_field(role: str, field: str, fields: Collection[str] | None) -> None:
    if not field or any("\ud800" <= character <= "\udfff" for character in field):
        raise Invalid(f"Invalid {role} field", action="Use the names that the index's fields have")
    if fields is not None and field not in fields:
        raise UnknownField(role, field, closest(field, sorted(fields)))
