"""What is recorded of a job and of its chunks; Redis may lose everything, these may not."""

import secrets
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, Final, Literal

from indexer.tenancy import IndexName, TeamId
from workers.jobs.arguments import FINISHED, JobState
from workers.jobs.lease import Lease, LeaseLost
from workers.sources.interface import Entry

MOST_ERRORS: Final = 100
MOST_ATTEMPTS: Final = 3
GAVE_UP: Final = f"gave up after {MOST_ATTEMPTS} attempts"


@dataclass(frozen=True, slots=True)
class Problem:
    """A file that is not in the archive as it is now, and why."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class Tally:
    """How many files were found and what became of them; of the failed ones, the first hundred."""

    found: int = 0
    indexed: int = 0
    unchanged: int = 0
    removed: int = 0
    failed: int = 0
    errors: tuple[Problem, ...] = ()

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(
            found=self.found + other.found,
            indexed=self.indexed + other.indexed,
            unchanged=self.unchanged + other.unchanged,
            removed=self.removed + other.removed,
            failed=self.failed + other.failed,
            errors=(self.errors + other.errors)[:MOST_ERRORS],
        )


def failures(problems: Sequence[Problem]) -> Tally:
    """Count files that failed."""
    return Tally(failed=len(problems), errors=tuple(problems[:MOST_ERRORS]))


@dataclass(frozen=True, slots=True)
class Job:
    """One request for background work."""

    team: TeamId
    id: str
    kind: Literal["ingest", "reindex"]
    created_at: str
    revision: int
    """From when on documents count as written by this job."""
    subject: str = "anonymous"
    """Who asked for it."""
    source: dict[str, Any] | None = None
    """An ingestion's `IngestSource` as JSON."""
    index: IndexName | None = None
    """What a re-index builds anew."""
    status: JobState = "queued"
    phase: Literal["planning", "working", "finishing", "done"] = "planning"
    plan: int = 0
    """Which planning the counts and chunks belong to; those of others are nobody's any more."""
    restarted: bool = False
    """Whether an earlier planning may have written documents already."""
    chunks: int = 0
    counted: tuple[tuple[int, int], ...] = ()
    """The chunks of this plan that are in the tally, as ranges: no chunk is counted twice."""
    tally: Tally = field(default_factory=Tally)
    progress: float | None = None
    """Of a re-index; an ingestion's follows from its tally."""
    started_at: str | None = None
    finished_at: str | None = None
    attempts: int = 0
    lease: Lease = field(default_factory=Lease)

    @property
    def key(self) -> str:
        return job_key(self.team, self.id)

    @property
    def is_finished(self) -> bool:
        return self.status in FINISHED

    @property
    def is_worked_off(self) -> bool:
        """Whether everything is planned and counted, so that only finishing is left."""
        return self.phase in {"working", "finishing"} and _size(self.counted) >= self.chunks

    def ended(self, status: JobState, problem: Problem | None = None) -> "Job":
        """Return it finished and free; a problem is the job's own, not that of a file."""
        errors = (problem, *self.tally.errors)[:MOST_ERRORS] if problem else self.tally.errors
        return replace(
            self,
            status=status,
            phase="done",
            finished_at=utc_now(),
            tally=replace(self.tally, errors=errors),
            lease=replace(self.lease, until=0.0),
        )


@dataclass(frozen=True, slots=True)
class Chunk:
    """Some hundreds of files that one worker reads and writes at a time; their list is a record of its own.

    Its attempts are those at the first file that is not done.
    """

    plan: int
    number: int
    revision: int
    """Of all documents that it writes, in every attempt."""
    status: Literal["waiting", "done"] = "waiting"
    done: int = 0
    """How many of its files, from the first on, are in the result."""
    given_up: int = 0
    result: Tally = field(default_factory=Tally)
    attempts: int = 0
    lease: Lease = field(default_factory=Lease)


@dataclass(frozen=True, slots=True)
class ChunkFiles:
    """What a chunk is to read: kept apart, so that looking for lost chunks stays cheap."""

    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Unfinished:
    """A mark for each job that is not finished: the sweep looks at these alone."""

    kind: Literal["ingest", "reindex"]
    index: IndexName | None
    since: float


def current(job: Job, plan: int) -> Job:
    """Return the job if it still goes by this plan; who sees `LeaseLost` stops: it was cancelled, or begun anew."""
    if job.is_finished or job.plan != plan:
        raise LeaseLost
    return job


def new_job_id() -> str:
    """Return an identifier that sorts by time."""
    return f"j_{time.time_ns() // 1_000_000:012x}{secrets.token_hex(4)}"


def job_key(team: TeamId, job_id: str) -> str:
    """Name a job's record; a team's jobs sort by time."""
    return f"{team}/{job_id}"


def chunk_key(job: str, plan: int, number: int) -> str:
    """Name a chunk below its job's key."""
    return f"{job}/{plan:06d}.{number:06d}"


def utc_now() -> str:
    """Return this moment as jobs have it."""
    return utc_text(datetime.now(UTC))


def utc_text(moment: datetime) -> str:
    """Write a moment; as texts they sort by time."""
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def counted_with(counted: Iterable[tuple[int, int]], number: int) -> tuple[tuple[int, int], ...] | None:
    """Return the ranges with this number too; None if they have it already."""
    before: list[tuple[int, int]] = []
    first, last = number, number
    after: list[tuple[int, int]] = []
    for start, end in counted:
        if start <= number <= end:
            return None
        if end == number - 1:
            first = start
        elif start == number + 1:
            last = end
        else:
            (before if end < number else after).append((start, end))
    return (*before, (first, last), *after)


def _size(counted: Iterable[tuple[int, int]]) -> int:
    return sum(end - start + 1 for start, end in counted)
