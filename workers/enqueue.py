"""Starts, lists, cancels and retries jobs for other packages. Blocking: request handlers call it in threads."""

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from indexer.index.failures import QuotaReached
from indexer.library import Library
from indexer.reindex.session import RebuildRunning
from indexer.schema.dates import utc_now
from indexer.tenancy import Principal, TeamId, index_name
from workers.jobs.arguments import JobCancel, JobList, JobRetry, JobStatus, ReindexStart
from workers.jobs.jobs import Jobs, render_changed, render_entry
from workers.jobs.records import Job, new_job_id
from workers.jobs.results import JobChanged, JobEntry, JobListResult, JobStarted, JobStatusResult
from workers.settings import WorkerSettings
from workers.sources.arguments import IngestSource
from workers.sources.open import check_source

if TYPE_CHECKING:
    from workers.broker import Broker


class Background:
    """Starts jobs and reports on them. While Redis is down a job is only recorded; it runs when Redis is back."""

    def __init__(self, library: Library, settings: WorkerSettings) -> None:
        self._library = library
        self._settings = settings
        self._jobs = Jobs(library.engine.records)

    def ingest(self, principal: Principal, source: IngestSource) -> JobStarted:
        """Start a job that reads a source into the team's archive."""
        check_source(source, self._settings)
        return self._start(
            Job(
                team=principal.team,
                id=new_job_id(),
                kind="ingest",
                created_at=utc_now(),
                revision=self._library.clock.next(),
                subject=principal.subject,
                source=source.model_dump(mode="json"),
            )
        )

    def reindex(self, principal: Principal, arguments: ReindexStart) -> JobStarted:
        """Start a job that rebuilds an index while it serves."""
        index = index_name(arguments.index_name)
        self._library.registry.get(principal.team, index)
        running = self._jobs.rebuilding(principal.team, index)
        if running is not None:
            raise RebuildRunning(f"A re-index of this index is on already: {running}", running)
        return self._start(
            Job(
                team=principal.team,
                id=new_job_id(),
                kind="reindex",
                created_at=utc_now(),
                revision=self._library.clock.next(),
                subject=principal.subject,
                index=index,
            )
        )

    def status(self, principal: Principal, arguments: JobStatus) -> JobStatusResult:
        """Return the status, counts and progress of a job."""
        return self._jobs.status(principal.team, arguments.job_id)

    def list(self, principal: Principal, arguments: JobList) -> JobListResult:
        """List the team's newest jobs."""
        return self._jobs.newest(principal.team, arguments.status, arguments.limit)

    def cancel(self, principal: Principal, arguments: JobCancel) -> JobChanged:
        """Cancel a job; documents that it has indexed stay."""
        return render_changed(self._jobs.cancel(principal.team, arguments.job_id))

    def retry(self, principal: Principal, arguments: JobRetry) -> JobChanged:
        """Run a finished job again, for the files that failed or were never read."""
        job = self._jobs.reopen(principal.team, arguments.job_id)
        self._broker.queue_job(job.key)
        return render_changed(job)

    def of_subject(self, team: TeamId | None, subject: str) -> Iterator[tuple[TeamId, JobEntry]]:
        """Yield the jobs that a subject requested, in one team or in all."""
        return ((job.team, render_entry(job)) for job in self._jobs.of_subject(team, subject))

    def rename_subject(self, team: TeamId | None, subject: str, pseudonym: str) -> int:
        """Put a pseudonym in the place of a subject, and return in how many jobs."""
        jobs = self._jobs.of_subject(team, subject)
        for job in jobs:
            self._jobs.rename_subject(job, pseudonym)
        return len(jobs)

    def count_open(self, team: TeamId) -> int:
        """Return the number of a team's unfinished jobs; one that finished counts until the next sweep."""
        return self._jobs.count_open(team)

    def check_room(self, team: TeamId, max_jobs: int) -> None:
        """Raise `QuotaReached` if the team has so many unfinished jobs already."""
        if self._jobs.has_open(team, max_jobs):
            action = "Wait until a job has finished, or cancel one"
            raise QuotaReached("jobs", max_jobs, used=self.count_open(team), action=action)

    def health(self) -> dict[str, str]:
        """Report whether Redis answers and whether any worker has sent a heartbeat lately."""
        return self._broker.health()

    def close(self) -> None:
        """Close the connections to Redis, not the library."""
        if "_broker" in vars(self):
            self._broker.close()

    @cached_property
    def _broker(self) -> "Broker":
        from workers.broker import Broker  # noqa: PLC0415 (Celery is slow to import, and searches do not need it)

        return Broker(self._settings)

    def _start(self, job: Job) -> JobStarted:
        self._jobs.start(job)
        self._broker.queue_job(job.key)
        return JobStarted(success=True, job_id=job.id, status="queued")
