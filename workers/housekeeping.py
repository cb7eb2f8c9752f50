"""What is forgotten in time: old jobs, uploads that no job needs, replaced indices, builds without a builder."""

import time
from datetime import UTC, datetime, timedelta
from typing import Final

from indexer.index.deletion_log import expire_deletions
from indexer.index.generations import drop_orphans, every_entry, retire_if_due
from indexer.reindex.rebuild import abandoned
from indexer.reindex.session import discard
from workers.context import Workplace
from workers.jobs.records import Job, job_key, utc_text

_DELETIONS_KEPT: Final = timedelta(days=7)
"""A late write may bring a deleted document back until then; while an older job is unfinished, all are kept."""


def keep_house(place: Workplace) -> None:
    """Do all of it once."""
    unfinished = _unfinished(place)
    _forget_jobs(place)
    _discard_uploads(place, unfinished)
    _tidy_indices(place)
    oldest = utc_text(datetime.now(UTC) - _DELETIONS_KEPT)
    if all(job.created_at > oldest for job in unfinished):
        expire_deletions(place.library.engine.records, _DELETIONS_KEPT.total_seconds())


def _unfinished(place: Workplace) -> list[Job]:
    found = (place.jobs.all.get(mark.key) for mark in place.jobs.unfinished.list())
    return [job.value for job in found if job is not None and not job.value.is_finished]


def _forget_jobs(place: Workplace) -> None:
    before = utc_text(datetime.now(UTC) - timedelta(days=place.settings.keep_jobs_days))
    for job in place.jobs.all.list():
        if job.value.finished_at is not None and job.value.is_finished and job.value.finished_at < before:
            place.jobs.all.remove(job)


def _discard_uploads(place: Workplace, unfinished: list[Job]) -> None:
    needed = {job.source.get("staged") for job in unfinished if job.source is not None}
    before = time.time() - place.settings.keep_uploads_hours * 3_600
    for staged, since in place.staging.staged():
        if since < before and staged not in needed:
            place.staging.discard(staged)


def _tidy_indices(place: Workplace) -> None:
    library = place.library
    for entry in every_entry(library):
        retire_if_due(library, entry)
    for build in abandoned(library, lives=lambda owner: not owner.startswith("j_")):
        job = place.jobs.all.get(job_key(build.team, build.owner))
        if job is None or job.value.is_finished:
            discard(library, build.team, build.index, build.generation)
    for team in library.registry.teams():
        drop_orphans(library, team)
