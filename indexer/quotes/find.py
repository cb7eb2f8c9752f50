"""Finds the documents of a team in which a quotation stands: by the engine, then word by word."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from indexer.deadline import TimeLimit
from indexer.engines.port import Document, SearchRequest
from indexer.errors import Invalid, NotFound, TimedOut
from indexer.index.index import Index, Snapshot, on_snapshot
from indexer.library import Library
from indexer.query.ast import Query
from indexer.quotes.candidates import phrase_query, similar_query
from indexer.quotes.match import QuoteMatch, match_quote
from indexer.quotes.words import Word, normalized, words_of
from indexer.schema.definition import Analysis
from indexer.tenancy import ARCHIVE_INDEX, DocumentId, IndexName, Principal
from indexer.text.clean import clean_text
from indexer.threads import Check

_MAX_CONCURRENT: Final = 8
_PER_INDEX: Final = 12
_MAX_COMPARED: Final = 30
_BATCH: Final = 4
"""Texts are read in small batches, since each may have 10 MB."""

QueryBuilder = Callable[[str, Analysis], Query | None]


@dataclass(frozen=True, slots=True)
class _Candidate:
    index: IndexName
    id: DocumentId
    rank: int
    score: float


@dataclass(frozen=True, slots=True)
class QuotedDocument:
    """A document in which the quotation stands."""

    index: IndexName
    document: Document
    match: QuoteMatch


async def find_quote(library: Library, principal: Principal, quote: str, limit: int) -> list[QuotedDocument]:
    """Return the documents of all that the caller may use, closest first; `TimedOut` after the search timeout."""
    text = normalized(clean_text(quote))
    words = words_of(text)
    if not words:
        raise Invalid("The quote has no words", action="Give a sentence or a passage, as it stands in the document")
    async with TimeLimit(library.search_timeout, _timed_out):
        return await _Search(library, principal, text, words).find(limit)


def _timed_out() -> TimedOut:
    return TimedOut("The search took too long", action="Give a shorter quote, or try again later")


class _Search:
    def __init__(self, library: Library, principal: Principal, quote: str, words: list[Word]) -> None:
        self._library = library
        self._principal = principal
        self._quote = quote
        self._words = words

    async def find(self, limit: int) -> list[QuotedDocument]:
        records = await asyncio.to_thread(self._library.registry.usable, self._principal)
        archive = [ARCHIVE_INDEX] if self._principal.may_use(ARCHIVE_INDEX) else []
        indices = [*archive, *(record.index for record in records)]
        phrases = await self._candidates(indices, phrase_query, limit)
        found = await self._compare(phrases)
        if sum(not each.match.difference for each in found) < limit:
            seen = {(each.index, each.id) for each in phrases}
            similar = await self._candidates(indices, similar_query, _PER_INDEX)
            new = [each for each in similar if (each.index, each.id) not in seen]
            # The best of each index is compared, since scores of different indices are not comparable.
            found += await self._compare(new[: _MAX_COMPARED + len(indices)])
        found.sort(key=lambda each: each.match.order)
        return found[:limit]

    async def _candidates(self, indices: Sequence[IndexName], build: QueryBuilder, size: int) -> list[_Candidate]:
        semaphore = asyncio.Semaphore(_MAX_CONCURRENT)

        async def search(index: IndexName) -> list[_Candidate]:
            async with semaphore:
                try:
                    return await _hits(self._index(index), build, self._quote, size)
                except NotFound:
                    return []  # deleted after it was listed

        found = [candidate for each in await asyncio.gather(*map(search, indices)) for candidate in each]
        return sorted(found, key=lambda candidate: (candidate.rank, -candidate.score))

    async def _compare(self, candidates: Sequence[_Candidate]) -> list[QuotedDocument]:
        found: list[QuotedDocument] = []
        for start in range(0, len(candidates), _BATCH):
            batch = candidates[start : start + _BATCH]
            documents = await asyncio.gather(*map(self._read, batch))
            found += await self._matched([each for each in documents if each is not None])
        return found

    async def _read(self, candidate: _Candidate) -> tuple[IndexName, Document] | None:
        try:
            [document] = await self._index(candidate.index).get([candidate.id], text=True)
        except NotFound:
            return None
        return None if document is None else (candidate.index, document)

    def _index(self, name: IndexName) -> Index:
        return Index(self._library, self._principal.team, name)

    async def _matched(self, documents: list[tuple[IndexName, Document]]) -> list[QuotedDocument]:
        def match(check: Check) -> list[QuotedDocument]:
            matches = ((index, document, self._match(document, check)) for index, document in documents)
            return [QuotedDocument(index, document, found) for index, document, found in matches if found is not None]

        return await self._library.search_threads.run(match, self._library.search_timeout)

    def _match(self, document: Document, check: Check) -> QuoteMatch | None:
        check()
        return match_quote(self._words, document.text)


@on_snapshot
async def _hits(snapshot: Snapshot, build: QueryBuilder, quote: str, size: int) -> list[_Candidate]:
    query = build(quote, snapshot.definition.analysis)
    if query is None:
        return []
    response = await snapshot.search(SearchRequest(query, size=size, payload=False))
    return [_Candidate(snapshot.index.name, hit.id, rank, hit.score) for rank, hit in enumerate(response.hits)]
