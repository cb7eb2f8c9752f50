"""Records as callers see them: compact, and shortened where they must be."""

from collections.abc import Iterable, Mapping
from html import escape
from typing import Any, Final

from indexer.text.truncate import Room, shorten_highlight, shorten_value
from mcp_server.features.osdu.results import Bucket, OsduRecord

_SHOWN: Final = frozenset({"id", "kind", "data", "createTime", "version", "highlight"})


def shown(raw: Mapping[str, Any], returned_fields: Iterable[str] | None) -> OsduRecord:
    """Return what matters of a record, and what else was asked for by name."""
    data = raw.get("data")
    record = OsduRecord(
        id=raw.get("id"),
        kind=raw.get("kind"),
        data=data if isinstance(data, dict) else {},
        createTime=raw.get("createTime"),
    )
    if isinstance(raw.get("version"), int):
        record["version"] = raw["version"]
    if isinstance(raw.get("highlight"), dict):
        record["highlight"] = {field: _marked(parts) for field, parts in raw["highlight"].items()}
    asked = {field.partition(".")[0] for field in returned_fields or ()} - _SHOWN
    if more := {name: raw[name] for name in sorted(asked) if name in raw}:
        record["more"] = more
    return record


def buckets(raw: Any) -> list[Bucket]:
    """Return the values of an aggregation with their counts."""
    given = raw if isinstance(raw, list) else []
    return [
        Bucket(key=bucket.get("key"), count=bucket["count"])
        for bucket in given
        if isinstance(bucket, dict) and isinstance(bucket.get("count"), int)
    ]


def shorten(record: OsduRecord, room: Room) -> OsduRecord:
    """Cut what is text in a record."""
    short = OsduRecord(
        id=record["id"],
        kind=record["kind"],
        data=shorten_value(record["data"], room),
        createTime=record["createTime"],
    )
    if "version" in record:
        short["version"] = record["version"]
    if "highlight" in record:
        short["highlight"] = {
            field: [shorten_highlight(part, room.characters) for part in parts[: room.highlights]]
            for field, parts in list(record["highlight"].items())[: room.items]
        }
    if "more" in record:
        short["more"] = shorten_value(record["more"], room)
    return short


def _marked(parts: Any) -> list[str]:
    """Escape highlights but for the service's own marks."""
    given = parts if isinstance(parts, list) else [parts]
    return [
        escape(str(part), quote=False).replace("&lt;em&gt;", "<mark>").replace("&lt;/em&gt;", "</mark>")
        for part in given
    ]
