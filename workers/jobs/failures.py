"""Errors of calls that name a job."""

from indexer.errors import Conflict, NotFound
from workers.jobs.arguments import JobState


class JobNotFound(NotFound):
    """The team has no such job."""

    def __init__(self) -> None:
        super().__init__("Job not found", action="Check the job_id; jobs are forgotten some weeks after they finished")


class JobFinished(Conflict):
    """The job can no longer be stopped."""

    def __init__(self, status: JobState) -> None:
        super().__init__(f"Job is already {status}", action="Nothing is left to stop; look at what it did")


class JobNotFinished(Conflict):
    """The job cannot be retried yet."""

    def __init__(self, status: JobState) -> None:
        super().__init__(f"Job is still {status}", action="Wait until it has finished, or cancel it first")
