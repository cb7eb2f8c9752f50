"""One worker's run through the files of a chunk, in order, with its progress saved in the chunk's record.

- A worker dies: the next one continues after the last saved file. The files since then are processed again. That is
  idempotent, because all attempts write with the same revision.
- A file kills the parser: the parser runs in a child process (`parsers/child`), so only that file fails and the run
  goes on.
- A file kills the worker itself: every attempt is counted before it starts. The third attempt processes the files one
  by one and saves after each. If it dies without having saved anything, the next file is the culprit: the fourth
  attempt gives up that file alone (`skip_culprit`) and continues behind it.
- A message is delivered twice: the second worker does not get the lease (`chunks.py`). A worker that lost its lease
  gets `LeaseLost` when it saves, and stops.
- Redis dies or loses its data: the run needs no Redis and goes on.
- The files are slow: after a slice of some seconds, if another job waits, or else after ten minutes, the run saves its
  progress, releases the chunk and has it queued again, behind the others. A file that is being parsed at that moment is
  put off to the next slice, unless it is the first of this one: so each slice has done at least one file.
- The job is cancelled: the run notices within seconds and stops; files that it has processed are counted.
"""

from collections.abc import Generator
from contextlib import closing, suppress
from dataclasses import replace
from time import monotonic
from typing import Final

from indexer.errors import PlatformError
from workers.context import WorkerContext
from workers.ingest.chunk_writer import ChunkWriter, group_entries
from workers.ingest.steps import open_job_source
from workers.jobs.lease import HeldLease, LeaseLost
from workers.jobs.records import GAVE_UP, MAX_ATTEMPTS, Chunk, Job, Problem, Tally, tally_failures
from workers.sources.interface import Entry, Source

_CANCEL_CHECK_SECONDS: Final = 2.0
_SAVE_SECONDS: Final = 60.0
_LOOK_SECONDS: Final = 1.0
"""How often a run whose slice is over looks whether another job waits."""
_MAX_SECONDS: Final = 600.0
"""How long one message is processed: well below Celery's hard time limit, as the last files may be slow."""
_MAX_CULPRITS: Final = 5
"""Files of a chunk that are given up one by one. Beyond that the files are not to blame, and the rest is given up."""


class _GivesWay(Exception):
    """The run ends before the file that is being parsed."""


def skip_culprit(chunk: Chunk, entries: tuple[Entry, ...]) -> Chunk:
    """Give up the file that killed three workers, or all remaining files if there were too many such files."""
    end = chunk.done + 1 if chunk.given_up < _MAX_CULPRITS else len(entries)
    culprits = [Problem(entry.path, GAVE_UP) for entry in entries[chunk.done : end]]
    return replace(
        chunk,
        done=end,
        given_up=chunk.given_up + len(culprits),
        result=chunk.result + tally_failures(culprits),
        attempts=1,
    )


class ChunkRun:
    """Processes a chunk whose lease this worker holds: first `parse`, then `finish`."""

    def __init__(self, context: WorkerContext, held: HeldLease[Chunk], job: Job, entries: tuple[Entry, ...]) -> None:
        self._context = context
        self._held = held
        self._job = job
        self._entries = entries
        self._done = self._first = held.value.done
        self._unsaved = Tally()
        self._writer: ChunkWriter | None = None
        self._is_complete = True
        self._one_by_one = held.value.attempts >= MAX_ATTEMPTS
        started = monotonic()
        self._next_cancel_check = started + _CANCEL_CHECK_SECONDS
        self._next_save = started + _SAVE_SECONDS
        self._next_look = started + context.settings.worker_slice_seconds
        self._latest_end = started + _MAX_SECONDS

    def parse(self) -> None:
        """Continue with the first file that is not done; on return the last documents may still be being written."""
        chunk = self._held.value
        try:
            source = open_job_source(self._context, self._job)
        except PlatformError as error:
            remaining = self._entries[self._done :]
            self._unsaved = tally_failures([Problem(entry.path, error.message) for entry in remaining])
            self._done += len(remaining)
            return
        is_retry = self._held.token > 1
        writer = ChunkWriter(self._context, self._job, chunk.revision, source, is_retry=is_retry, check=self._give_way)
        self._writer = writer
        with suppress(_GivesWay), closing(self._process_files(writer, source)) as files:
            for _ in files:
                self._done += 1
                if self._one_by_one or monotonic() > self._next_save:
                    self._save(self._done, writer.flush())
                self._is_complete = self._done == len(self._entries) or not self._is_slice_over()
                if not self._is_complete or self._is_cancelled():
                    return

    def finish(self) -> Chunk:
        """Wait for the last writes and release the chunk: done, or still waiting if its slice of time is over."""
        if self._writer is not None:
            self._unsaved = self._writer.flush()
        done, status = self._done, self._held.value.status
        return self._held.change(
            lambda chunk: replace(
                _with_progress(chunk, done, self._unsaved),
                status="done" if self._is_complete else status,
                attempts=0,
                lease=replace(chunk.lease, until=0.0),
            )
        )

    def _process_files(self, writer: ChunkWriter, source: Source) -> Generator[None, None, None]:
        for group in group_entries(self._entries[self._done :], source, one_by_one=self._one_by_one):
            yield from writer.add(group)

    def _give_way(self) -> None:
        """End the run while a file is being parsed, if the slice is over or the job was cancelled."""
        if self._is_cancelled():
            raise _GivesWay
        if self._done > self._first and self._is_slice_over():
            self._is_complete = False
            raise _GivesWay

    def _is_slice_over(self) -> bool:
        now = monotonic()
        if now < self._next_look:
            return False
        self._next_look = now + _LOOK_SECONDS
        return now >= self._latest_end or self._context.broker.others_wait(self._job.key)

    def _save(self, done: int, tally: Tally) -> None:
        self._held.change(lambda chunk: _with_progress(chunk, done, tally))
        self._next_save = monotonic() + _SAVE_SECONDS

    def _is_cancelled(self) -> bool:
        """Return, every few seconds, whether the job was cancelled; `LeaseLost` if its chunks are orphaned."""
        self._held.check()
        if monotonic() < self._next_cancel_check:
            return False
        self._next_cancel_check = monotonic() + _CANCEL_CHECK_SECONDS
        job = self._context.jobs.all.get(self._job.key)
        if job is None or job.value.plan != self._job.plan:
            raise LeaseLost
        return job.value.is_finished


def _with_progress(chunk: Chunk, done: int, tally: Tally) -> Chunk:
    # This worker's present attempt is the first one at the next file.
    return replace(chunk, done=done, result=chunk.result + tally, attempts=1)
