"""Arguments of the job operations: one model each, shared by MCP tools, HTTP routes and the command line."""

from typing import Annotated, Final, Literal

from pydantic import Field

from indexer.arguments import Arguments
from workers.sources.arguments import AskedSource

MAX_WAIT_SECONDS: Final = 50
"""Below the minute after which many clients time out."""
JobId = Annotated[str, Field(max_length=100, description="Identifier of the job, as archive_ingest returned it")]
JobState = Literal["queued", "running", "done", "failed", "cancelled"]
FINISHED: Final = frozenset[JobState]({"done", "failed", "cancelled"})


class ArchiveIngest(Arguments):
    """Put documents into the team's archive."""

    source: Annotated[
        AskedSource,
        Field(
            description='What to read: {"type": "folder", "path"}, {"type": "urls", "urls"}, {"type": "s3", "bucket"}'
        ),
    ]


class JobStatus(Arguments):
    """Ask how far a job is."""

    job_id: JobId
    wait_seconds: Annotated[
        float,
        Field(
            ge=0,
            le=MAX_WAIT_SECONDS,
            description="Answer when the job has ended, or after so many seconds; 0 to answer at once",
        ),
    ] = 0


class JobList(Arguments):
    """Ask for the newest jobs."""

    status: Annotated[JobState | None, Field(description="Only jobs in this state")] = None
    limit: Annotated[int, Field(ge=1, le=200, description="How many jobs at most, newest first")] = 20


class JobCancel(Arguments):
    """Stop a job; what it has indexed stays."""

    job_id: JobId


class JobRetry(Arguments):
    """Look again at everything that failed."""

    job_id: JobId


class ReindexStart(Arguments):
    """Build an index anew while it serves."""

    index_name: Annotated[str, Field(description="The index to build anew; archive for the archive")]
