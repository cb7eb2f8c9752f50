"""Results of the job operations, shared by MCP tools, HTTP routes and the command line."""

from typing import Annotated, Literal

from typing_extensions import TypedDict

from indexer.arguments import Unlisted
from workers.jobs.arguments import JobState

SourceKind = Literal["folder", "urls", "s3", "upload"]


class JobCounts(TypedDict):
    """How many files were found, and what became of them."""

    found: int
    indexed: int
    unchanged: int
    removed: int
    failed: int
    skipped: int


class JobError(TypedDict):
    """A file that is not in the archive as it is now, and why."""

    path: str
    reason: str


class SkippedKind(TypedDict):
    """How many files were skipped because nothing reads files of this kind."""

    kind: str
    count: int
    reason: str


class JobSource(TypedDict):
    """Where the documents of an ingestion come from, in a few words: never a secret, nor the query of an address."""

    type: SourceKind
    name: str


class JobEntry(TypedDict):
    """One job without its errors."""

    job_id: str
    kind: Literal["ingest", "reindex"]
    source: Annotated[JobSource | None, Unlisted()]
    """Of an ingestion."""
    index_name: Annotated[str | None, Unlisted()]
    """Of a re-index."""
    subject: Annotated[str, Unlisted()]
    """Who asked for it."""
    status: JobState
    counts: JobCounts
    progress: float
    error_count: int
    created_at: str
    started_at: str | None
    finished_at: str | None


class JobChanged(JobEntry):
    """A job that was cancelled or is retried; the first hundred errors of `error_count`."""

    success: Literal[True]
    errors: list[JobError]


class JobStatusResult(JobChanged):
    """How far a job is; the first hundred skipped files, and a warning if it added nothing."""

    skipped: list[JobError]
    skipped_kinds: list[SkippedKind]
    warning: str | None


class JobListResult(TypedDict):
    """The newest jobs, newest first."""

    success: Literal[True]
    jobs: list[JobEntry]


class LastJob(TypedDict):
    """The newest job that read a source."""

    job_id: str
    status: JobState
    failed: int
    skipped: int
    finished_at: str | None


class SourceHistory(TypedDict):
    """What the jobs of a team tell of a source."""

    source: JobSource
    last_job: LastJob | None
    """None if all of them are forgotten."""
    last_read_at: str | None
    """When a job read it to its end; if none is known, when one of its documents was read."""


class JobStarted(TypedDict):
    """A job that will be done, whatever happens to the queue."""

    success: Literal[True]
    job_id: str
    status: JobState
