"""Reads the files of a chunk: one after the other from disk, several at once over the network."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Final

from workers.context import WorkerContext
from workers.ingest.compare import Comparison, FileChange
from workers.jobs.records import Job, Problem, Tally, tally_failures
from workers.sources.interface import Entry, FailedFile, Item, NotModified, Source
from workers.sources.skipped import SkippedFile, SkippedFiles
from workers.sources.versions import version_of

_MAX_CONCURRENT: Final = 8
_MAX_GROUP_BYTES: Final = 2_000_000
_TALLIES: Final[dict[FileChange, Tally]] = {"unchanged": Tally(unchanged=1), "indexed": Tally(indexed=1)}


@dataclass(frozen=True, slots=True)
class FileToParse:
    """A file that was read and, as far as is known, differs from the archive."""

    entry: Entry
    item: Item
    version: str


def group_entries(entries: Sequence[Entry], source: Source, *, one_by_one: bool) -> Iterator[Sequence[Entry]]:
    """Yield the entries in groups; each group is read and parsed together.

    All entries on disk are one group, because each is read when the parser has room for it. Over the network a group is
    fetched concurrently, and a large entry is a group of its own.
    """
    if one_by_one:
        yield from ([entry] for entry in entries)
    elif source.remote:
        yield from _small_groups(entries)
    elif entries:
        yield entries


def read_group(
    context: WorkerContext, job: Job, source: Source, group: Sequence[Entry], *, is_retry: bool
) -> Iterator[FileToParse | Tally]:
    """Read a group in order, lazily from disk; yield a tally for each file that needs no parsing.

    Remote files are compared with the archive here: the plan does not read them, and parsing costs more than a lookup.
    """
    if not source.remote:
        for entry in group:
            outcome = _classify(entry, source.read(entry))
            yield _TALLIES["unchanged"] if isinstance(outcome, NotModified) else outcome
        return
    with ThreadPoolExecutor(_MAX_CONCURRENT, thread_name_prefix="read") as pool:
        items = pool.map(source.read, group)
        outcomes = [_classify(entry, item) for entry, item in zip(group, items, strict=True)]
    versions = [
        (outcome.id, None) if isinstance(outcome, NotModified) else (outcome.item.id, outcome.version)
        for outcome in outcomes
        if not isinstance(outcome, Tally)
    ]
    changes = iter(Comparison(context, job, versions, is_retry=is_retry).changes())
    for outcome in outcomes:
        change: FileChange = "changed" if isinstance(outcome, Tally) else next(changes)
        yield _TALLIES[change] if isinstance(outcome, NotModified) or change != "changed" else outcome


def _classify(entry: Entry, item: Item | FailedFile | SkippedFile | NotModified) -> FileToParse | NotModified | Tally:
    if isinstance(item, FailedFile):
        return tally_failures([Problem(entry.path, item.reason)])
    if isinstance(item, SkippedFile):
        return Tally(skipped=SkippedFiles.of([item]))
    return FileToParse(entry, item, version_of(item.data, item.origin)) if isinstance(item, Item) else item


def _small_groups(entries: Sequence[Entry]) -> Iterator[list[Entry]]:
    group: list[Entry] = []
    size = 0
    for entry in entries:
        if group and (len(group) >= _MAX_CONCURRENT or size + entry.size > _MAX_GROUP_BYTES):
            yield group
            group, size = [], 0
        group.append(entry)
        size += entry.size
    if group:
        yield group
