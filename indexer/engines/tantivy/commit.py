"""One commit: under the index's write lock, compare revisions, then write. Safe across processes."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Final

import tantivy
from tantivy import Searcher

from indexer.engines.port import Deleted, DeleteStatus, Deletion, Document, Target, Written
from indexer.engines.tantivy.documents import build_document, encode_term
from indexer.engines.tantivy.failures import translate_errors
from indexer.engines.tantivy.folder import Folder
from indexer.engines.tantivy.read import get_revision
from indexer.engines.tantivy.schema import ID, IndexHandle, open_or_create_index, retry_interrupted
from indexer.tenancy import DocumentId

_WRITER_HEAP_BYTES: Final = 50_000_000
_WRITER_THREADS: Final = 1

Change = Document | Deletion
Result = Written | Deleted


def commit(
    folder: Folder, target: Target, batches: Sequence[Sequence[Change]], timeout: float | None = None
) -> list[list[Result]]:
    """Make the changes durable and visible in one commit. Returns one result per change, in order.

    `Unavailable` if the index is not free within `timeout` seconds.
    """
    path = folder.path(target.physical)
    # The lock is a file too: a full disk must not let its error through.
    with translate_errors(path), folder.write_lock(target.physical, timeout):
        searcher = folder.open_index(target).searcher()
        # tantivy lists the files that it may delete when it opens an index. A handle from before another process's
        # commit would never delete that process's files, so each commit opens the index again.
        handle = open_or_create_index(target.definition, path)
        plan = _Plan(handle, searcher)
        results = [[plan.add(change) for change in batch] for batch in batches]
        if plan.steps:
            _write(handle, plan.steps)
        return results


class _Plan:
    """Decides each change by the stored revision, or by the revision that an earlier change of this commit leaves."""

    def __init__(self, handle: IndexHandle, searcher: Searcher) -> None:
        self._handle = handle
        self._searcher = searcher
        self._revisions: dict[DocumentId, int | None] = {}
        self.steps: list[tuple[DocumentId, tantivy.Document | None]] = []
        """Documents to delete, each with its replacement if there is one."""

    def add(self, change: Change) -> Result:
        return self._write(change) if isinstance(change, Document) else Deleted(change.id, self._delete(change))

    def _write(self, document: Document) -> Written:
        current = self._revision(document.id)
        if current is not None and current >= document.revision:
            return Written(document.id, "superseded")
        try:
            replacement = build_document(document, self._handle.definition)
        except (ValueError, OverflowError, TypeError) as error:
            return Written(document.id, "failed", f"The index cannot hold this document ({type(error).__name__})")
        self.steps.append((document.id, replacement))
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
            self._revisions[identity] = get_revision(self._handle.schema, self._searcher, identity)
        return self._revisions[identity]


def _write(handle: IndexHandle, steps: Sequence[tuple[DocumentId, tantivy.Document | None]]) -> None:
    writer = handle.index.writer(_WRITER_HEAP_BYTES, _WRITER_THREADS)
    try:
        # A writer that died before its commit leaves files behind. tantivy names delete files by an operation counter
        # that continues from the last commit, so a retry of the same changes would collide with those files.
        retry_interrupted(writer.garbage_collect_files)
        for identity, replacement in steps:
            writer.delete_documents_by_term(ID, encode_term(identity))
            if replacement is not None:
                writer.add_document(replacement)
        writer.commit()
    finally:
        # Wait for merges, so that many small commits do not leave as many segments. A failed merge loses nothing: the
        # next commit merges again. Without a commit before, uncommitted changes are discarded.
        with suppress(ValueError):
            writer.wait_merging_threads()
