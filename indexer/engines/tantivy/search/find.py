"""One search, blocking: from what is wanted to the hits, in the thread that the reader gives it."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from tantivy import DocAddress, Query, Searcher
from tantivy import Document as Stored

from indexer.engines.port import Hit, Json, SearchRequest, SearchResponse
from indexer.engines.sorting import GATHERED, order, too_many
from indexer.engines.tantivy.documents import facts_of, identity_of, payload_of, revision_of, text_of
from indexer.engines.tantivy.schema import Dialect
from indexer.engines.tantivy.search.compile import compile_query, excluding, narrowed
from indexer.engines.tantivy.search.explain import explained
from indexer.engines.tantivy.search.facets import facet
from indexer.engines.tantivy.search.highlighter import Highlighter
from indexer.engines.tantivy.search.sort import DeclaredOrder, Row
from indexer.query.ast import Identified
from indexer.tenancy import DocumentId


def find(dialect: Dialect, searcher: Searcher, wanted: SearchRequest) -> SearchResponse:
    """Search in this state of the index."""
    matching = compile_query(wanted.query, dialect)
    search = _Search(dialect, searcher, wanted, excluding(matching, wanted.without, dialect))
    rows, total = search.rows()
    return SearchResponse(
        hits=[search.hit(row, score) for row, score in rows],
        total=total,
        facets={name: facet(searcher, matching, name) for name in wanted.facets},
    )


def counted(searcher: Searcher, query: Query) -> int:
    """Return how many documents match."""
    total: int = searcher.search(query, limit=1).count  # type: ignore[attr-defined] # the stubs leave `count` out
    return total


@dataclass(slots=True)
class _Search:
    dialect: Dialect
    searcher: Searcher
    wanted: SearchRequest
    query: Query
    highlighter: Highlighter = field(init=False)

    def __post_init__(self) -> None:
        self.highlighter = Highlighter(self.wanted.query, self.dialect.definition.analysis, self.dialect.stem)

    def rows(self) -> tuple[Sequence[tuple[Row, float]], int]:
        """Return the page, with scores, and how many documents match in all."""
        if not self.wanted.sort:
            return self._by_score()
        total = counted(self.searcher, self.query)
        if self.wanted.size == 0 or total == 0:
            return [], total
        undeclared = [key.field for key in self.wanted.sort if key.field not in self.dialect.definition.sortable]
        rows = self._gathered(total, undeclared[0]) if undeclared else self._declared()
        return self._scored(rows), total

    def hit(self, row: Row, score: float) -> Hit:
        wanted, stored = self.wanted, row.stored
        text = text_of(stored) if wanted.text or wanted.snippets else ""
        windows = self.highlighter.windows(text, wanted.snippets) if wanted.snippets else []
        return Hit(
            id=identity_of(stored),
            score=score,
            revision=revision_of(stored),
            payload=payload_of(stored) if wanted.payload else b"",
            text=text if wanted.text else "",
            highlights=tuple(window.marked for window in windows),
            explanation=explained(self.query, self.searcher, row.address) if wanted.explain else None,
            position=row.position,
        )

    def _by_score(self) -> tuple[list[tuple[Row, float]], int]:
        offset = int(self.wanted.after[0]) if self.wanted.after else 0
        everything = self.searcher.num_docs
        # tantivy reserves memory for offset and limit, however few documents there are; at least one must be asked for
        offset = min(offset, everything)
        limit = max(1, min(self.wanted.size, everything - offset))
        answer = self.searcher.search(self.query, limit=limit, offset=offset)
        rows = [
            (Row(address, self.searcher.doc(address), self._rank(offset + at)), float(score))
            for at, (score, address) in enumerate(answer.hits[: self.wanted.size], start=1)
        ]
        return rows, answer.count  # type: ignore[attr-defined] # the stubs leave `count` out

    def _scored(self, rows: list[Row]) -> list[tuple[Row, float]]:
        if not rows:
            return []
        page = compile_query(Identified(tuple(identity_of(row.stored) for row in rows)), self.dialect)
        hits = self.searcher.search(narrowed(self.query, page), limit=len(rows), count=False).hits
        scores = {(address.segment_ord, address.doc): float(score) for score, address in hits}
        return [(row, scores[row.address.segment_ord, row.address.doc]) for row in rows]

    def _rank(self, rank: int) -> list[Json]:
        return [] if self.wanted.view is None else [rank]

    def _declared(self) -> list[Row]:
        order_of = DeclaredOrder(self.dialect, self.searcher, self.wanted.sort)
        return order_of.page(self.query, self.wanted.size, self.wanted.after)

    def _gathered(self, total: int, undeclared: str) -> list[Row]:
        if total > GATHERED:
            raise too_many(undeclared)
        stored: dict[DocumentId, tuple[DocAddress, Stored]] = {}
        terms: list[tuple[DocumentId, Sequence[str]]] = []
        for _, address in self.searcher.search(self.query, limit=total, count=False).hits:
            document = self.searcher.doc(address)
            identity = identity_of(document)
            stored[identity] = address, document
            terms.append((identity, facts_of(document)[0]))
        placed = order(terms, self.wanted.sort, self.wanted.after)[: self.wanted.size]
        return [Row(*stored[row.id], row.position) for row in placed]
