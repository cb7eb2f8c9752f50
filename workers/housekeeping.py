"""What is forgotten in time: old jobs, uploads that no job needs, replaced indices, builds without a builder."""

import time
from datetime import UTC, datetime, timedelta
from typing import Final

from indexer.index.deletion_log import expire_deletions
from indexer.index.generations import drop_orphans, every_index, retire_if_due
from indexer.reindex.rebuild import abandoned
from indexer.reindex.session import discard
from workers.context import WorkerContext
from workers.jobs.records import Job, job_key, utc_text

_DELETIONS_KEPT: Final = timedelta(days=7)
"""A late write may bring a deleted document back until then; while an older job is unfinished, all are kept."""


def keep_house(context: WorkerContext) -> None:
    """Do all of it once."""
    unfinished = _unfinished(context)
    _forget_jobs(context)
    _discard_uploads(context, unfinished)
    _tidy_indices(context)
    oldest = utc_text(datetime.now(UTC) - _DELETIONS_KEPT)
    if all(job.created_at > oldest for job in unfinished):
        expire_deletions(context.library.engine.records, _DELETIONS_KEPT.total_seconds())


def _unfinished(context: WorkerContext) -> list[Job]:
    found = (context.jobs.all.get(mark.key) for mark in context.jobs.unfinished.list())
    return [job.value for job in found if job is not None and not job.value.is_finished]


def _forget_jobs(context: WorkerContext) -> None:
    before = utc_text(datetime.now(UTC) - timedelta(days=context.settings.keep_jobs_days))
    for job in context.jobs.all.list():
        if job.value.finished_at is not None and job.value.is_finished and job.value.finished_at < before:
            context.jobs.all.remove(job)


def _discard_uploads(context: WorkerContext, unfinished: list[Job]) -> None:
    needed = {job.source.get("staged") for job in unfinished if job.source is not None}
    before = time.time() - context.settings.keep_uploads_hours * 3_600
    for staged, since in context.staging.staged():
        if since < before and staged not in needed:
            context.staging.discard(staged)


def _tidy_indices(context: WorkerContext) -> None:
    library = context.library
    for entry in every_index(library):
        retire_if_due(library, entry)
    for build in abandoned(library, lives=lambda owner: not owner.startswith("j_")):
        job = context.jobs.all.get(job_key(build.team, build.owner))
        if job is None or job.value.is_finished:
            discard(library, build.team, build.index, build.generation)
    for team in library.registry.teams():
        drop_orphans(library, team)
