"""One logical index of a team, as those see it who read it.

Which generation serves it, and that a re-index may replace and drop that one, is known only in this folder.
"""

from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from functools import wraps
from typing import Any, Concatenate, Final, ParamSpec, TypeVar

from indexer.engines.port import Document, Reader, SearchRequest, SearchResponse, Target
from indexer.errors import MissingIndex
from indexer.index.reading import index_data_missing
from indexer.index.record import IndexRecord
from indexer.index.store import IndexStore
from indexer.schema.definition import IndexDefinition
from indexer.tenancy import DocumentId, IndexName, TeamId

_MAX_ATTEMPTS: Final = 3
Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Snapshot:
    """An index as one call sees it: all that the call reads comes from one generation."""

    index: "Index"
    definition: IndexDefinition
    target: Target | None
    """What to read; None if the index was never written to."""
    generation: int
    """Names the target in cursors."""
    _record: IndexRecord = field(repr=False)

    @property
    def reader(self) -> Reader:
        return self.index.store.engine.reader

    def earlier_target(self, generation: int) -> Target | None:
        """Return what a cursor with this generation goes on reading; None if it is gone."""
        return self._record.serving_target(generation)

    async def search(self, request: SearchRequest) -> SearchResponse:
        """Run one search; an index that was never written to has no hits."""
        if self.target is None:
            return SearchResponse(hits=[], total=0, facets={})
        return await self.reader.search(self.target, request)

    async def get(self, ids: Sequence[DocumentId], *, text: bool) -> list[Document | None]:
        """Return the documents as last written, in the order of `ids`."""
        if self.target is None:
            return [None] * len(ids)
        return await self.reader.get(self.target, ids, text=text)


@dataclass(frozen=True, slots=True)
class Index:
    """An index by its name. Built-in ones always exist, others may be missing: then each call raises `NotFound`."""

    store: IndexStore
    team: TeamId
    name: IndexName

    async def snapshot(self, *, fresh: bool = False) -> Snapshot:
        """Return the index as it is now, or was a second ago. `on_snapshot` also retries if it was replaced since."""
        record = await self.store.registry.cached(self.team, self.name, fresh=fresh)
        generation = record.serving.number if record.serving else 0
        return Snapshot(self, record.definition, record.serving_target(), generation, record)

    async def search(self, request: SearchRequest) -> SearchResponse:
        """Run one search; an index that was never written to has no hits."""
        return await _search(self, request)

    async def get(self, ids: Sequence[DocumentId], *, text: bool) -> list[Document | None]:
        """Return the documents as last written, in the order of `ids`."""
        return await _get(self, ids, text=text)

    def get_now(self, ids: Sequence[DocumentId]) -> list[Document | None]:
        """Return the documents without their texts; none if the index is replaced just now. Blocking, for workers."""
        writer = self.store.engine.writer
        return self._read_now(lambda target: writer.get_many(target, ids, text=False), [None] * len(ids))

    def revisions_now(self, ids: Sequence[DocumentId]) -> dict[DocumentId, int]:
        """Return the revisions of those documents that exist; none if the index is replaced just now. Blocking."""
        writer = self.store.engine.writer
        return self._read_now(lambda target: writer.revisions(target, ids), {})

    def delete(self) -> None:
        """Delete the index with all its documents. Blocking."""
        record = self.store.registry.remove(self.team, self.name)
        for target in record.all_physical():
            self.store.engine.writer.drop(target.physical)

    def _read_now(self, read: Callable[[Target], Result], otherwise: Result) -> Result:
        target = self.store.registry.get(self.team, self.name).serving_target()
        if target is None:
            return otherwise
        try:
            return read(target)
        except MissingIndex:
            return otherwise


def on_snapshot(
    read: Callable[Concatenate[Snapshot, Arguments], Awaitable[Result]],
) -> Callable[Concatenate[Index, Arguments], Coroutine[Any, Any, Result]]:
    """Turn a function of a snapshot into one of an index.

    It is called again with a newer snapshot if the first was too old: a re-index had replaced and dropped its target.
    """

    @wraps(read)
    async def read_index(index: Index, /, *args: Arguments.args, **kwargs: Arguments.kwargs) -> Result:
        for attempt in range(_MAX_ATTEMPTS):
            snapshot = await index.snapshot(fresh=attempt > 0)
            try:
                return await read(snapshot, *args, **kwargs)
            except MissingIndex:
                continue
        raise index_data_missing(index.name)

    return read_index


_search = on_snapshot(Snapshot.search)
_get = on_snapshot(Snapshot.get)
