"""Finds the fields of records by sampling some of them."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from indexer.errors import closest
from indexer.schema.dates import moment
from indexer.text.truncate import shorten_text
from mcp_server.features.osdu.results import OsduField

_MAX_EXAMPLES: Final = 3
_MAX_EXAMPLE_LENGTH: Final = 80
_MAX_DEPTH: Final = 12
_MAX_FIELDS: Final = 2_000
_GEOMETRY_KEYS: Final = frozenset({"coordinates", "geometries", "features"})
_SUFFIXES: Final = (".keyword", ".keywordLower")
_SYSTEM_FIELDS: Final = frozenset(
    {"id", "kind", "version", "acl", "legal", "tags", "ancestry", "authority", "source", "type"}
)


@dataclass(slots=True)
class _FieldSample:
    types: set[str] = field(default_factory=set)
    documents: int = 0
    examples: list[Any] = field(default_factory=list)


def sampled_fields(records: Iterable[Mapping[str, Any]]) -> list[OsduField]:
    """Return the field paths of these records, sorted, with types, document counts and examples."""
    samples: dict[str, _FieldSample] = {}
    for record in records:
        counted: set[str] = set()
        for path, kind, value in _leaves("", dict(record), _MAX_DEPTH):
            if path not in samples and len(samples) >= _MAX_FIELDS:
                continue
            sample = samples.setdefault(path, _FieldSample())
            sample.types.add(kind)
            if path not in counted:
                sample.documents += 1
                counted.add(path)
            short = shorten_text(value, _MAX_EXAMPLE_LENGTH) if isinstance(value, str) else value
            if kind != "geometry" and len(sample.examples) < _MAX_EXAMPLES and short not in sample.examples:
                sample.examples.append(short)
    return [
        OsduField(path=path, type="/".join(sorted(sample.types)), documents=sample.documents, examples=sample.examples)
        for path, sample in sorted(samples.items())
    ]


def unknown_fields(names: Iterable[str], existing: Iterable[str]) -> dict[str, list[str]]:
    """Return the names that are not existing fields, each with the closest existing ones."""
    paths = list(existing)
    return {name: closest(name, paths) for name in names if not _exists(name, paths)}


def _exists(name: str, paths: list[str]) -> bool:
    bare = name
    for suffix in _SUFFIXES:
        bare = bare.removesuffix(suffix)
    # Inside nested(…) a field name lacks its parent path, so a matching suffix is enough.
    return (
        "*" in bare
        or bare.partition(".")[0] in _SYSTEM_FIELDS
        or any(path == bare or path.startswith(f"{bare}.") or path.endswith(f".{bare}") for path in paths)
    )


def _leaves(path: str, value: Any, levels: int) -> Iterator[tuple[str, str, Any]]:
    match value:
        case dict() if "type" in value and not _GEOMETRY_KEYS.isdisjoint(value):
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
