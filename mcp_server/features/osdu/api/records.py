"""Renders raw OSDU records as compact results."""

from collections.abc import Iterable, Mapping
from html import escape
from typing import Any, Final

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


def _render_highlights(parts: Any) -> list[str]:
    """Escape highlights as HTML, and replace the service's <em> by <mark>."""
    items = parts if isinstance(parts, list) else [parts]
    return [
        escape(str(part), quote=False).replace("&lt;em&gt;", "<mark>").replace("&lt;/em&gt;", "</mark>")
        for part in items
    ]
