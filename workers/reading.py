"""Reading a chunk's files in groups small enough for memory, several at once where they come over a network."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from workers.sources.interface import Entry, Item, Kept, Refused, Source

_MOST_AT_ONCE: Final = 16
_MOST_REMOTE_AT_ONCE: Final = 8
_MOST_BYTES: Final = 2_000_000


def groups(entries: Sequence[Entry], source: Source, *, one_by_one: bool) -> Iterator[list[Entry]]:
    """Yield the entries in groups that are read and parsed together; a large file is a group of its own."""
    most = 1 if one_by_one else _MOST_REMOTE_AT_ONCE if source.remote else _MOST_AT_ONCE
    group: list[Entry] = []
    size = 0
    for entry in entries:
        if group and (len(group) >= most or size + entry.size > _MOST_BYTES):
            yield group
            group, size = [], 0
        group.append(entry)
        size += entry.size
    if group:
        yield group


def read_all(source: Source, entries: Sequence[Entry]) -> list[Item | Refused | Kept]:
    """Read a group, in its order."""
    if not source.remote:
        return [source.read(entry) for entry in entries]
    with ThreadPoolExecutor(_MOST_REMOTE_AT_ONCE, thread_name_prefix="read") as readers:
        return list(readers.map(source.read, entries))
