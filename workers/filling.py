"""Filling the archive from a chunk: while one batch is being written, the next one is read and parsed."""

from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from types import TracebackType
from typing import Final, Self

from indexer.archives.arrivals import Arrival
from indexer.archives.ingest import write_arrivals
from indexer.archives.parsed import ParsedDocument
from workers.comparing import Comparison, counted_same
from workers.job_records import Job, Problem, Tally, failures
from workers.reading import read_all
from workers.sources.interface import Entry, Item, Kept, Refused, Source
from workers.versions import version_of
from workers.workplace import Workplace

_FEWEST_DOCUMENTS: Final = 100
"""So many are written as soon as nothing else is being written: the last write of a chunk, for which the parser waits,
is then a small one."""
_MOST_DOCUMENTS: Final = 250
_MOST_CHARACTERS: Final = 5_000_000


class Filling:
    """The work on one chunk; parsing stays in the thread that made it, for the parser's child dies with its thread."""

    def __init__(self, place: Workplace, job: Job, revision: int, source: Source, *, again: bool) -> None:
        self._place = place
        self._job = job
        self._again = again
        self._revision = revision
        self._source = source
        self._tally = Tally()
        self._arrivals: list[Arrival] = []
        self._characters = 0
        self._writer = ThreadPoolExecutor(1, thread_name_prefix="write")
        self._writing: Future[Tally] | None = None

    def add(self, entries: Sequence[Entry]) -> None:
        """Read and parse a group of files; they are written together with others."""
        read = list(zip(entries, read_all(self._source, entries), strict=True))
        self._fail([Problem(entry.path, item.reason) for entry, item in read if isinstance(item, Refused)])
        kept = [item.id for _, item in read if isinstance(item, Kept)]
        self._tally += counted_same(self._place, self._job, kept, again=self._again)
        items = [(entry, item, version_of(item.data, item.root)) for entry, item in read if isinstance(item, Item)]
        if self._source.remote:
            things = [(each, each[1].id, each[2]) for each in items]
            compared = Comparison(self._place, self._job, things, again=self._again)
            items, same = compared.changed()
            self._tally += same
        parsed = self._place.parser.parse_many([(item.name, item.data) for _, item, _ in items])
        for (entry, item, version), document in zip(items, parsed, strict=True):
            if isinstance(document, ParsedDocument):
                self._arrivals.append(_arrival(entry, item, version, document))
                self._characters += len(document.text)
            else:
                self._fail([Problem(entry.path, document.reason)])
        if self._is_enough():
            self._write()

    def flush(self) -> Tally:
        """Write what was added, and return what became of all files since the last time."""
        self._write()
        self._await()
        tally, self._tally = self._tally, Tally()
        return tally

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._writer.shutdown()

    def _is_enough(self) -> bool:
        if len(self._arrivals) >= _MOST_DOCUMENTS or self._characters >= _MOST_CHARACTERS:
            return True
        is_idle = self._writing is None or self._writing.done()
        return is_idle and len(self._arrivals) >= _FEWEST_DOCUMENTS

    def _write(self) -> None:
        if not self._arrivals:
            return
        arrivals, self._arrivals, self._characters = self._arrivals, [], 0
        self._await()
        self._writing = self._writer.submit(self._written, arrivals)

    def _await(self) -> None:
        if self._writing is not None:
            self._tally += self._writing.result()
            self._writing = None

    def _written(self, arrivals: Sequence[Arrival]) -> Tally:
        outcomes = write_arrivals(self._place.library, self._job.team, arrivals, self._revision)
        problems = [
            Problem(arrival.path, outcome.reason or "could not be indexed")
            for arrival, outcome in zip(arrivals, outcomes, strict=True)
            if outcome.status == "failed"
        ]
        return Tally(indexed=len(arrivals) - len(problems)) + failures(problems)

    def _fail(self, problems: Sequence[Problem]) -> None:
        self._tally += failures(problems)


def _arrival(entry: Entry, item: Item, version: str, parsed: ParsedDocument) -> Arrival:
    return Arrival(
        id=item.id,
        path=entry.path,
        source=item.source,
        root=item.root,
        url=item.url,
        fallback_date=item.fallback_date,
        version=version,
        parsed=parsed,
        validators=item.validators,
    )
