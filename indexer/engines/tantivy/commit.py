"""What one commit does: decide by revisions under the index's lock, then write, in whichever process."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Final

import tantivy
from tantivy import Searcher

from indexer.engines.port import Deleted, DeleteStatus, Deletion, Document, Target, Written
from indexer.engines.tantivy.documents import encoded, indexed
from indexer.engines.tantivy.failures import translated
from indexer.engines.tantivy.folder import Folder
from indexer.engines.tantivy.read import revision
from indexer.engines.tantivy.schema import ID, Dialect, open_or_create_index, retry_interrupted
from indexer.tenancy import DocumentId

_HEAP: Final = 50_000_000
_THREADS: Final = 1

Change = Document | Deletion
Result = Written | Deleted


def commit(folder: Folder, target: Target, batches: Sequence[Sequence[Change]]) -> list[list[Result]]:
    """Make the changes durable and visible, in one commit; one result for each, in the order given."""
    path = folder.path(target.physical)
    with folder.exclusive(target.physical), translated(path):
        searcher = folder.opened(target).searcher()
        # Opened anew each time: tantivy lists the files that it may remove when it opens an index, and a list from
        # before another process's commit would leave that process's files there for ever.
        fresh = open_or_create_index(target.definition, path)
        plan = _Plan(fresh, searcher)
        results = [[plan.add(change) for change in batch] for batch in batches]
        if plan.steps:
            _write(fresh, plan.steps)
        return results


class _Plan:
    """Decides on each change by the revision that is there, or that an earlier change in the same commit leaves."""

    def __init__(self, fresh: Dialect, searcher: Searcher) -> None:
        self._dialect = fresh
        self._searcher = searcher
        self._revisions: dict[DocumentId, int | None] = {}
        self.steps: list[tuple[DocumentId, tantivy.Document | None]] = []
        """Which documents to remove, and what to put in their place."""

    def add(self, change: Change) -> Result:
        return self._write(change) if isinstance(change, Document) else Deleted(change.id, self._delete(change))

    def _write(self, document: Document) -> Written:
        current = self._revision(document.id)
        if current is not None and current >= document.revision:
            return Written(document.id, "superseded")
        try:
            added = indexed(document, self._dialect.definition)
        except (ValueError, OverflowError, TypeError) as error:
            return Written(document.id, "failed", f"The index cannot hold this document ({type(error).__name__})")
        self.steps.append((document.id, added))
        self._revisions[document.id] = document.revision
        return Written(document.id, "created" if current is None else "updated")

    def _delete(self, deletion: Deletion) -> DeleteStatus:
        current = self._revision(deletion.id)
        if current is None:
            return "absent"
        if current > deletion.revision:
            return "superseded"
        self.steps.append((deletion.id, None))
        self._revisions[deletion.id] = None
        return "deleted"

    def _revision(self, identity: DocumentId) -> int | None:
        if identity not in self._revisions:
            self._revisions[identity] = revision(self._dialect.schema, self._searcher, identity)
        return self._revisions[identity]


def _write(fresh: Dialect, steps: Sequence[tuple[DocumentId, tantivy.Document | None]]) -> None:
    writer = fresh.index.writer(_HEAP, _THREADS)
    try:
        # A writer that died before its commit has left files. tantivy names deletions after a count of operations that
        # goes on from the last commit: the same changes again need the same name, and would find it taken.
        retry_interrupted(writer.garbage_collect_files)
        for identity, added in steps:
            writer.delete_documents_by_term(ID, encoded(identity))
            if added is not None:
                writer.add_document(added)
        writer.commit()
    finally:
        # Small segments are merged here, so that many small commits do not leave as many segments; a merge that fails
        # loses nothing, and the next commit tries again. Without a commit before, this takes nothing over.
        with suppress(ValueError):
            writer.wait_merging_threads()
