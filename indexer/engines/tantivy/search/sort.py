"""Sorting by declared fields, which tantivy does for one field at a time; a page continues after a position by value.

One search requests a page of documents in the order of the first key. All of them belong to the page, except those that
share the last value: more documents may share it than were returned, so these are requested again by the next key. The
last key is the id, which is unique.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tantivy import DocAddress, FieldType, Occur, Order, Query, Searcher
from tantivy import Document as Stored

from indexer.engines.port import Json
from indexer.engines.tantivy.documents import decode_term, encode_term, facts_of, identity_of, sort_value
from indexer.engines.tantivy.schema import ID, IndexHandle, sort_field
from indexer.engines.tantivy.search.compile import narrow, term_range
from indexer.query.ast import SortKey
from indexer.schema.definition import SortType


@dataclass(frozen=True, slots=True)
class Row:
    """A document in sort order; `position` holds its sort values and its id."""

    address: DocAddress
    stored: Stored
    position: list[Json]


@dataclass(frozen=True, slots=True)
class _Level:
    """One sort key; the last level is the id."""

    field: str
    kind: SortType
    descending: bool


class DeclaredOrder:
    """Reads pages by declared fields from one snapshot of an index."""

    def __init__(self, handle: IndexHandle, searcher: Searcher, keys: Sequence[SortKey]) -> None:
        self._handle = handle
        self._searcher = searcher
        self._fields = [(key.field, handle.definition.sortable[key.field]) for key in keys]
        levels = [
            _Level(sort_field(field), kind, key.descending)
            for key, (field, kind) in zip(keys, self._fields, strict=True)
        ]
        self._levels = [*levels, _Level(ID, "string", descending=False)]

    def page(self, query: Query, size: int, after: list[Json] | None) -> list[Row]:
        """Return the first rows of the query, or the first after a position."""
        return self._first(query, 0, size) if after is None else self._after(query, 0, size, after)

    def _after(self, query: Query, depth: int, size: int, after: list[Json]) -> list[Row]:
        """Return rows after the position, among documents that share its values of all levels before this depth."""
        level, value = self._levels[depth], after[depth]
        rows: list[Row] = []
        if depth + 1 < len(self._levels):
            rows = self._after(narrow(query, self._equal_to(level, value)), depth + 1, size, after)
        if len(rows) < size and value is not None:
            rows += self._first(narrow(query, self._later_than(level, value)), depth, size - len(rows))
        return rows

    def _first(self, query: Query, depth: int, size: int) -> list[Row]:
        level = self._levels[depth]
        hits = self._searcher.search(
            query,
            limit=max(1, min(size, self._searcher.num_docs)),
            count=False,
            order_by_field=level.field,
            order=Order.Desc if level.descending else Order.Asc,
        ).hits
        if depth + 1 == len(self._levels) or len(hits) < size:
            return self._sort_rows([address for _, address in hits], depth)
        last = hits[-1][0]
        complete = [address for value, address in hits if value != last]
        shared = narrow(query, self._equal_to(level, _decode_value(last, level)))
        return [*self._sort_rows(complete, depth), *self._first(shared, depth + 1, size - len(complete))]

    def _sort_rows(self, addresses: list[DocAddress], depth: int) -> list[Row]:
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

    def _equal_to(self, level: _Level, value: Json) -> Query:
        if value is None:
            return Query.boolean_query([(Occur.Must, Query.all_query()), (Occur.MustNot, _exists(level))])
        if level.kind == "string":
            return Query.term_query(self._handle.schema, level.field, encode_term(value))
        return self._number_range(level, value, value, inclusive=True)

    def _later_than(self, level: _Level, value: Json) -> Query:
        """Match documents that come later by this key: by their value, or because they have none."""
        if level.kind == "string":
            term = encode_term(value)
            lower, upper = ("*", term) if level.descending else (term, "*")
            later = term_range(self._handle, level.field, lower, upper, include_lower=False, include_upper=False)
        elif level.descending:
            later = self._number_range(level, None, value, inclusive=False)
        else:
            later = self._number_range(level, value, None, inclusive=False)
        if level.field == ID:
            return later
        return Query.boolean_query([(Occur.Should, later), (Occur.Should, self._equal_to(level, None))])

    def _number_range(self, level: _Level, lower: Any, upper: Any, *, inclusive: bool) -> Query:
        kind = FieldType.Float if level.kind == "number" else FieldType.Integer
        return Query.range_query(
            self._handle.schema,
            level.field,
            kind,
            lower_bound=lower if lower is None else sort_value(lower, level.kind),
            upper_bound=upper if upper is None else sort_value(upper, level.kind),
            include_lower=inclusive or lower is None,
            include_upper=inclusive or upper is None,
        )


def _exists(level: _Level) -> Query:
    return Query.exists_query(level.field)


def _decode_value(value: Any, level: _Level) -> Json:
    return decode_term(value) if level.kind == "string" and value is not None else value
