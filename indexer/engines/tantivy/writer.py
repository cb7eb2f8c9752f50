"""`port.Writer` on tantivy; blocking. Concurrent writes to an index share one commit under its write lock."""

import threading
from collections.abc import Iterator, Sequence
from functools import partial
from typing import cast

from indexer.engines.port import Deleted, Deletion, Document, Target, Written
from indexer.engines.tantivy.commit import Change, Result, commit
from indexer.engines.tantivy.failures import translate_errors
from indexer.engines.tantivy.folder import BUSY, Folder
from indexer.engines.tantivy.group_commit import GroupCommit
from indexer.engines.tantivy.read import get_documents, get_revisions, scan_documents
from indexer.tenancy import DocumentId, PhysicalName


class TantivyWriter:
    """`port.Writer` on a data folder. It has no aliases: the registry alone decides which generation is served."""

    def __init__(self, folder: Folder) -> None:
        self._folder = folder
        self._group_commits: dict[PhysicalName, tuple[Target, GroupCommit[Sequence[Change], list[Result]]]] = {}
        self._lock = threading.Lock()

    def create(self, target: Target, alias: str) -> None:  # noqa: ARG002 -- required by the port
        self._folder.create(target)

    def drop(self, physical: PhysicalName) -> None:
        self._folder.drop(physical)
        with self._lock:
            self._group_commits.pop(physical, None)

    def publish(self, alias: str, physical: PhysicalName) -> None:
        """Do nothing, because searches take the physical name from the registry."""

    def physical_names(self, prefix: str) -> list[PhysicalName]:
        return self._folder.names(prefix)

    def write(self, target: Target, documents: Sequence[Document]) -> list[Written]:
        return cast("list[Written]", self._group_commit(target).submit(documents) if documents else [])

    def delete(self, target: Target, deletions: Sequence[Deletion]) -> list[Deleted]:
        return cast("list[Deleted]", self._group_commit(target).submit(deletions) if deletions else [])

    def refresh(self, target: Target) -> None:
        self._folder.open_index(target).searcher()

    def get_many(self, target: Target, ids: Sequence[DocumentId], *, text: bool) -> list[Document | None]:
        with translate_errors(self._folder.path(target.physical)):
            index = self._folder.open_index(target)
            return get_documents(index.handle.schema, index.searcher(), ids, text=text)

    def revisions(self, target: Target, ids: Sequence[DocumentId]) -> dict[DocumentId, int]:
        with translate_errors(self._folder.path(target.physical)):
            index = self._folder.open_index(target)
            return get_revisions(index.handle.schema, index.searcher(), ids)

    def count(self, target: Target) -> int:
        return self._folder.open_index(target).searcher().num_docs

    def scan(self, target: Target, *, text: bool) -> Iterator[list[Document]]:
        batches = scan_documents(self._folder.open_index(target).searcher(), text=text)
        while True:
            with translate_errors(self._folder.path(target.physical)):
                batch = next(batches, None)
            if batch is None:
                return
            yield batch

    def health(self) -> None:
        self._folder.check()

    def close(self) -> None:
        self._folder.close()

    def _group_commit(self, target: Target) -> GroupCommit[Sequence[Change], list[Result]]:
        with self._lock:
            cached = self._group_commits.get(target.physical)
            if cached is None or cached[0] != target:
                cached = target, GroupCommit(partial(commit, self._folder, target), self._folder.patience, BUSY)
                self._group_commits[target.physical] = cached
            return cached[1]
