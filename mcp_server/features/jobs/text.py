"""Renders results about jobs as text."""

from collections.abc import Iterator, Mapping
from typing import Final

from workers.jobs.results import JobChanged, JobEntry, JobListResult, JobStarted, JobStatusResult, SourceKind

_KINDS: Final[Mapping[SourceKind, str]] = {"folder": "folder", "urls": "pages", "s3": "bucket", "upload": "upload"}
_SHOWN: Final = 20
"""Skipped files that are rendered by name."""


def started_text(result: JobStarted) -> str:
    """Render the id of the job and how to follow it."""
    return f"job {result['job_id']} is {result['status']}; job_status says how far it is"


def status_text(result: JobStatusResult) -> str:
    """Render the progress of a job, the files that failed, and those that were skipped."""
    lines = [changed_text(result), *_skipped_lines(result)]
    if result["warning"] is not None:
        lines.insert(1, f"Warning: {result['warning']}")
    return "\n".join(lines)


def changed_text(result: JobChanged) -> str:
    """Render the progress of a job, and the files that failed."""
    lines = [_job_line(result)]
    lines += [f"- {error['path']}: {error['reason']}" for error in result["errors"]]
    if (more := result["error_count"] - len(result["errors"])) > 0:
        lines.append(f"- and {more} more")
    return "\n".join(lines)


def progress_text(result: JobStatusResult) -> str:
    """Render status and counts in one line, for a progress report."""
    return f"{result['status']}: {', '.join(_counts(result))}"


def list_text(result: JobListResult) -> str:
    """Render one line per job."""
    return "\n".join([f"{len(result['jobs'])} jobs", *(f"- {_job_line(job)}" for job in result["jobs"])])


def _skipped_lines(result: JobStatusResult) -> Iterator[str]:
    kinds = result["skipped_kinds"]
    if kinds:
        listed = ", ".join(f"{kind['count']} {kind['kind']}" for kind in kinds)
        yield f"skipped, {kinds[0]['reason']}: {listed}"
    reasons = {kind["reason"] for kind in kinds}
    others = [file for file in result["skipped"] if file["reason"] not in reasons][:_SHOWN]
    yield from (f"- skipped {file['path']}: {file['reason']}" for file in others)
    if (more := result["counts"]["skipped"] - sum(kind["count"] for kind in kinds) - len(others)) > 0:
        yield f"- and {more} more skipped"


def _job_line(job: JobEntry) -> str:
    counts = ", ".join(_counts(job))
    state = f"{job['kind']} {job['job_id']} is {job['status']} ({job['progress']:.0%})"
    return f"{state}: {counts}, {_times(job)}{_concerns(job)}"


def _concerns(job: JobEntry) -> str:
    source = job["source"]
    if source is not None:
        return f", from {_KINDS[source['type']]} {source['name']}"
    return "" if job["index_name"] is None else f", of index {job['index_name']}"


def _counts(job: JobEntry) -> Iterator[str]:
    yield f"{job['counts']['found']} found"
    yield f"{job['counts']['indexed']} indexed"
    yield f"{job['counts']['unchanged']} unchanged"
    yield f"{job['counts']['removed']} removed"
    yield f"{job['counts']['failed']} failed"
    yield f"{job['counts']['skipped']} skipped"


def _times(job: JobEntry) -> str:
    finished = job["finished_at"]
    return f"finished {finished}" if finished is not None else f"created {job['created_at']}"
