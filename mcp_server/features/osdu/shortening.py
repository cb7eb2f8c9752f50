"""Shortens records to fit `max_chars`, and names what was cut and what to do about it."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from indexer.arguments import Detail
from indexer.errors import Fix
from indexer.text.truncate import SizeLimits, shorten_highlight, shorten_text, shorten_value
from mcp_server.features.osdu.results import OsduRecord

_PARTS: Final = ("data", "highlight", "more")
"""The parts of a record that may be cut."""
_MAX_PATHS: Final = 10
_MAX_PATH_LENGTH: Final = 200
_ASK_AGAIN: Final = (
    "call again with a larger max_chars (at most 1,000,000) or with only the fields you need in returned_fields"
)

_Path = tuple[str, ...]


def shorten_record(record: OsduRecord, limits: SizeLimits) -> OsduRecord:
    """Truncate the text in a record, and name in `shortened` what was cut; its id stays whole."""
    short = record.copy()
    short["data"] = shorten_value(record["data"], limits)
    if "highlight" in record:
        short["highlight"] = {
            field: [shorten_highlight(part, limits.characters) for part in parts[: limits.highlights]]
            for field, parts in list(record["highlight"].items())[: limits.max_keys]
        }
    if "more" in record:
        short["more"] = shorten_value(record["more"], limits)
    if paths := _shortened_paths(record, short):
        short["shortened"] = paths
    return short


def size_fix(records: Sequence[OsduRecord], found: int, max_chars: int | None, detail: Detail = "full") -> Fix:
    """Say how to get what `max_chars` and `detail` left out of a page on which this many records were found."""
    shortened = any("shortened" in record for record in records)
    if detail != "full" and len(records) == found:
        return Fix(required_action=f'To get what shortened names, call again with detail="full"; this is {detail!r}')
    if len(records) == found:
        action = f"To get what shortened names, {_ASK_AGAIN}: it was cut to fit max_chars={max_chars}"
    else:
        fitted = f"{len(records)} of {found} records fit into max_chars={max_chars}"
        action = f"Read on with next_cursor, or {_ASK_AGAIN}: {fitted}{', some of them shortened' if shortened else ''}"
    return Fix(required_action=action)


def _shortened_paths(record: OsduRecord, short: OsduRecord) -> list[str]:
    """Return the dotted paths of the lists, objects and texts that became shorter; of too many, their parents."""
    cut: dict[_Path, None] = {}
    whole_parts: Mapping[str, Any] = record
    short_parts: Mapping[str, Any] = short
    for part in _PARTS:
        _collect(whole_parts.get(part), short_parts.get(part), (part,), cut)
    depth = max(map(len, cut), default=0)
    while len(cut) > _MAX_PATHS:
        depth -= 1
        cut = dict.fromkeys(path[:depth] for path in cut)
    return [shorten_text(".".join(path), _MAX_PATH_LENGTH) for path in cut]


def _collect(whole: Any, short: Any, path: _Path, cut: dict[_Path, None]) -> None:
    match whole:
        case dict():
            if whole.keys() != short.keys():
                cut[path] = None
            for key in whole:
                if key in short:
                    _collect(whole[key], short[key], (*path, key), cut)
        case list():
            if len(whole) != len(short):
                cut[path] = None
            for item, short_item in zip(whole, short, strict=False):
                _collect(item, short_item, path, cut)
        case _:
            if whole != short:
                cut[path] = None
