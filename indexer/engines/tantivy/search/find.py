"""Runs one search, blocking, in a thread of the reader's pool."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from tantivy import DocAddress, Query, Searcher
from tantivy import Document as Stored

from indexer.engines.cost import EXPLAINED_HITS
from indexer.engines.counts import FacetValue
from indexer.engines.highlighter import Highlighter
from indexer.engines.port import Hit, Json, SearchRequest, SearchResponse
from indexer.engines.query_parts import QueryPart, query_parts, score_parts
from indexer.engines.sorting import MAX_SORTED_MATCHES, sort_matches, too_many_to_sort
from indexer.engines.tantivy.documents import facts_of, identity_of, payload_of, revision_of, text_of
from indexer.engines.tantivy.schema import IndexHandle
from indexer.engines.tantivy.search.compile import compile_query, narrow
from indexer.engines.tantivy.search.explain import explain
from indexer.engines.tantivy.search.facets import count_values
from indexer.engines.tantivy.search.sort import DeclaredOrder, Row
from indexer.query.ast import Combined, Everything, Identified, Nothing
from indexer.query.exactness import exact_condition
from indexer.tenancy import DocumentId
from indexer.threads import Check


def find(handle: IndexHandle, searcher: Searcher, request: SearchRequest, check: Check) -> SearchResponse:
    """Search the searcher's snapshot of the index."""
    matching = compile_query(request.query, handle)
    search = _Search(handle, searcher, request, matching, check)
    rows, total = search.rows()
    page = [row for row, _ in rows]
    exact, parts = search.exact_addresses(page), search.parts_by_address(page)
    return SearchResponse(
        hits=[search.hit(rank, row, score, exact, parts) for rank, (row, score) in enumerate(rows)],
        total=total,
        facets={name: search.count_facet(name) for name in request.facets},
    )


def count_matches(searcher: Searcher, query: Query) -> int:
    """Return the number of matching documents."""
    total: int = searcher.search(query, limit=1).count  # type: ignore[attr-defined] # missing in the stubs
    return total


_Address = tuple[int, int]
"""A `DocAddress` that can be compared: the segment, and the document in it."""


def _address(address: DocAddress) -> _Address:
    return address.segment_ord, address.doc


def _page(rows: Sequence[Row]) -> Identified:
    return Identified(tuple(identity_of(row.stored) for row in rows))


@dataclass(slots=True)
class _Search:
    handle: IndexHandle
    searcher: Searcher
    request: SearchRequest
    query: Query
    check: Check
    highlighter: Highlighter = field(init=False)

    def __post_init__(self) -> None:
        definition, stem = self.handle.definition, self.handle.stem
        self.highlighter = Highlighter(self.request.query, definition.analysis, stem, self.check)

    def rows(self) -> tuple[Sequence[tuple[Row, float]], int]:
        """Return the rows of the page with their scores, and the total number of matches."""
        if not self.request.sort and not self.request.by_id:
            return self._by_score()
        total = count_matches(self.searcher, self.query)
        if self.request.size == 0 or total == 0:
            return [], total
        undeclared = [key.field for key in self.request.sort if key.field not in self.handle.definition.sortable]
        rows = self._sorted_in_memory(total, undeclared[0]) if undeclared else self._sorted_by_engine()
        return self._with_scores(rows), total

    def exact_addresses(self, rows: Sequence[Row]) -> set[_Address]:
        """Return the addresses of the rows that match without corrections too."""
        condition = exact_condition(self.request.query)
        if isinstance(condition, Everything) or not rows:
            return {_address(row.address) for row in rows}
        if isinstance(condition, Nothing):
            return set()
        query = compile_query(Combined(where=(condition, _page(rows))), self.handle)
        return {_address(at) for _, at in self.searcher.search(query, limit=len(rows), count=False).hits}

    def parts_by_address(self, rows: Sequence[Row]) -> Mapping[_Address, Mapping[QueryPart, float]]:
        """Return the scores of the parts of the query that each of these rows matches, if they were requested."""
        scores: dict[_Address, dict[QueryPart, float]] = {_address(row.address): {} for row in rows}
        for part in query_parts(self.request.query) if self.request.parts and rows else ():
            self.check()
            for address, score in self._scores(compile_query(part.query, self.handle), rows).items():
                scores[address][part] = score
        return scores

    def hit(
        self,
        rank: int,
        row: Row,
        score: float,
        exact: Collection[_Address],
        parts: Mapping[_Address, Mapping[QueryPart, float]],
    ) -> Hit:
        self.check()
        request, stored = self.request, row.stored
        text = text_of(stored) if request.text or request.snippets else ""
        windows = self.highlighter.windows(text, request.snippets) if request.snippets else []
        is_explained = request.explain and rank < EXPLAINED_HITS
        return Hit(
            id=identity_of(stored),
            score=score,
            revision=revision_of(stored),
            payload=payload_of(stored) if request.payload else b"",
            text=text if request.text else "",
            highlights=tuple(window.marked for window in windows),
            explanation=explain(self.query, self.searcher, row.address) if is_explained else None,
            parts=score_parts(request.query, parts[_address(row.address)]) if request.parts else (),
            matched="exact" if _address(row.address) in exact else "fuzzy",
            position=row.position,
        )

    def count_facet(self, name: str) -> list[FacetValue]:
        self.check()
        return count_values(self.searcher, self.query, name, self.request.facet_values)

    def _by_score(self) -> tuple[list[tuple[Row, float]], int]:
        offset = int(self.request.after[0]) if self.request.after else 0
        documents = self.searcher.num_docs
        # tantivy allocates memory for offset + limit even if fewer documents exist, and rejects a limit of 0.
        offset = min(offset, documents)
        limit = max(1, min(self.request.size, documents - offset))
        response = self.searcher.search(self.query, limit=limit, offset=offset)
        rows = [
            (Row(address, self.searcher.doc(address), self._position(offset + at)), float(score))
            for at, (score, address) in enumerate(response.hits[: self.request.size], start=1)
        ]
        return rows, response.count  # type: ignore[attr-defined] # missing in the stubs

    def _with_scores(self, rows: list[Row]) -> list[tuple[Row, float]]:
        """Search once more for the rows of a sorted page, to get their scores."""
        if not rows:
            return []
        scores = self._scores(self.query, rows)
        return [(row, scores[_address(row.address)]) for row in rows]

    def _scores(self, query: Query, rows: Sequence[Row]) -> dict[_Address, float]:
        """Return the scores of those of these rows that match a query."""
        page = compile_query(_page(rows), self.handle)
        hits = self.searcher.search(narrow(query, page), limit=len(rows), count=False).hits
        return {_address(address): float(score) for score, address in hits}

    def _position(self, rank: int) -> list[Json]:
        return [] if self.request.view is None else [rank]

    def _sorted_by_engine(self) -> list[Row]:
        order = DeclaredOrder(self.handle, self.searcher, self.request.sort)
        return order.page(self.query, self.request.size, self.request.after)

    def _sorted_in_memory(self, total: int, undeclared: str) -> list[Row]:
        if total > MAX_SORTED_MATCHES:
            raise too_many_to_sort(undeclared)
        stored: dict[DocumentId, tuple[DocAddress, Stored]] = {}
        terms: list[tuple[DocumentId, Sequence[str]]] = []
        for _, address in self.searcher.search(self.query, limit=total, count=False).hits:
            self.check()
            document = self.searcher.doc(address)
            identity = identity_of(document)
            stored[identity] = address, document
            terms.append((identity, facts_of(document)[0]))
        page = sort_matches(terms, self.request.sort, self.request.after)[: self.request.size]
        return [Row(*stored[match.id], match.position) for match in page]
