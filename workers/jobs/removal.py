"""Removes the jobs of a team: first they are stopped, then all their records go."""

import time
from contextlib import suppress
from typing import Any, Final

from indexer.records import Store
from indexer.tenancy import TeamId
from workers.jobs.failures import JobFinished
from workers.jobs.jobs import Jobs

_NOTICE_SECONDS: Final = 5.0
"""After so long, a worker has noticed that the job which it plans or re-indexes was cancelled."""
_POLL_SECONDS: Final = 0.2


def unfinished_jobs(jobs: Jobs, team: TeamId) -> list[str]:
    """Return the ids of the team's jobs that wait or run."""
    found = (jobs.all.get(marker.key) for marker in jobs.unfinished.list(f"{team}/"))
    return [job.value.id for job in found if job is not None and not job.value.is_finished]


def stop_jobs(jobs: Jobs, team: TeamId, patience: float) -> bool:
    """Cancel all of the team's jobs and wait until no worker works at them; False if that takes too long."""
    ends_at = time.monotonic() + patience
    unfinished = [jobs.get(team, job_id) for job_id in unfinished_jobs(jobs, team)]
    for job in unfinished:
        with suppress(JobFinished):
            jobs.cancel(team, job.id)
    # Cancelling releases the lease of a job, so only time tells when its worker has noticed.
    if any(job.lease.is_live() for job in unfinished):
        time.sleep(min(_NOTICE_SECONDS, patience))
    while any(chunk.value.lease.is_live() for chunk in jobs.chunks.list(f"{team}/")):
        if time.monotonic() > ends_at:
            return False
        time.sleep(_POLL_SECONDS)
    return True


def remove_jobs(jobs: Jobs, team: TeamId) -> int:
    """Remove all records of the team's jobs; return how many jobs there were."""
    stores: tuple[Store[Any], ...] = (jobs.chunks, jobs.files, jobs.unfinished)
    for store in stores:
        for stored in store.list(f"{team}/"):
            store.drop(stored.key)
    found = jobs.all.list(f"{team}/")
    for job in found:
        jobs.all.drop(job.key)
    return len(found)
