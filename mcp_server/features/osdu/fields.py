"""Which fields records have, by looking at some of them."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from indexer.errors import closest
from indexer.schema.dates import moment
from indexer.text.truncate import shorten_text
from mcp_server.features.osdu.results import OsduField

_EXAMPLES: Final = 3
_EXAMPLE_CHARACTERS: Final = 80
_DEEPEST: Final = 12
_MOST_FIELDS: Final = 2_000
_GEOMETRY: Final = frozenset({"coordinates", "geometries", "features"})
_SUFFIXES: Final = (".keyword", ".keywordLower")
_ALWAYS: Final = frozenset({"id", "kind", "version", "acl", "legal", "tags", "ancestry", "authority", "source", "type"})


@dataclass(slots=True)
class _Seen:
    types: set[str] = field(default_factory=set)
    documents: int = 0
    examples: list[Any] = field(default_factory=list)


def sampled_fields(records: Iterable[Mapping[str, Any]]) -> list[OsduField]:
    """Return the paths at which these records have values, with types, counts and examples, by path."""
    seen: dict[str, _Seen] = {}
    for record in records:
        here: set[str] = set()
        for path, kind, value in _leaves("", dict(record), _DEEPEST):
            if path not in seen and len(seen) >= _MOST_FIELDS:
                continue
            entry = seen.setdefault(path, _Seen())
            entry.types.add(kind)
            if path not in here:
                entry.documents += 1
                here.add(path)
            short = shorten_text(value, _EXAMPLE_CHARACTERS) if isinstance(value, str) else value
            if kind != "geometry" and len(entry.examples) < _EXAMPLES and short not in entry.examples:
                entry.examples.append(short)
    return [
        OsduField(path=path, type="/".join(sorted(entry.types)), documents=entry.documents, examples=entry.examples)
        for path, entry in sorted(seen.items())
    ]


def unknown_fields(named: Iterable[str], known: Iterable[str]) -> dict[str, list[str]]:
    """Return the fields that are not among the known ones, each with the closest of them."""
    paths = list(known)
    return {name: closest(name, paths) for name in named if not _is_known(name, paths)}


def _is_known(name: str, paths: list[str]) -> bool:
    bare = name
    for suffix in _SUFFIXES:
        bare = bare.removesuffix(suffix)
    # Inside nested(…) a field is written without the path before it.
    return (
        "*" in bare
        or bare.partition(".")[0] in _ALWAYS
        or any(path == bare or path.startswith(f"{bare}.") or path.endswith(f".{bare}") for path in paths)
    )


def _leaves(path: str, value: Any, levels: int) -> Iterator[tuple[str, str, Any]]:
    match value:
        case dict() if "type" in value and not _GEOMETRY.isdisjoint(value):
            yield path, "geometry", None
        case dict() if levels:
            for name, part in value.items():
                yield from _leaves(f"{path}.{name}" if path else name, part, levels - 1)
        case list() if levels:
            for part in value:
                yield from _leaves(path, part, levels - 1)
        case bool():
            yield path, "boolean", value
        case int() | float():
            yield path, "number", value
        case str():
            yield path, "string" if moment(value) is None else "date", value
        case _:
            return
