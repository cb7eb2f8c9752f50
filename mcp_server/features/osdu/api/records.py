"""Renders raw OSDU records as compact results, and shortens them to fit a page."""

from collections.abc import Iterable, Mapping
from html import escape
from typing import Any, Final

from indexer.text.truncate import SizeLimits, shorten_highlight, shorten_value
from mcp_server.features.osdu.results import Bucket, OsduRecord

_STANDARD_FIELDS: Final = frozenset({"id", "kind", "data", "createTime", "version", "highlight"})


def render_record(raw: Mapping[str, Any], returned_fields: Iterable[str] | None) -> OsduRecord:
    """Return the standard fields of a record, and the other fields that `returned_fields` names."""
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
        record["highlight"] = {field: _render_highlights(parts) for field, parts in raw["highlight"].items()}
    extra_fields = {field.partition(".")[0] for field in returned_fields or ()} - _STANDARD_FIELDS
    if more := {name: raw[name] for name in sorted(extra_fields) if name in raw}:
        record["more"] = more
    return record


def parse_buckets(raw: Any) -> list[Bucket]:
    """Return the values of an aggregation with their counts; malformed buckets are left out."""
    items = raw if isinstance(raw, list) else []
    return [
        Bucket(key=bucket.get("key"), count=bucket["count"])
        for bucket in items
        if isinstance(bucket, dict) and isinstance(bucket.get("count"), int)
    ]


def shorten_record(record: OsduRecord, limits: SizeLimits) -> OsduRecord:
    """Truncate the text in a record; its id stays whole."""
    short = OsduRecord(
        id=record["id"],
        kind=record["kind"],
        data=shorten_value(record["data"], limits),
        createTime=record["createTime"],
    )
    if "version" in record:
        short["version"] = record["version"]
    if "highlight" in record:
        short["highlight"] = {
            field: [shorten_highlight(part, limits.characters) for part in parts[: limits.highlights]]
            for field, parts in list(record["highlight"].items())[: limits.items]
        }
    if "more" in record:
        short["more"] = shorten_value(record["more"], limits)
    return short


def _render_highlights(parts: Any) -> list[str]:
    """Escape highlights as HTML, and replace the service's <em> by <mark>."""
    items = parts if isinstance(parts, list) else [parts]
    return [
        escape(str(part), quote=False).replace("&lt;em&gt;", "<mark>").replace("&lt;/em&gt;", "</mark>")
        for part in items
    ]
