"""Comparing with the archive: which files it has already, in just this version."""

from collections.abc import Sequence
from concurrent.futures import Future
from typing import Generic, TypeVar

from indexer.tenancy import DocumentId
from workers.archive import present, written_since
from workers.job_records import Job, Tally
from workers.workplace import Workplace

Thing = TypeVar("Thing")


class Comparison(Generic[Thing]):
    """Things with the id and version of each; the archive is asked while the caller does something else.

    `again`: an earlier attempt of this job may have written some of them.
    """

    def __init__(
        self, place: Workplace, job: Job, things: Sequence[tuple[Thing, DocumentId, str]], *, again: bool = False
    ) -> None:
        self._place = place
        self._job = job
        self._again = again
        self._things = things
        self._wanted = {id_: version for _, id_, version in things}
        self._present: Future[set[DocumentId]] | None = None
        if things:
            self._present = place.begin(present(place.library, job.team, self._wanted))

    def changed(self) -> tuple[list[Thing], Tally]:
        """Return what is not there in its version, and count the rest: as unchanged, or as written by this job."""
        there = self._present.result() if self._present is not None else set()
        # Of two things with one id, the archive was asked for the last one's version.
        same = [id_ for _, id_, version in self._things if id_ in there and self._wanted[id_] == version]
        changed = [thing for thing, id_, version in self._things if id_ not in there or self._wanted[id_] != version]
        return changed, counted_same(self._place, self._job, same, again=self._again)


def counted_same(place: Workplace, job: Job, ids: Sequence[DocumentId], *, again: bool) -> Tally:
    """Count documents that are as they should be: as unchanged, or as indexed if an earlier attempt wrote them."""
    before = written_since(place.library, job, ids) if again or job.restarted else set()
    indexed = sum(id_ in before for id_ in ids)
    return Tally(indexed=indexed, unchanged=len(ids) - indexed)
