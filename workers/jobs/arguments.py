"""Arguments of the job operations: one model each, shared by MCP tools, HTTP routes and the command line."""

from typing import Annotated, Final, Literal

from pydantic import Field

from indexer.arguments import Arguments, Unlisted
from workers.sources.arguments import AskedSource

MAX_WAIT_SECONDS: Final = 50
"""Below the minute after which many clients time out."""
JobId = Annotated[str, Field(max_length=100)]
JobState = Literal["queued", "running", "done", "failed", "cancelled"]
FINISHED: Final = frozenset[JobState]({"done", "failed", "cancelled"})


class ArchiveIngest(Arguments):
    """Put documents into the team's archive."""

    source: Annotated[
        AskedSource,
        Field(description="folder: path; urls: urls; s3: bucket"),
    ]


class JobStatus(Arguments):
    """Ask how far a job is."""

    job_id: JobId
    wait_seconds: Annotated[
        float,
        Field(
            ge=0,
            le=MAX_WAIT_SECONDS,
            description="Wait so long for its end",
        ),
    ] = 0


class JobList(Arguments):
    """Ask for the newest jobs."""

    status: JobState | None = None
    limit: Annotated[int, Field(ge=1, le=200)] = 20


class JobCancel(Arguments):
    """Stop a job; what it has indexed stays."""

    job_id: JobId


class JobRetry(Arguments):
    """Look again at everything that failed, or at some of it."""

    job_id: JobId
    paths: Annotated[
        list[str] | None,
        Field(min_length=1, max_length=100, description="Only these of the paths that failed"),
        Unlisted(),
    ] = None


class ReindexStart(Arguments):
    """Build an index anew while it serves."""

    index_name: str
