"""The quota of documents and bytes of a team: says which of the documents to be written fit into it.

Far from the limit this costs nothing but arithmetic. Near it the team's documents are counted anew, and those that
replace a document of the same ID do not count.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from indexer.engines.counts import Size
from indexer.index.failures import QuotaName, QuotaReached
from indexer.index.index import Index
from indexer.index.store import IndexStore
from indexer.index.usage import Usage
from indexer.tenancy import DocumentId, IndexName, TeamId


@dataclass(frozen=True, slots=True)
class Addition:
    """A document to be written, and about how many bytes it takes."""

    id: DocumentId
    size_bytes: int


@dataclass(frozen=True, slots=True)
class Additions:
    """Documents to be written to one index."""

    index: IndexName
    documents: Sequence[Addition]


class Quota:
    """The same limits for every team; None is no limit."""

    def __init__(
        self, store: IndexStore, usage: Usage, *, max_documents: int | None = None, max_bytes: int | None = None
    ) -> None:
        self._store = store
        self.usage = usage
        self.max_documents = max_documents
        self.max_bytes = max_bytes

    @property
    def is_limited(self) -> bool:
        return self.max_documents is not None or self.max_bytes is not None

    async def failures(self, team: TeamId, additions: Additions) -> Sequence[QuotaReached | None]:
        """Return for each document None if the team may write it, or else why not; earlier ones take the room first."""
        documents = additions.documents
        wanted = _size_of(documents)
        if not self.is_limited or self._has_room(await self.usage.of(team), wanted):
            return [None] * len(documents)
        used = await self.usage.of(team, fresh=True)
        if self._has_room(used, wanted):
            return [None] * len(documents)
        return self._choose(used, documents, await self._existing(team, additions))

    @contextmanager
    def writing(self, team: TeamId, documents: Sequence[Addition]) -> Iterator[None]:
        """Count the documents that are written inside."""
        with self.usage.writing(team, _size_of(documents)):
            yield

    def _has_room(self, used: Size, wanted: Size) -> bool:
        return (self.max_documents is None or used.documents + wanted.documents <= self.max_documents) and (
            self.max_bytes is None or used.size_bytes + wanted.size_bytes <= self.max_bytes
        )

    def _choose(
        self, used: Size, documents: Sequence[Addition], existing: set[DocumentId]
    ) -> list[QuotaReached | None]:
        failures: list[QuotaReached | None] = []
        known = set(existing)
        taken = used
        for document in documents:
            after = Size(taken.documents + (document.id not in known), taken.size_bytes + document.size_bytes)
            name = self._exceeded(taken, after)
            failures.append(None if name is None else self._failure(name, used))
            if name is None:
                known.add(document.id)
                taken = after
        return failures

    def _exceeded(self, before: Size, after: Size) -> QuotaName | None:
        if self.max_documents is not None and after.documents > max(before.documents, self.max_documents):
            return "documents"
        return "bytes" if self.max_bytes is not None and after.size_bytes > self.max_bytes else None

    def _failure(self, name: QuotaName, used: Size) -> QuotaReached:
        limit, number = (
            (self.max_documents, used.documents) if name == "documents" else (self.max_bytes, used.size_bytes)
        )
        return QuotaReached(name, limit or 0, used=number, action="Delete documents that are no longer needed")

    async def _existing(self, team: TeamId, additions: Additions) -> set[DocumentId]:
        ids = list({document.id for document in additions.documents})
        found = await Index(self._store, team, additions.index).get(ids, text=False)
        return {document.id for document in found if document is not None}


def _size_of(documents: Sequence[Addition]) -> Size:
    return Size(len({document.id for document in documents}), sum(document.size_bytes for document in documents))
