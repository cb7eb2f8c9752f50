"""Starts, lists, cancels and retries jobs for other packages. Blocking: request handlers call it in threads."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from indexer.archives.overview import Origin
from indexer.connections.connections import Connections
from indexer.index.failures import QuotaReached
from indexer.library import Library
from indexer.reindex.session import RebuildRunning
from indexer.schema.dates import utc_now
from indexer.tenancy import Principal, TeamId, index_name
from workers.jobs.arguments import JobCancel, JobList, JobRetry, JobStatus, ReindexStart
from workers.jobs.history import histories
from workers.jobs.jobs import Jobs, Waiting
from workers.jobs.records import Job, new_job_id
from workers.jobs.removal import remove_jobs, stop_jobs, unfinished_jobs
from workers.jobs.render import render_changed, render_entry, render_status
from workers.jobs.results import JobChanged, JobEntry, JobListResult, JobStarted, JobStatusResult, SourceHistory
from workers.settings import WorkerSettings
from workers.sources.arguments import SOURCE, IngestSource
from workers.sources.open import check_source
from workers.sources.rights import SourceRights, TeamRights

if TYPE_CHECKING:
    from workers.broker import Broker


class Background:
    """Starts jobs and reports on them. While Redis is down a job is only recorded; it runs when Redis is back."""

    def __init__(self, library: Library, settings: WorkerSettings, rights: TeamRights | None = None) -> None:
        """Without `rights`, all teams may read what the settings allow."""
        self._library = library
        self._settings = settings
        self._rights = rights or TeamRights(settings, Connections(None, ()), Path(), needs_tokens=False)
        self._jobs = Jobs(library.engine.records)

    def ingest(self, principal: Principal, source: IngestSource) -> JobStarted:
        """Start a job that reads a source into the team's archive."""
        rights = self.rights_of(principal)
        check_source(source, rights)
        return self._start(
            Job(
                team=principal.team,
                id=new_job_id(),
                kind="ingest",
                created_at=utc_now(),
                revision=self._library.clock.next(),
                subject=principal.subject,
                source=source.model_dump(mode="json"),
                restricted=rights.is_restricted,
            )
        )

    def rights_of(self, principal: Principal) -> SourceRights:
        """Return which folders and buckets the caller's team may read."""
        return self._rights.of_caller(principal)

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
        return render_status(self._jobs.get_visible(principal, arguments.job_id))

    def list(self, principal: Principal, arguments: JobList) -> JobListResult:
        """List the newest jobs of the caller's team."""
        return self._jobs.newest(principal, arguments.status, arguments.limit)

    def histories(self, principal: Principal, origins: Sequence[Origin]) -> Sequence[SourceHistory]:
        """Return what jobs tell of origins in the team's archive, in their order."""
        return histories(origins, self._jobs.visible(principal))

    def cancel(self, principal: Principal, arguments: JobCancel) -> JobChanged:
        """Cancel a job; documents that it has indexed stay."""
        job = self._jobs.get_visible(principal, arguments.job_id)
        return render_changed(self._jobs.cancel(job.team, job.id))

    def retry(self, principal: Principal, arguments: JobRetry) -> JobChanged:
        """Run a finished job again, for the files that failed or were never read, or for some that failed."""
        rights = self.rights_of(principal)
        finished = self._jobs.get_visible(principal, arguments.job_id)
        if finished.source is not None:
            check_source(SOURCE.validate_python(finished.source), rights)
        job = self._jobs.reopen(finished.team, finished.id, arguments.paths, restricted=rights.is_restricted)
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

    def count_by_team(self) -> Mapping[TeamId, int]:
        """Count the jobs of each team."""
        return Counter(job.value.team for job in self._jobs.all.list())

    def unfinished_of(self, team: TeamId) -> Sequence[str]:
        """Return the ids of a team's jobs that wait or run."""
        return unfinished_jobs(self._jobs, team)

    def stop_all(self, team: TeamId, patience: float) -> bool:
        """Cancel a team's jobs and wait until no worker works at them; False if that takes more seconds than given."""
        return stop_jobs(self._jobs, team, patience)

    def remove_team(self, team: TeamId) -> int:
        """Remove all records of a team's jobs, which must not run any more; return how many jobs there were."""
        return remove_jobs(self._jobs, team)

    def health(self) -> dict[str, str]:
        """Report whether Redis answers and whether any worker has sent a heartbeat lately."""
        return self._broker.health()

    def waiting(self) -> Waiting | None:
        """Return how many jobs of all teams are unfinished and how old the oldest is; None if there are none."""
        return self._jobs.waiting()

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
