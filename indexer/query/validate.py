"""The last step before an engine: clauses, conditions, sort and facets become one tree that fits the index."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from indexer.errors import Invalid, closest, shown
from indexer.query.ast import Combined, Everything, Nothing, Query, SortKey
from indexer.query.parse_text import Clause
from indexer.query.validate_words import Words, words
from indexer.schema.definition import IndexDefinition

MOST_SORT_KEYS: Final = 8
MOST_FACETS: Final = 16
NO_FILTERS: Final[Mapping[str, Query]] = {}


class UnknownField(Invalid):
    """The index has no such field; the closest names are in the details."""

    def __init__(self, role: str, field: str, near: Sequence[str]) -> None:
        super().__init__(
            f"Unknown {role} field: {shown(field)}",
            action="Use one of the fields in details.closest" if near else "Use a field that documents have",
            details={"field": shown(field), "closest": near},
        )


@dataclass(frozen=True, slots=True)
class Understood:
    """The query as understood: tokens by their role, lowered where the index lowers, unstemmed."""

    terms: list[str]
    must: list[str]
    must_not: list[str]
    phrases: list[str]


@dataclass(frozen=True, slots=True)
class Validated:
    """What an engine is asked, and what the caller is told about it."""

    query: Query
    understood: Understood
    sort: tuple[SortKey, ...]
    facets: tuple[str, ...]
    empty: bool
    """The query is blank or has no token left: there is nothing to ask an engine."""


def validate(
    clauses: Sequence[Clause],
    definition: IndexDefinition,
    *,
    filters: Mapping[str, Query] = NO_FILTERS,
    sort: Sequence[str] | None = None,
    facets: Sequence[str] | None = None,
    known: Collection[str] | None = None,
    fuzzy: bool = False,
) -> Validated:
    """Check everything against the index; `known` are the names of its fields, None if they need no check."""
    fields = None if known is None else {*known, *definition.sortable}
    for field in filters:
        _check_field("filter", field, fields)
    found = words(clauses, definition.analysis, fuzzy=fuzzy)
    query = _combined(found, tuple(filters.values()), everything=any(clause.kind == "all" for clause in clauses))
    return Validated(
        query=query,
        understood=Understood(**found.shown),
        sort=_sort_keys(sort or (), fields),
        facets=_facets(facets or (), fields),
        empty=isinstance(query, Nothing),
    )


def _combined(found: Words, where: tuple[Query, ...], *, everything: bool) -> Query:
    must_not = tuple(found.must_not)
    if found.must:
        ranking = (*found.any_of, *found.ranking)
        return Combined(must=tuple(found.must), ranking=ranking, where=where, must_not=must_not)
    if found.any_of:
        return Combined(any_of=tuple(found.any_of), ranking=tuple(found.ranking), where=where, must_not=must_not)
    if not everything and not must_not:
        return Nothing()
    return Combined(where=where, must_not=must_not) if where or must_not else Everything()


def _sort_keys(sort: Sequence[str], fields: Collection[str] | None) -> tuple[SortKey, ...]:
    keys = tuple(SortKey(field=given.removeprefix("-"), descending=given.startswith("-")) for given in sort)
    names = [key.field for key in keys]
    if len(keys) > MOST_SORT_KEYS or len(set(names)) < len(names) or "" in names:
        raise Invalid(
            "Invalid sort",
            action=f'Name at most {MOST_SORT_KEYS} different fields, "-field" for descending order',
        )
    for name in names:
        _check_field("sort", name, fields)
    return keys


def _facets(facets: Sequence[str], fields: Collection[str] | None) -> tuple[str, ...]:
    names = tuple(dict.fromkeys(facets))
    if len(names) > MOST_FACETS:
        raise Invalid("Too many facets", action=f"Name at most {MOST_FACETS} fields")
    for name in names:
        _check_field("facet", name, fields)
    return names


def _check_field(role: str, field: str, fields: Collection[str] | None) -> None:
    if not field or any("\ud800" <= character <= "\udfff" for character in field):
        raise Invalid(f"Invalid {role} field", action="Use the names that the index's fields have")
    if fields is not None and field not in fields:
        raise UnknownField(role, field, closest(field, sorted(fields)))
