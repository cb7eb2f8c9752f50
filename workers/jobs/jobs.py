"""The store of all jobs: created before they are queued, changed by compare-and-set, visible to their own team only."""

import time
from collections.abc import Mapping
from dataclasses import replace

from indexer.engines.record_port import Records
from indexer.records import Store
from indexer.tenancy import IndexName, Principal, TeamId
from workers.jobs.arguments import JobState
from workers.jobs.failures import JobFinished, JobNotFinished, JobNotFound
from workers.jobs.records import Chunk, ChunkFiles, Job, Tally, UnfinishedMarker, add_to_ranges, job_key
from workers.jobs.results import JobChanged, JobCounts, JobEntry, JobError, JobListResult, JobStatusResult, SkippedKind
from workers.sources.skipped import NO_READER, OTHER_KINDS


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
        jobs = [record.value for record in reversed(self.all.list(f"{principal.team}/"))]
        matches = [job for job in jobs if status in {None, job.status} and principal.may_use(job.target)]
        return JobListResult(success=True, jobs=[render_entry(job) for job in matches[:limit]])

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

    def reopen(self, team: TeamId, job_id: str, *, restricted: bool = False) -> Job:
        """Reset a finished job so that it is planned again; files that are in the archive are then skipped."""
        while True:
            job = self.get(team, job_id)
            if not job.is_finished:
                raise JobNotFinished(job.status)
            self._put_marker(job)
            saved = self.all.change(
                job.key, lambda latest: _reset(latest, restricted=restricted) if latest.is_finished else None
            )
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


def render_status(job: Job) -> JobStatusResult:
    """Return a job as callers see it."""
    return JobStatusResult(
        **render_changed(job),
        skipped=[JobError(path=file.path, reason=file.reason) for file in job.tally.skipped.first],
        skipped_kinds=_render_kinds(job.tally.skipped.kinds),
        warning=_warning(job),
    )


def render_changed(job: Job) -> JobChanged:
    """Return a job as those see it who cancel or retry it."""
    return JobChanged(
        **render_entry(job),
        success=True,
        errors=[JobError(path=problem.path, reason=problem.reason) for problem in job.tally.errors],
    )


def render_entry(job: Job) -> JobEntry:
    """Return a job as lists show it."""
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
            skipped=tally.skipped.count,
        ),
        progress=_progress(job),
        error_count=max(tally.failed, len(tally.errors)),
        created_at=job.created_at,
        started_at=job.started_at,
        finished_at=job.finished_at,
    )


def _render_kinds(kinds: Mapping[str, int]) -> list[SkippedKind]:
    """Return the most frequent kinds first; the sum of all kinds beyond the first hundred comes last."""
    ordered = sorted(kinds.items(), key=lambda item: (item[0] == OTHER_KINDS, -item[1], item[0]))
    return [SkippedKind(kind=kind, count=count, reason=NO_READER) for kind, count in ordered]


def _warning(job: Job) -> str | None:
    """Say that a finished ingestion added nothing, which a caller may not expect."""
    tally = job.tally
    if job.kind != "ingest" or job.status != "done" or tally.indexed or tally.unchanged:
        return None
    if not tally.found:
        return "Nothing was indexed: no files were found"
    parts = [(tally.failed, "failed"), (tally.skipped.count, "skipped")]
    return f"Nothing was indexed: {' and '.join(f'{count} {what}' for count, what in parts if count)}"


def _progress(job: Job) -> float:
    """Return the processed share of the files listed so far; 1 only when the job is done.

    While the source is still being listed the share is halved, because as many files again may follow.
    """
    if job.status == "done":
        return 1.0
    if job.kind == "reindex":
        return round(min(job.progress or 0.0, 0.99), 4)
    tally = job.tally
    processed = tally.indexed + tally.unchanged + tally.failed + tally.skipped.count
    share = min(processed / tally.found, 0.99) if tally.found else 0.0
    return round(share / 2 if job.phase == "planning" else share, 4)


def _reset(job: Job, *, restricted: bool) -> Job:
    return replace(
        job,
        restricted=job.restricted or restricted,
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


def _add_result(job: Job, chunk: Chunk) -> Job | None:
    counted = add_to_ranges(job.counted, chunk.number)
    if job.plan != chunk.plan or counted is None:
        return None
    return replace(job, counted=counted, tally=job.tally + chunk.result)
