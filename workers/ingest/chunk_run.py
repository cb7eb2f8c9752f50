"""Working through a chunk's files in order, with what is done saved now and then.

So a chunk of slow files is done by and by, however long it takes. After two workers died, the third one saves after
each file: if it dies too, without having saved anything, the next file is the culprit, and it alone is given up.
"""

from collections.abc import Generator
from contextlib import closing
from dataclasses import replace
from time import monotonic
from typing import Final

from indexer.errors import PlatformError
from workers.context import WorkerContext
from workers.ingest.chunk_reader import groups
from workers.ingest.chunk_writer import ChunkWriter
from workers.ingest.steps import source_of
from workers.jobs.lease import Held, LeaseLost
from workers.jobs.records import GAVE_UP, MOST_ATTEMPTS, Chunk, Job, Problem, Tally, failures
from workers.sources.interface import Entry, Source

_LOOK_SECONDS: Final = 2.0
"""How often the job is looked at: whether it was cancelled."""
_SAVE_SECONDS: Final = 60.0
_SLICE_SECONDS: Final = 600.0
"""How long one message is worked on: well below Celery's limit, for the last files may be slow."""
_MOST_CULPRITS: Final = 5
"""Files of one chunk that are given up one by one; then it is not the files, and the rest is given up at once."""


def without_culprit(chunk: Chunk, entries: tuple[Entry, ...]) -> Chunk:
    """Give up the file that three workers died of, or all that is left if there were too many such files."""
    last = chunk.done + 1 if chunk.given_up < _MOST_CULPRITS else len(entries)
    culprits = [Problem(entry.path, GAVE_UP) for entry in entries[chunk.done : last]]
    return replace(
        chunk,
        done=last,
        given_up=chunk.given_up + len(culprits),
        result=chunk.result + failures(culprits),
        attempts=1,
    )


class ChunkRun:
    """One worker's way through a chunk that it holds."""

    def __init__(self, context: WorkerContext, held: Held[Chunk], job: Job, entries: tuple[Entry, ...]) -> None:
        self._context = context
        self._held = held
        self._job = job
        self._entries = entries
        self._done = held.value.done
        self._rest = Tally()
        self._writer: ChunkWriter | None = None
        self._is_over = True
        self._careful = held.value.attempts >= MOST_ATTEMPTS
        started = monotonic()
        self._look = started + _LOOK_SECONDS
        self._save = started + _SAVE_SECONDS
        self._end = started + _SLICE_SECONDS

    def parse(self) -> None:
        """Go on where the chunk is, to its end or for some minutes; the last documents may still be on their way."""
        chunk = self._held.value
        try:
            source = source_of(self._context, self._job)
        except PlatformError as error:
            left = self._entries[self._done :]
            self._rest = failures([Problem(entry.path, error.message) for entry in left])
            self._done += len(left)
            return
        filling = ChunkWriter(self._context, self._job, chunk.revision, source, again=self._held.token > 1)
        self._writer = filling
        with closing(self._each(filling, source)) as files:
            for _ in files:
                self._done += 1
                if self._careful or monotonic() > self._save:
                    self._save_up_to(self._done, filling.flush())
                self._is_over = monotonic() < self._end or self._done == len(self._entries)
                if not self._is_over or self._is_cancelled():
                    return

    def finish(self) -> Chunk:
        """Wait for the last writes; return the chunk free, and still waiting if the rest is for another turn."""
        if self._writer is not None:
            self._rest = self._writer.flush()
        done, status = self._done, self._held.value.status
        return self._held.change(
            lambda chunk: replace(
                _grown(chunk, done, self._rest),
                status="done" if self._is_over else status,
                attempts=0,
                lease=replace(chunk.lease, until=0.0),
            )
        )

    def _each(self, filling: ChunkWriter, source: Source) -> Generator[None, None, None]:
        for group in groups(self._entries[self._done :], source, one_by_one=self._careful):
            yield from filling.add(group)

    def _save_up_to(self, done: int, tally: Tally) -> None:
        self._held.change(lambda chunk: _grown(chunk, done, tally))
        self._save = monotonic() + _SAVE_SECONDS

    def _is_cancelled(self) -> bool:
        """Look now and then whether to stop with what is done; `LeaseLost` if even that counts no more."""
        self._held.check()
        if monotonic() < self._look:
            return False
        self._look = monotonic() + _LOOK_SECONDS
        found = self._context.jobs.all.get(self._job.key)
        if found is None or found.value.plan != self._job.plan:
            raise LeaseLost
        return found.value.is_finished


def _grown(chunk: Chunk, done: int, tally: Tally) -> Chunk:
    # What comes next has been tried once: by this worker.
    return replace(chunk, done=done, result=chunk.result + tally, attempts=1)
