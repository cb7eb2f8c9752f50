"""Keeps every reply below what clients accept: a host refuses a result of more than 25,000 tokens.

Pages of results end at `max_chars`, with a cursor to go on. This is for all other results that can grow without a
bound, such as the fields of an index: their longest lists and texts are cut, and `truncated` says so.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from indexer.text.truncate import shorten_text
from mcp_server.result_json import compact_json

MAX_CHARS: Final = 80_000
"""Of the JSON of a result. A token has four characters, and its text may be somewhat longer than its JSON."""
_MAX_FIXED_KEYS: Final = 16
"""An object with more keys than this is a map, whose entries can be left out."""
_MAX_ROUNDS: Final = 100
_NOTICE: Final = "Shortened to what clients accept: the rest is left out"


def bounded(result: Mapping[str, Any], text: Callable[[Any], str]) -> tuple[Mapping[str, Any], str]:
    """Return the result and its text; if the result is too long, cut where it is longest, and the text says so."""
    kept = result
    for _ in range(_MAX_ROUNDS):
        excess = len(compact_json(kept)) - MAX_CHARS
        if excess <= 0:
            break
        kept = {**_cut_longest(dict(kept), excess), "truncated": True}
    rendered = text(kept)
    # A text that is the result's own JSON says so already.
    is_told = kept is result or compact_json(kept) == rendered
    return kept, rendered if is_told else f"{rendered}\n{_NOTICE}"


def _cut_longest(value: Any, excess: int) -> Any:
    """Return a copy whose longest part is shorter by the excess, or by half if it is not long enough."""
    match value:
        case str():
            return shorten_text(value, max(len(value) - excess - 1, len(value) // 2))
        case list() if not _has_dominant(value):
            return value[: _count_kept([len(compact_json(item)) + 1 for item in value], excess)]
        case dict() if len(value) > _MAX_FIXED_KEYS and not _has_dominant(list(value.values())):
            sizes = [len(compact_json([key, item])) for key, item in value.items()]
            return dict(list(value.items())[: _count_kept(sizes, excess)])
        case list() | dict():
            longest = max(_parts(value), key=lambda part: len(compact_json(part[1])), default=None)
            if longest is None:
                return value
            copy = value.copy()
            copy[longest[0]] = _cut_longest(longest[1], excess)
            return copy
        case _:
            return value


def _parts(value: list[Any] | dict[str, Any]) -> Iterator[tuple[Any, Any]]:
    yield from enumerate(value) if isinstance(value, list) else value.items()


def _has_dominant(items: list[Any]) -> bool:
    """Return whether one item is longer than all others together: then that item is cut, and not the list."""
    sizes = [len(compact_json(item)) for item in items]
    return bool(sizes) and 2 * max(sizes) > sum(sizes)


def _count_kept(sizes: list[int], excess: int) -> int:
    """Return how many items stay so that the rest makes up for the excess; at least half of them."""
    count, saved = len(sizes), 0
    while count > len(sizes) // 2 and saved < excess:
        count -= 1
        saved += sizes[count]
    return count
