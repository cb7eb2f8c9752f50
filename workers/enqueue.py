"""The only door to background work for other packages. Blocking: the request path calls it in threads."""

from functools import cached_property
from typing import TYPE_CHECKING

from indexer.library import Library
from indexer.reindex.session import RebuildRunning
from indexer.tenancy import Principal, index_name
from workers.jobs.arguments import JobCancel, JobList, JobRetry, JobStatus, ReindexStart
from workers.jobs.jobs import Jobs, shown
from workers.jobs.records import Job, new_job_id, utc_now
from workers.jobs.results import JobListResult, JobStarted, JobStatusResult
from workers.settings import WorkerSettings
from workers.sources.arguments import IngestSource
from workers.sources.open import check_source

if TYPE_CHECKING:
    from workers.broker import Broker


class Background:
    """Starts jobs, and says how they are. Without Redis a job is recorded all the same, and done when Redis is back."""

    def __init__(self, library: Library, settings: WorkerSettings) -> None:
        self._library = library
        self._settings = settings
        self._jobs = Jobs(library.engine.records)

    def ingest(self, principal: Principal, source: IngestSource) -> JobStarted:
        """Have a source read into the team's archive."""
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
        """Have an index built anew while it serves."""
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
        """Say how far a job is."""
        return self._jobs.status(principal.team, arguments.job_id)

    def list(self, principal: Principal, arguments: JobList) -> JobListResult:
        """List the team's newest jobs."""
        return self._jobs.newest(principal.team, arguments.status, arguments.limit)

    def cancel(self, principal: Principal, arguments: JobCancel) -> JobStatusResult:
        """Stop a job; what it has indexed stays."""
        return shown(self._jobs.cancel(principal.team, arguments.job_id))

    def retry(self, principal: Principal, arguments: JobRetry) -> JobStatusResult:
        """Look again at everything of a finished job that failed, or that was never begun."""
        job = self._jobs.reopen(principal.team, arguments.job_id)
        self._broker.queue_job(job.key)
        return shown(job)

    def health(self) -> dict[str, str]:
        """Say whether Redis answers, and whether any worker is there."""
        return self._broker.health()

    def close(self) -> None:
        """Let go of Redis; the library stays its owner's."""
        if "_broker" in vars(self):
            self._broker.close()

    @cached_property
    def _broker(self) -> "Broker":
        # Celery takes its time to import, and who only searches needs none.
        from workers.broker import Broker  # noqa: PLC0415 - as said

        return Broker(self._settings)

    def _start(self, job: Job) -> JobStarted:
        self._jobs.start(job)
        self._broker.queue_job(job.key)
        return JobStarted(success=True, job_id=job.id, status="queued")
