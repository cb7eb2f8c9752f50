"""Periodic cleanup: old jobs, unneeded uploads, retired indices, orphaned rebuilds, expired deletions, old audit."""

import time
from datetime import UTC, datetime, timedelta
from typing import Final

from indexer.audit.retention import expire_audit
from indexer.index.deletion_log import expire_deletions
from indexer.index.generations import drop_orphans, every_index, retire_if_due
from indexer.reindex.rebuild import abandoned
from indexer.reindex.session import discard
from indexer.schema.dates import format_utc
from workers.context import WorkerContext
from workers.jobs.records import Job, job_key

_DELETION_RETENTION: Final = timedelta(days=7)
"""A write that arrives later could bring a deleted document back, so none expires while an older job is unfinished."""


def clean_up(context: WorkerContext) -> None:
    """Run all cleanup once."""
    unfinished = _unfinished_jobs(context)
    _remove_old_jobs(context)
    _discard_uploads(context, unfinished)
    _clean_up_indices(context)
    expire_audit(
        context.library.engine.audit, context.library.engine.records, context.keys, context.settings.audit_days
    )
    oldest = format_utc(datetime.now(UTC) - _DELETION_RETENTION)
    if all(job.created_at > oldest for job in unfinished):
        expire_deletions(context.library.engine.records, _DELETION_RETENTION.total_seconds())


def _unfinished_jobs(context: WorkerContext) -> list[Job]:
    jobs = (context.jobs.all.get(marker.key) for marker in context.jobs.unfinished.list())
    return [job.value for job in jobs if job is not None and not job.value.is_finished]


def _remove_old_jobs(context: WorkerContext) -> None:
    before = format_utc(datetime.now(UTC) - timedelta(days=context.settings.keep_jobs_days))
    for job in context.jobs.all.list():
        if job.value.finished_at is not None and job.value.is_finished and job.value.finished_at < before:
            context.jobs.all.remove(job)


def _discard_uploads(context: WorkerContext, unfinished: list[Job]) -> None:
    needed = {job.source.get("staged") for job in unfinished if job.source is not None}
    before = time.time() - context.settings.keep_uploads_hours * 3_600
    for staged, since in context.staging.staged():
        if since < before and staged not in needed:
            context.staging.discard(staged)


def _clean_up_indices(context: WorkerContext) -> None:
    library = context.library
    for record in every_index(library):
        retire_if_due(library, record)
    # Only rebuilds that a job owns may be orphaned; all others count as alive.
    for build in abandoned(library, lives=lambda owner: not owner.startswith("j_")):
        job = context.jobs.all.get(job_key(build.team, build.owner))
        if job is None or job.value.is_finished:
            discard(library, build.team, build.index, build.generation)
    for team in library.registry.teams():
        drop_orphans(library, team)
