"""Jobs as callers see them."""

from collections.abc import Mapping

from workers.jobs.described import source_of
from workers.jobs.records import Job, Tally
from workers.jobs.results import JobChanged, JobCounts, JobEntry, JobError, JobStatusResult, SkippedKind
from workers.sources.skipped import NO_READER, OTHER_KINDS


def render_status(job: Job) -> JobStatusResult:
    """Return a job as callers see it."""
    return JobStatusResult(
        **render_changed(job),
        skipped=[JobError(path=file.path, reason=file.reason) for file in job.tally.skipped.first],
        skipped_kinds=_render_kinds(job.tally.skipped.kinds),
        warning=_warning(job),
    )


def render_changed(job: Job) -> JobChanged:
    """Return a job as those see it who cancel or retry it."""
    return JobChanged(
        **render_entry(job),
        success=True,
        errors=[JobError(path=problem.path, reason=problem.reason) for problem in job.tally.errors],
    )


def render_entry(job: Job) -> JobEntry:
    """Return a job as lists show it."""
    tally = job.tally
    return JobEntry(
        job_id=job.id,
        kind=job.kind,
        source=source_of(job),
        index_name=job.index,
        subject=job.subject,
        status=job.status,
        counts=JobCounts(
            found=tally.found,
            indexed=tally.indexed,
            unchanged=tally.unchanged,
            removed=tally.removed,
            failed=tally.failed,
            skipped=tally.skipped.count,
        ),
        progress=_progress(job),
        error_count=max(tally.failed, len(tally.errors)),
        created_at=job.created_at,
        started_at=job.started_at,
        finished_at=job.finished_at,
    )


def _render_kinds(kinds: Mapping[str, int]) -> list[SkippedKind]:
    """Return the most frequent kinds first; the sum of all kinds beyond the first hundred comes last."""
    ordered = sorted(kinds.items(), key=lambda item: (item[0] == OTHER_KINDS, -item[1], item[0]))
    return [SkippedKind(kind=kind, count=count, reason=NO_READER) for kind, count in ordered]


def _warning(job: Job) -> str | None:
    """Say that a finished ingestion added nothing, which a caller may not expect."""
    tally = job.tally
    if job.kind != "ingest" or job.status != "done" or tally.indexed or tally.unchanged:
        return None
    if not tally.found:
        return "Nothing was indexed: no files were found"
    parts = [(tally.failed, "failed"), (tally.skipped.count, "skipped")]
    return f"Nothing was indexed: {' and '.join(f'{count} {what}' for count, what in parts if count)}"


def _progress(job: Job) -> float:
    """Return the processed share of the files listed so far; 1 only when the job is done.

    While the source is still being listed the share is halved, because as many files again may follow.
    """
    if job.status == "done":
        return 1.0
    if job.kind == "reindex":
        return round(min(job.progress or 0.0, 0.99), 4)
    before = job.counted_before
    found = job.tally.found - before.found
    share = min((_processed(job.tally) - _processed(before)) / found, 0.99) if found else 0.0
    return round(share / 2 if job.phase == "planning" else share, 4)


def _processed(tally: Tally) -> int:
    return tally.indexed + tally.unchanged + tally.failed + tally.skipped.count
