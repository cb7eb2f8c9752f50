"""The records of jobs and their chunks. They are the source of truth; the queue in Redis may lose everything."""

import secrets
import time
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal

from indexer.schema.dates import utc_now
from indexer.tenancy import ARCHIVE_INDEX, IndexName, TeamId
from workers.jobs.arguments import FINISHED, JobState
from workers.jobs.lease import Lease, LeaseLost
from workers.sources.interface import Entry
from workers.sources.skipped import SkippedFiles

MAX_ERRORS: Final = 100
MAX_ATTEMPTS: Final = 3
GAVE_UP: Final = f"gave up after {MAX_ATTEMPTS} attempts"


@dataclass(frozen=True, slots=True)
class Problem:
    """A failed file: its current content is not in the archive, and the reason says why."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class Tally:
    """Counts of files by outcome, and the first hundred failed and skipped ones.

    In the end found = indexed + unchanged + failed + skipped.
    """

    found: int = 0
    indexed: int = 0
    unchanged: int = 0
    removed: int = 0
    failed: int = 0
    errors: tuple[Problem, ...] = ()
    skipped: SkippedFiles = field(default_factory=SkippedFiles)

    def without(self, paths: Collection[str]) -> "Tally":
        """Return it without the failures of these paths."""
        others = tuple(problem for problem in self.errors if problem.path not in paths)
        left_out = len(self.errors) - len(others)
        return replace(self, found=self.found - left_out, failed=self.failed - left_out, errors=others)

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(
            found=self.found + other.found,
            indexed=self.indexed + other.indexed,
            unchanged=self.unchanged + other.unchanged,
            removed=self.removed + other.removed,
            failed=self.failed + other.failed,
            errors=(self.errors + other.errors)[:MAX_ERRORS],
            skipped=self.skipped + other.skipped,
        )


def tally_failures(problems: Sequence[Problem]) -> Tally:
    """Count failed files."""
    return Tally(failed=len(problems), errors=tuple(problems[:MAX_ERRORS]))


@dataclass(frozen=True, slots=True)
class Retry:
    """Some files that failed, which are tried again alone; the job had reached its end before."""

    paths: tuple[str, ...]
    """As the job listed them; a path that failed twice stands here twice."""
    others: Tally
    """The counts of all other files."""
    read_at: str | None
    """When the job had read its source."""


@dataclass(frozen=True, slots=True)
class Job:
    """One request for background work, with its state, counts and progress."""

    team: TeamId
    id: str
    kind: Literal["ingest", "reindex"]
    created_at: str
    revision: int
    """Documents with this revision or a higher one count as written by this job."""
    subject: str = "anonymous"
    """The user who requested it."""
    restricted: bool = False
    """Whether the user needed a token, so that its team may read only what the connections give to it."""
    source: dict[str, Any] | None = None
    """The `IngestSource` of an ingestion, as JSON."""
    index: IndexName | None = None
    """The index of a re-index."""
    status: JobState = "queued"
    phase: Literal["planning", "working", "finishing", "done"] = "planning"
    plan: int = 0
    """The generation of the plan. Chunks of any other plan are orphaned."""
    retry: Retry | None = None
    """What the plan is limited to; None if it reads the whole source."""
    restarted: bool = False
    """Whether an earlier plan may have written documents already."""
    chunks: int = 0
    counted: tuple[tuple[int, int], ...] = ()
    """Ranges of the chunk numbers that are in the tally, so that no chunk is counted twice."""
    tally: Tally = field(default_factory=Tally)
    progress: float | None = None
    """Progress of a re-index; that of an ingestion is computed from its tally."""
    started_at: str | None = None
    finished_at: str | None = None
    attempts: int = 0
    lease: Lease = field(default_factory=Lease)

    @property
    def key(self) -> str:
        return job_key(self.team, self.id)

    @property
    def target(self) -> IndexName:
        """The index that it changes."""
        return self.index or ARCHIVE_INDEX

    @property
    def is_finished(self) -> bool:
        return self.status in FINISHED

    @property
    def is_ready_to_finish(self) -> bool:
        """Whether the plan is complete and all of its chunks are counted."""
        return self.phase in {"working", "finishing"} and _range_size(self.counted) >= self.chunks

    @property
    def read_at(self) -> str | None:
        """When it had read its source to the end; None if it has not yet, or stopped before."""
        if self.retry is not None:
            return self.retry.read_at
        return self.finished_at if self.status == "done" else None

    @property
    def counted_before(self) -> Tally:
        """The counts that a new plan begins with."""
        return Tally() if self.retry is None else self.retry.others

    def failed_again(self, retry: Retry, reason: str) -> "Job":
        """Return the job done, with all files of the retry failed; nothing counts that its plan has begun."""
        problems = [Problem(path, reason) for path in retry.paths]
        tally = retry.others + Tally(found=len(problems)) + tally_failures(problems)
        return replace(self, plan=self.plan + 1, tally=tally).ended("done")

    def ended(self, status: JobState, problem: Problem | None = None) -> "Job":
        """Return the job finished, with its lease released. A problem concerns the whole job, not one file."""
        errors = (problem, *self.tally.errors)[:MAX_ERRORS] if problem else self.tally.errors
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
    """A few hundred files at most, which one worker at a time reads and writes; `ChunkFiles` lists them.

    `attempts` counts the attempts at the first file that is not done.
    """

    plan: int
    number: int
    revision: int
    """The revision of every document that the chunk writes, the same in all attempts."""
    status: Literal["waiting", "done"] = "waiting"
    done: int = 0
    """How many files, counted from the first, are in the result."""
    given_up: int = 0
    result: Tally = field(default_factory=Tally)
    attempts: int = 0
    lease: Lease = field(default_factory=Lease)


@dataclass(frozen=True, slots=True)
class ChunkFiles:
    """The files of a chunk. A record of its own, so that the sweep can list chunks cheaply."""

    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class UnfinishedMarker:
    """Marks a job as unfinished. The sweep reads only the markers, not all jobs."""

    kind: Literal["ingest", "reindex"]
    index: IndexName | None
    since: float


def check_current(job: Job, plan: int) -> Job:
    """Return the job; raise `LeaseLost` if it was finished, cancelled or planned again."""
    if job.is_finished or job.plan != plan:
        raise LeaseLost
    return job


def new_job_id() -> str:
    """Return an identifier that sorts by time."""
    return f"j_{time.time_ns() // 1_000_000:012x}{secrets.token_hex(4)}"


def job_key(team: TeamId, job_id: str) -> str:
    """Return the key of a job's record; the keys of a team sort by time."""
    return f"{team}/{job_id}"


def chunk_key(job: str, plan: int, number: int) -> str:
    """Return the key of a chunk's record, below its job's key."""
    return f"{job}/{plan:06d}.{number:06d}"


def job_of_chunk(key: str) -> str:
    """Return the key of the job that a chunk belongs to."""
    return key.rpartition("/")[0]


def add_to_ranges(ranges: Iterable[tuple[int, int]], number: int) -> tuple[tuple[int, int], ...] | None:
    """Return the ranges with this number added; None if they contain it already."""
    before: list[tuple[int, int]] = []
    first, last = number, number
    after: list[tuple[int, int]] = []
    for start, end in ranges:
        if start <= number <= end:
            return None
        if end == number - 1:
            first = start
        elif start == number + 1:
            last = end
        else:
            (before if end < number else after).append((start, end))
    return (*before, (first, last), *after)


def _range_size(ranges: Iterable[tuple[int, int]]) -> int:
    return sum(end - start + 1 for start, end in ranges)
