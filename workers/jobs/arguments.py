"""What callers may say about jobs: one model a call, shared by MCP tools, HTTP routes and the command line."""

from typing import Annotated, Final, Literal

from pydantic import Field

from indexer.local.arguments import Arguments

LONGEST_WAIT: Final = 50
"""Seconds: below the minute after which many clients give up."""
JobId = Annotated[str, Field(max_length=100, description="Identifier of the job, as archive_ingest returned it")]
JobState = Literal["queued", "running", "done", "failed", "cancelled"]
Patterns = Annotated[list[Annotated[str, Field(min_length=1, max_length=500)]], Field(max_length=100)]


class FolderSource(Arguments):
    """A folder that the workers can see."""

    type: Literal["folder"]
    path: Annotated[
        str, Field(min_length=1, max_length=4_096, description="Absolute folder below one of TRAWL_INGEST_ROOTS")
    ]
    include: Annotated[
        Patterns | None, Field(description='Only files that match one of these, like "**/*.md"; the default is all')
    ] = None
    exclude: Annotated[Patterns | None, Field(description="Leave out files that match one of these")] = None
    mirror: Annotated[bool, Field(description="Also remove documents of this folder whose files are gone from it")] = (
        False
    )


class UrlsSource(Arguments):
    """Pages to fetch."""

    type: Literal["urls"]
    urls: Annotated[
        list[Annotated[str, Field(min_length=1, max_length=4_096)]],
        Field(min_length=1, max_length=10_000, description="Addresses that start with http:// or https://"),
    ]


class S3Source(Arguments):
    """Objects of a bucket."""

    type: Literal["s3"]
    bucket: Annotated[str, Field(min_length=3, max_length=255, description="The bucket's name")]
    prefix: Annotated[str, Field(max_length=1_024, description="Only objects whose keys start so")] = ""


class UploadSource(Arguments):
    """Files that were sent and staged; made by the upload's route, never accepted from callers."""

    type: Literal["upload"]
    staged: str
    mirror: bool = False


AskedSource = Annotated[FolderSource | UrlsSource | S3Source, Field(discriminator="type")]
"""What a caller may ask for."""
IngestSource = Annotated[FolderSource | UrlsSource | S3Source | UploadSource, Field(discriminator="type")]
"""What a job may read."""


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
            le=LONGEST_WAIT,
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
