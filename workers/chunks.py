"""Chunks: a worker takes one, reads and writes its files, and has them counted in their job, once."""

import logging
from dataclasses import replace

from indexer.errors import PlatformError, TimedOut, Unavailable
from workers.ingest import source_of, work_job
from workers.job_records import MOST_ATTEMPTS, Chunk, Job, Problem, failures
from workers.lease import Held, LeaseLost, take
from workers.portions import Portions, freed, without_culprit
from workers.sources.interface import Entry
from workers.workplace import Workplace

_log = logging.getLogger(__name__)


def work_chunk(place: Workplace, key: str, job_key: str) -> None:
    """Do a chunk if nobody does it; whatever happens to this process, somebody will go on or report it."""
    place.broker.begun(key)
    found = place.jobs.all.get(job_key)
    files = place.jobs.files.get(key)
    if found is None or found.value.is_finished or files is None:
        return
    job = found.value
    held = take(
        place.jobs.chunks,
        key,
        place.owner,
        place.settings.worker_lease_seconds,
        lambda chunk: chunk.status == "waiting" and chunk.plan == job.plan,
    )
    if held is None:
        return
    with held:
        try:
            chunk = _worked(place, held, job, files.value.entries)
        except LeaseLost:
            return
        except (Unavailable, TimedOut):
            _log.warning("A chunk has to wait", exc_info=True, extra={"job_id": job.id})
            held.give_back()
            return
    if chunk.status == "waiting":
        place.broker.queue_chunk(job_key, key)
        return
    counted = place.jobs.count(job_key, chunk)
    place.jobs.files.remove(files)
    held.remove()
    if counted is not None and counted.is_worked_off and not counted.is_finished:
        work_job(place, job_key)


def _worked(place: Workplace, held: Held[Chunk], job: Job, entries: tuple[Entry, ...]) -> Chunk:
    """Go on with a chunk until all of it is done, or for some minutes; return it, free again."""
    if held.value.attempts > MOST_ATTEMPTS:
        held.change(lambda chunk: without_culprit(chunk, entries))
    try:
        source = source_of(place, job)
    except PlatformError as error:
        rest = failures([Problem(entry.path, error.message) for entry in entries[held.value.done :]])
        return held.change(lambda chunk: freed(replace(chunk, result=chunk.result + rest), is_over=True))
    return Portions(place, held, job, source).work_on(entries)
