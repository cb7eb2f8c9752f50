"""Comparing with the archive: which files it has already, in just this version."""

from collections.abc import Sequence
from concurrent.futures import Future
from typing import Literal

from indexer.tenancy import DocumentId
from workers.context import WorkerContext
from workers.ingest.archive import present, written_since
from workers.jobs.records import Job

FileChange = Literal["changed", "unchanged", "indexed"]
"""How a file stands: it has to be read, it is there as it is, or an earlier attempt of this job has written it."""


class Comparison:
    """Ids with the version of each; the archive is asked while the caller does something else.

    No version means that the archive's is known to be the right one. `again`: an earlier attempt of this job may have
    written some of them.
    """

    def __init__(
        self,
        context: WorkerContext,
        job: Job,
        versions: Sequence[tuple[DocumentId, str | None]],
        *,
        again: bool = False,
    ) -> None:
        self._context = context
        self._job = job
        self._again = again
        self._versions = versions
        # Of two files with one id, the archive is asked for the last one's version.
        self._asked = {id_: version for id_, version in versions if version is not None}
        self._present: Future[set[DocumentId]] | None = None
        if self._asked:
            self._present = context.begin(present(context.library, job.team, self._asked))

    def changes(self) -> list[FileChange]:
        """Return how each of them stands, in their order."""
        there = self._present.result() if self._present is not None else set()
        same = {
            number: id_
            for number, (id_, version) in enumerate(self._versions)
            if version is None or (id_ in there and self._asked[id_] == version)
        }
        ours = self._written(list(same.values()))
        return [
            "changed" if number not in same else "indexed" if id_ in ours else "unchanged"
            for number, (id_, _) in enumerate(self._versions)
        ]

    def _written(self, ids: Sequence[DocumentId]) -> set[DocumentId]:
        if not self._again and not self._job.restarted:
            return set()
        return written_since(self._context.library, self._job, ids)
