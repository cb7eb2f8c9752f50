"""Sorting by declared fields: tantivy finds the first documents, and a page goes on behind a position by value.

One search asks for as many documents as are wanted in the order of the first key. All of them are in the page but those
that share the last value: of these, more may exist than were seen, so they are asked for again by the next key. The
last key is the id, which no two documents share.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tantivy import DocAddress, FieldType, Occur, Order, Query, Searcher
from tantivy import Document as Stored

from indexer.engines.port import Json
from indexer.engines.tantivy.documents import decoded, encoded, facts_of, identity_of, sort_value
from indexer.engines.tantivy.schema import ID, Dialect, sort_field
from indexer.engines.tantivy.search.compile import narrowed, term_range
from indexer.query.ast import SortKey
from indexer.schema.definition import SortType


@dataclass(frozen=True, slots=True)
class Row:
    """A document in its order, and the values that put it there."""

    address: DocAddress
    stored: Stored
    position: list[Json]


@dataclass(frozen=True, slots=True)
class _Level:
    """One key of the order; the id comes last."""

    field: str
    kind: SortType
    descending: bool


class DeclaredOrder:
    """The order by declared fields, in one state of an index."""

    def __init__(self, dialect: Dialect, searcher: Searcher, keys: Sequence[SortKey]) -> None:
        self._dialect = dialect
        self._searcher = searcher
        self._fields = [(key.field, dialect.definition.sortable[key.field]) for key in keys]
        levels = [
            _Level(sort_field(field), kind, key.descending)
            for key, (field, kind) in zip(keys, self._fields, strict=True)
        ]
        self._levels = [*levels, _Level(ID, "string", descending=False)]

    def page(self, query: Query, size: int, after: list[Json] | None) -> list[Row]:
        """Return the first rows of the query, or the first behind a position."""
        return self._first(query, 0, size) if after is None else self._behind(query, 0, size, after)

    def _behind(self, query: Query, depth: int, size: int, after: list[Json]) -> list[Row]:
        """Return rows behind the position, of documents that share its values before this depth."""
        level, value = self._levels[depth], after[depth]
        rows: list[Row] = []
        if depth + 1 < len(self._levels):
            rows = self._behind(narrowed(query, self._equal(level, value)), depth + 1, size, after)
        if len(rows) < size and value is not None:
            rows += self._first(narrowed(query, self._beyond(level, value)), depth, size - len(rows))
        return rows

    def _first(self, query: Query, depth: int, size: int) -> list[Row]:
        level = self._levels[depth]
        found = self._searcher.search(
            query,
            limit=max(1, min(size, self._searcher.num_docs)),
            count=False,
            order_by_field=level.field,
            order=Order.Desc if level.descending else Order.Asc,
        ).hits
        if depth + 1 == len(self._levels) or len(found) < size:
            return self._ordered([address for _, address in found], depth)
        last = found[-1][0]
        complete = [address for value, address in found if value != last]
        shared = narrowed(query, self._equal(level, _decoded(last, level)))
        return [*self._ordered(complete, depth), *self._first(shared, depth + 1, size - len(complete))]

    def _ordered(self, addresses: list[DocAddress], depth: int) -> list[Row]:
        rows = [self._row(address) for address in addresses]
        rows.sort(key=lambda row: row.position[-1])
        for at in reversed(range(depth, len(self._levels) - 1)):
            present = [row for row in rows if row.position[at] is not None]
            missing = [row for row in rows if row.position[at] is None]
            present.sort(key=lambda row: row.position[at], reverse=self._levels[at].descending)
            rows = present + missing
        return rows

    def _row(self, address: DocAddress) -> Row:
        stored = self._searcher.doc(address)
        sortable = facts_of(stored)[2]
        values = [sort_value(sortable[field], kind) if field in sortable else None for field, kind in self._fields]
        return Row(address, stored, [*values, identity_of(stored)])

    def _equal(self, level: _Level, value: Json) -> Query:
        if value is None:
            return Query.boolean_query([(Occur.Must, Query.all_query()), (Occur.MustNot, _exists(level))])
        if level.kind == "string":
            return Query.term_query(self._dialect.schema, level.field, encoded(value))
        return self._numbers(level, value, value, inclusive=True)

    def _beyond(self, level: _Level, value: Json) -> Query:
        """Return what comes later by this key: values further on, and missing ones."""
        if level.kind == "string":
            term = encoded(value)
            lower, upper = ("*", term) if level.descending else (term, "*")
            further = term_range(self._dialect, level.field, lower, upper, include_lower=False, include_upper=False)
        elif level.descending:
            further = self._numbers(level, None, value, inclusive=False)
        else:
            further = self._numbers(level, value, None, inclusive=False)
        if level.field == ID:
            return further
        return Query.boolean_query([(Occur.Should, further), (Occur.Should, self._equal(level, None))])

    def _numbers(self, level: _Level, lower: Any, upper: Any, *, inclusive: bool) -> Query:
        kind = FieldType.Float if level.kind == "number" else FieldType.Integer
        return Query.range_query(
            self._dialect.schema,
            level.field,
            kind,
            lower_bound=lower if lower is None else sort_value(lower, level.kind),
            upper_bound=upper if upper is None else sort_value(upper, level.kind),
            include_lower=inclusive or lower is None,
            include_upper=inclusive or upper is None,
        )


def _exists(level: _Level) -> Query:
    return Query.exists_query(level.field)


def _decoded(value: Any, level: _Level) -> Json:
    return decoded(value) if level.kind == "string" and value is not None else value
