"""What the jobs of a team tell of where its documents came from: when each place was read, and how that ended."""

from collections.abc import Iterable, Sequence

from indexer.archives.overview import Origin
from workers.jobs.described import origins_of, source_of
from workers.jobs.records import Job
from workers.jobs.results import JobSource, LastJob, SourceHistory, SourceKind
from workers.sources.origins import BUCKET, UPLOAD


def histories(origins: Sequence[Origin], newest_first: Iterable[Job]) -> list[SourceHistory]:
    """Return what the jobs tell of each origin, in their order; jobs are forgotten some weeks after they finished."""
    unknown = {origin.name for origin in origins}
    unread = set(unknown)
    newest: dict[str, Job] = {}
    read_at: dict[str, str] = {}
    for job in newest_first:
        if not unread:
            break
        of_job = origins_of(job)
        newest.update(dict.fromkeys(unknown & of_job, job))
        unknown -= of_job
        if job.read_at is not None:
            read_at.update(dict.fromkeys(unread & of_job, job.read_at))
            unread -= of_job
    return [_history(origin, newest.get(origin.name), read_at.get(origin.name)) for origin in origins]


def _history(origin: Origin, newest: Job | None, read_at: str | None) -> SourceHistory:
    return SourceHistory(
        source=_source(origin, newest),
        last_job=None if newest is None else _last_job(newest),
        last_read_at=read_at or _sampled_at(origin),
    )


def _source(origin: Origin, job: Job | None) -> JobSource:
    """Return what people call an origin; a bucket and a host are one source, whatever part of it a job read."""
    described = None if job is None else source_of(job)
    kind = _guessed_kind(origin) if described is None else described["type"]
    match kind:
        case "urls":
            name = origin.name
        case "s3":
            name = origin.name.removeprefix(BUCKET)
        case "upload" if origin.name.startswith(UPLOAD):
            name = origin.name.removeprefix(UPLOAD)
        case _:
            name = _top_folder(origin) if described is None else described["name"]
    return JobSource(type=kind, name=name)


def _guessed_kind(origin: Origin) -> SourceKind:
    """Return the kind of an origin of which no job is known any more."""
    if origin.sample is not None and origin.sample["source"] == "url":
        return "urls"
    if origin.name.startswith(BUCKET):
        return "s3"
    return "upload" if origin.name.startswith(UPLOAD) else "folder"


def _top_folder(origin: Origin) -> str:
    return origin.name if origin.sample is None else origin.sample["path"].partition("/")[0]


def _sampled_at(origin: Origin) -> str | None:
    """Return when one of the documents was read."""
    return None if origin.sample is None else origin.sample["ingested_at"].replace("+00:00", "Z")


def _last_job(job: Job) -> LastJob:
    return LastJob(
        job_id=job.id,
        status=job.status,
        failed=job.tally.failed,
        skipped=job.tally.skipped.count,
        finished_at=job.finished_at,
    )
