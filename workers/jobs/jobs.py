"""The store of all jobs: created before they are queued, changed by compare-and-set, visible to their own team only."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from indexer.engines.record_port import Records
from indexer.records import Store
from indexer.tenancy import IndexName, Principal, TeamId
from workers.jobs.arguments import JobState
from workers.jobs.failures import JobFinished, JobNotFinished, JobNotFound, JobStoppedEarly, PathNotFailed
from workers.jobs.records import Chunk, ChunkFiles, Job, Retry, Tally, UnfinishedMarker, add_to_ranges, job_key
from workers.jobs.render import render_entry
from workers.jobs.results import JobListResult


@dataclass(frozen=True, slots=True)
class Waiting:
    """Jobs that are not finished."""

    jobs: int
    seconds: float
    """The age of the oldest."""


class Jobs:
    """All records of background work. Blocking."""

    def __init__(self, records: Records) -> None:
        self.records = records
        self.all = Store(records, "jobs", Job)
        self.chunks = Store(records, "chunks", Chunk)
        self.files = Store(records, "chunk_files", ChunkFiles)
        self.unfinished = Store(records, "unfinished_jobs", UnfinishedMarker)

    def start(self, job: Job) -> None:
        """Record a new job. From then on the sweep guarantees that it runs, queued or not."""
        self._put_marker(job)
        self.all.create(job.key, job)

    def get(self, team: TeamId, job_id: str) -> Job:
        """Return the current state of one of the team's jobs."""
        record = self.all.get(job_key(team, job_id))
        if record is None:
            raise JobNotFound
        return record.value

    def get_visible(self, principal: Principal, job_id: str) -> Job:
        """Return a job of the caller's team, on an index that the caller may use."""
        job = self.get(principal.team, job_id)
        if not principal.may_use(job.target):
            raise JobNotFound
        return job

    def newest(self, principal: Principal, status: JobState | None, limit: int) -> JobListResult:
        """Return the newest jobs that the caller may see, newest first."""
        matches = [job for job in self.visible(principal) if status in {None, job.status}]
        return JobListResult(success=True, jobs=[render_entry(job) for job in matches[:limit]])

    def visible(self, principal: Principal) -> Iterator[Job]:
        """Yield all jobs that the caller may see, newest first."""
        for record in reversed(self.all.list(f"{principal.team}/")):
            if principal.may_use(record.value.target):
                yield record.value

    def cancel(self, team: TeamId, job_id: str) -> Job:
        """Cancel a job; its workers notice within seconds. A done or failed job raises `JobFinished`."""
        while True:
            job = self.get(team, job_id)
            if job.status == "cancelled":
                return job
            if job.is_finished:
                raise JobFinished(job.status)
            saved = self.all.change(job.key, lambda latest: None if latest.is_finished else latest.ended("cancelled"))
            if saved is not None:
                return saved.value

    def reopen(self, team: TeamId, job_id: str, paths: Sequence[str] | None = None, *, restricted: bool = False) -> Job:
        """Reset a finished job so that it is planned again; files that are in the archive are then skipped.

        With paths, only these are tried again of what failed, and all else stays as it was.
        """

        def reset(latest: Job) -> Job | None:
            if not latest.is_finished:
                return None
            return _reset(latest, None if paths is None else _retry(latest, paths), restricted=restricted)

        while True:
            job = self.get(team, job_id)
            if reset(job) is None:
                raise JobNotFinished(job.status)
            self._put_marker(job)
            saved = self.all.change(job.key, reset)
            if saved is not None:
                # A sweep that read the job while it was finished may have removed the marker.
                self._put_marker(job)
                return saved.value

    def rebuilding(self, team: TeamId, index: IndexName) -> str | None:
        """Return the id of the unfinished job that re-indexes this index."""
        prefix = f"{team}/"
        for marker in self.unfinished.list(prefix):
            if marker.value.kind == "reindex" and marker.value.index == index:
                job = self.all.get(marker.key)
                if job is not None and not job.value.is_finished:
                    return job.value.id
        return None

    def of_subject(self, team: TeamId | None, subject: str) -> list[Job]:
        """Return the jobs that a subject requested, in one team or in all."""
        jobs = (record.value for record in self.all.list("" if team is None else f"{team}/"))
        return [job for job in jobs if job.subject == subject]

    def rename_subject(self, job: Job, subject: str) -> None:
        """Say that another one requested a job."""
        self.all.change(job.key, lambda latest: replace(latest, subject=subject))

    def count_open(self, team: TeamId) -> int:
        """Return the number of the team's unfinished jobs; one that finished counts until the next sweep."""
        return len(self.unfinished.list(f"{team}/"))

    def waiting(self) -> Waiting | None:
        """Return how many jobs of all teams are unfinished, and how old the oldest is; None if there are none."""
        markers = [marker.value for marker in self.unfinished.list()]
        if not markers:
            return None
        return Waiting(len(markers), max(0.0, time.time() - min(marker.since for marker in markers)))

    def has_open(self, team: TeamId, number: int) -> bool:
        """Return whether the team has at least so many unfinished jobs."""
        markers = self.unfinished.list(f"{team}/")
        if len(markers) < number:
            return False
        jobs = (self.all.get(marker.key) for marker in markers)
        return sum(job is not None and not job.value.is_finished for job in jobs) >= number

    def count_chunk(self, job: str, chunk: Chunk) -> Job | None:
        """Add a chunk's result to its job. Idempotent. None if the job is gone or was planned again."""
        saved = self.all.change(job, lambda latest: _add_result(latest, chunk))
        if saved is not None:
            return saved.value
        record = self.all.get(job)
        return record.value if record is not None and record.value.plan == chunk.plan else None

    def _put_marker(self, job: Job) -> None:
        """Write the marker, always with a new revision, so that a sweep cannot remove it by an old one."""
        self.unfinished.put(job.key, UnfinishedMarker(job.kind, job.index, time.time()))


def _retry(job: Job, paths: Sequence[str]) -> Retry:
    """Return what is tried again of a job that reached its end; fails if that is not what failed in it."""
    if job.status != "done":
        raise JobStoppedEarly(job.status)
    failed = [problem.path for problem in job.tally.errors]
    for path in paths:
        if path not in failed:
            raise PathNotFailed(path, failed)
    return Retry(tuple(path for path in failed if path in paths), job.tally.without(paths), job.read_at)


def _reset(job: Job, retry: Retry | None, *, restricted: bool) -> Job:
    return replace(
        job,
        retry=retry,
        restricted=job.restricted or restricted,
        status="queued",
        phase="planning",
        plan=job.plan + 1,
        restarted=True,
        chunks=0,
        counted=(),
        tally=Tally() if retry is None else retry.others,
        progress=None,
        started_at=None,
        finished_at=None,
        attempts=0,
    )


def _add_result(job: Job, chunk: Chunk) -> Job | None:
    counted = add_to_ranges(job.counted, chunk.number)
    if job.plan != chunk.plan or counted is None:
        return None
    return replace(job, counted=counted, tally=job.tally + chunk.result)
