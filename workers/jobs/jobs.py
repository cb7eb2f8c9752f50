"""The jobs of all teams: recorded before they are queued, changed by compare-and-set, shown to their own team only."""

import time
from dataclasses import replace

from indexer.engines.port import Records
from indexer.records import Store
from indexer.tenancy import IndexName, TeamId
from workers.jobs.arguments import JobState
from workers.jobs.failures import JobFinished, JobNotFinished, JobNotFound
from workers.jobs.records import Chunk, ChunkFiles, Job, Tally, Unfinished, counted_with, job_key
from workers.jobs.results import JobCounts, JobEntry, JobError, JobListResult, JobStatusResult


class Jobs:
    """All records of background work. Blocking."""

    def __init__(self, records: Records) -> None:
        self.records = records
        self.all = Store(records, "jobs", Job)
        self.chunks = Store(records, "chunks", Chunk)
        self.files = Store(records, "chunk_files", ChunkFiles)
        self.unfinished = Store(records, "unfinished_jobs", Unfinished)

    def start(self, job: Job) -> None:
        """Record a new job; from now on it will be done."""
        self._mark(job)
        self.all.create(job.key, job)

    def get(self, team: TeamId, job_id: str) -> Job:
        """Return one of the team's jobs as it is now."""
        found = self.all.get(job_key(team, job_id))
        if found is None:
            raise JobNotFound
        return found.value

    def status(self, team: TeamId, job_id: str) -> JobStatusResult:
        return shown(self.get(team, job_id))

    def newest(self, team: TeamId, status: JobState | None, limit: int) -> JobListResult:
        """Return the team's newest jobs, newest first."""
        found = [stored.value for stored in reversed(self.all.list(f"{team}/"))]
        wanted = [job for job in found if status in {None, job.status}]
        return JobListResult(success=True, jobs=[_entry(job) for job in wanted[:limit]])

    def cancel(self, team: TeamId, job_id: str) -> Job:
        """Stop a job; who works on it notices soon. What is finished already cannot be stopped."""
        while True:
            job = self.get(team, job_id)
            if job.status == "cancelled":
                return job
            if job.is_finished:
                raise JobFinished(job.status)
            saved = self.all.change(job.key, lambda known: None if known.is_finished else known.ended("cancelled"))
            if saved is not None:
                return saved.value

    def reopen(self, team: TeamId, job_id: str) -> Job:
        """Queue a finished job once more: everything that is not in the archive yet is looked at again."""
        while True:
            job = self.get(team, job_id)
            if not job.is_finished:
                raise JobNotFinished(job.status)
            self._mark(job)
            saved = self.all.change(job.key, lambda known: _reopened(known) if known.is_finished else None)
            if saved is not None:
                # A sweep that still saw it finished may have taken the mark away.
                self._mark(job)
                return saved.value

    def rebuilding(self, team: TeamId, index: IndexName) -> str | None:
        """Return the job that is building this index anew."""
        prefix = f"{team}/"
        for mark in self.unfinished.list(prefix):
            if mark.value.kind == "reindex" and mark.value.index == index:
                job = self.all.get(mark.key)
                if job is not None and not job.value.is_finished:
                    return job.value.id
        return None

    def count(self, job: str, chunk: Chunk) -> Job | None:
        """Add a chunk's result to its job, once; None if the job is gone, or was planned anew."""
        counted = self.all.change(job, lambda known: _counted(known, chunk))
        if counted is not None:
            return counted.value
        found = self.all.get(job)
        return found.value if found is not None and found.value.plan == chunk.plan else None

    def _mark(self, job: Job) -> None:
        """Mark as unfinished, with a new revision in any case: a sweep must not remove it by an old one."""
        mark = Unfinished(job.kind, job.index, time.time())
        while not self.unfinished.create(job.key, mark):
            if self.unfinished.change(job.key, lambda _: mark) is not None:
                return


def shown(job: Job) -> JobStatusResult:
    """Return a job as callers see it."""
    return JobStatusResult(
        **_entry(job),
        success=True,
        errors=[JobError(path=problem.path, reason=problem.reason) for problem in job.tally.errors],
    )


def _entry(job: Job) -> JobEntry:
    tally = job.tally
    return JobEntry(
        job_id=job.id,
        kind=job.kind,
        status=job.status,
        counts=JobCounts(
            found=tally.found,
            indexed=tally.indexed,
            unchanged=tally.unchanged,
            removed=tally.removed,
            failed=tally.failed,
        ),
        progress=_progress(job),
        error_count=max(tally.failed, len(tally.errors)),
        created_at=job.created_at,
        started_at=job.started_at,
        finished_at=job.finished_at,
    )


def _progress(job: Job) -> float:
    """Return how much is done, of what is known so far; 1 only at the end.

    While the listing goes on, as much again may be found: then it counts half.
    """
    if job.status == "done":
        return 1.0
    if job.kind == "reindex":
        return round(min(job.progress or 0.0, 0.99), 4)
    tally = job.tally
    done = tally.indexed + tally.unchanged + tally.failed
    share = min(done / tally.found, 0.99) if tally.found else 0.0
    return round(share / 2 if job.phase == "planning" else share, 4)


def _reopened(job: Job) -> Job:
    return replace(
        job,
        status="queued",
        phase="planning",
        plan=job.plan + 1,
        restarted=True,
        chunks=0,
        counted=(),
        tally=Tally(),
        progress=None,
        started_at=None,
        finished_at=None,
        attempts=0,
    )


def _counted(job: Job, chunk: Chunk) -> Job | None:
    counted = counted_with(job.counted, chunk.number)
    if job.plan != chunk.plan or counted is None:
        return None
    return replace(job, counted=counted, tally=job.tally + chunk.result)
