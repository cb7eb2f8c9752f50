"""Reading a chunk's files: one after the other from a disk, some at once where they come over a network."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Final

from workers.context import WorkerContext
from workers.ingest.compare import Comparison, FileChange
from workers.jobs.records import Job, Problem, Tally, failures
from workers.sources.interface import Entry, Item, NotModified, SkippedFile, Source
from workers.sources.versions import version_of

_MOST_AT_ONCE: Final = 8
_MOST_BYTES: Final = 2_000_000
_COUNTED: Final[dict[FileChange, Tally]] = {"unchanged": Tally(unchanged=1), "indexed": Tally(indexed=1)}


@dataclass(frozen=True, slots=True)
class Fresh:
    """What the archive does not have in this version, as far as is known."""

    entry: Entry
    item: Item
    version: str


def groups(entries: Sequence[Entry], source: Source, *, one_by_one: bool) -> Iterator[Sequence[Entry]]:
    """Yield the entries in groups that are worked on without a look at anything else.

    Those on a disk are one group: each is read when the parser has room for it. Over a network a group is what is
    fetched at once, and a large thing is a group of its own.
    """
    if one_by_one:
        yield from ([entry] for entry in entries)
    elif source.remote:
        yield from _small_groups(entries)
    elif entries:
        yield entries


def read_each(
    context: WorkerContext, job: Job, source: Source, group: Sequence[Entry], *, again: bool
) -> Iterator[Fresh | Tally]:
    """Read a group in its order, lazily from a disk; what needs no parsing is counted.

    What is fetched is compared with the archive first: a plan does not read it, and parsing costs more than asking.
    """
    if not source.remote:
        for entry in group:
            outcome = _outcome(entry, source.read(entry))
            yield _COUNTED["unchanged"] if isinstance(outcome, NotModified) else outcome
        return
    with ThreadPoolExecutor(_MOST_AT_ONCE, thread_name_prefix="read") as readers:
        items = readers.map(source.read, group)
        outcomes = [_outcome(entry, item) for entry, item in zip(group, items, strict=True)]
    versions = [
        (each.id, None) if isinstance(each, NotModified) else (each.item.id, each.version)
        for each in outcomes
        if not isinstance(each, Tally)
    ]
    changes = iter(Comparison(context, job, versions, again=again).changes())
    for each in outcomes:
        standing: FileChange = "changed" if isinstance(each, Tally) else next(changes)
        yield _COUNTED[standing] if isinstance(each, NotModified) or standing != "changed" else each


def _outcome(entry: Entry, item: Item | SkippedFile | NotModified) -> Fresh | NotModified | Tally:
    if isinstance(item, SkippedFile):
        return failures([Problem(entry.path, item.reason)])
    return Fresh(entry, item, version_of(item.data, item.root)) if isinstance(item, Item) else item


def _small_groups(entries: Sequence[Entry]) -> Iterator[list[Entry]]:
    group: list[Entry] = []
    size = 0
    for entry in entries:
        if group and (len(group) >= _MOST_AT_ONCE or size + entry.size > _MOST_BYTES):
            yield group
            group, size = [], 0
        group.append(entry)
        size += entry.size
    if group:
        yield group
