"""Errors of calls that name a job."""

from collections.abc import Sequence

from indexer.errors import Conflict, Invalid, NotFound, closest
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


class JobStoppedEarly(Conflict):
    """The job did not reach its end, so single files of it cannot be tried again."""

    def __init__(self, status: JobState) -> None:
        super().__init__(
            f"Job is {status}: it did not reach its end",
            action="Do the whole job again, without paths; files that are in the archive are not read again",
        )


class PathNotFailed(Invalid):
    """A path is not among the failures that the job lists."""

    def __init__(self, path: str, failed: Sequence[str]) -> None:
        super().__init__(
            "A path is not among the failures that the job lists" if failed else "No file of the job failed",
            action="Name paths as its errors do, or leave paths out to try again all that failed",
            details={"closest": closest(path, failed)},
        )
