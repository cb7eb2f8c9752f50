"""Compares files with the archive: which ones it holds already in the same version."""

from collections.abc import Sequence
from concurrent.futures import Future
from typing import Literal

from indexer.tenancy import DocumentId
from workers.context import WorkerContext
from workers.ingest.archive import find_unchanged, written_since
from workers.jobs.records import Job

FileChange = Literal["changed", "unchanged", "indexed"]
"""changed: must be read; unchanged: in the archive before this job; indexed: written by an earlier attempt of it."""


class Comparison:
    """Compares documents by id and version; the archive is queried in the background.

    A version of None means that the source itself said "not modified". `is_retry` means that an earlier attempt of this
    job may have written some of the documents.
    """

    def __init__(
        self,
        context: WorkerContext,
        job: Job,
        versions: Sequence[tuple[DocumentId, str | None]],
        *,
        is_retry: bool = False,
    ) -> None:
        self._context = context
        self._job = job
        self._is_retry = is_retry
        self._versions = versions
        # If two files have the same id, only the last one's version is looked up.
        self._queried = {id_: version for id_, version in versions if version is not None}
        self._unchanged: Future[set[DocumentId]] | None = None
        if self._queried:
            self._unchanged = context.start(find_unchanged(context.library, job.team, self._queried))

    def changes(self) -> list[FileChange]:
        """Wait for the archive and return the change of each file, in order."""
        unchanged = self._unchanged.result() if self._unchanged is not None else set()
        same = {
            number: id_
            for number, (id_, version) in enumerate(self._versions)
            if version is None or (id_ in unchanged and self._queried[id_] == version)
        }
        written = self._written_by_job(list(same.values()))
        return [
            "changed" if number not in same else "indexed" if id_ in written else "unchanged"
            for number, (id_, _) in enumerate(self._versions)
        ]

    def _written_by_job(self, ids: Sequence[DocumentId]) -> set[DocumentId]:
        if not self._is_retry and not self._job.restarted:
            return set()
        return written_since(self._context.library, self._job, ids)
