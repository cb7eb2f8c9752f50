"""Builds hits for packages and objects, the same from both backends."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final
from urllib.parse import quote, urlencode

import orjson

from indexer.text.clean import clean, clean_text
from indexer.text.truncate import SizeLimits, shorten_text, shorten_value
from mcp_server.features.quilt.arguments import Order
from mcp_server.features.quilt.results import CatalogHit

_MAX_TIMESTAMP: Final = datetime.max.replace(tzinfo=UTC).timestamp()
_UNVERSIONED: Final = frozenset({"", "null", "None"})


def object_hit(
    *,
    id: Any,  # noqa: A002 - the field's name
    score: Any,
    bucket: str,
    key: str,
    version: Any,
    size: Any,
    modified: Any,
    metadata: Any = None,
) -> CatalogHit:
    """Build the hit for an object of a bucket."""
    return CatalogHit(
        type="object",
        id=clean_text(str(id)),
        bucket=bucket,
        name=clean_text(key),
        title=clean_text(key.rstrip("/").rpartition("/")[2]),
        score=_number(score),
        size=_integer(size),
        modified=_timestamp(modified),
        metadata=_metadata(metadata),
        s3_uri=object_uri(bucket, key, None if version is None else str(version)),
    )


def package_hit(
    *,
    id: Any,  # noqa: A002 - the field's name
    score: Any,
    bucket: str,
    name: str,
    hash: Any,  # noqa: A002 - the field's name
    size: Any,
    modified: Any,
    metadata: Any,
    comment: Any,
) -> CatalogHit:
    """Build the hit for a package."""
    revision = f"@{hash}" if isinstance(hash, str) and hash else ""
    hit = CatalogHit(
        type="package",
        id=clean_text(str(id)),
        bucket=bucket,
        name=clean_text(name),
        title=clean_text(name),
        score=_number(score),
        size=_integer(size),
        modified=_timestamp(modified),
        metadata=_metadata(metadata),
        s3_uri=f"quilt+s3://{bucket}#package={quote(name)}{revision}",
    )
    if isinstance(comment, str) and comment.strip():
        hit["comment"] = clean_text(comment)
    return hit


def object_uri(bucket: str, key: str, version: str | None = None) -> str:
    """Return an object's URI, percent-encoded as Quilt does it."""
    query = "" if version is None or version in _UNVERSIONED else "?" + urlencode({"versionId": version})
    return f"s3://{bucket}/{quote(key)}{query}"


def shorten_hit(hit: CatalogHit, limits: SizeLimits) -> CatalogHit:
    """Truncate the metadata and comment of a hit; its identifying fields stay whole."""
    short = CatalogHit(**{**hit, "metadata": shorten_value(hit["metadata"], limits)})
    if "comment" in short and not limits.highlights:
        del short["comment"]
    elif "comment" in short:
        short["comment"] = shorten_text(short["comment"], limits.characters)
    return short


def sort_key(hit: CatalogHit, order: Order) -> Any:
    """Return the key by which hits of several kinds are sorted together, in ascending order."""
    if order == "name":
        return hit["name"]
    if order == "best":
        return -(hit["score"] or 0.0)
    if hit["modified"] is None:
        return _MAX_TIMESTAMP
    seconds = datetime.fromisoformat(hit["modified"]).timestamp()
    return -seconds if order == "newest" else seconds


def first_text(source: Mapping[str, Any], *names: str) -> str | None:
    """Return the first of these fields that is a non-empty string."""
    return next((value for name in names if isinstance(value := source.get(name), str) and value), None)


def _number(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def _integer(value: Any) -> int | None:
    number = _number(value)
    return None if number is None else int(number)


def _timestamp(value: Any) -> str | None:
    """Return a timestamp as ISO 8601 in UTC; None where it cannot be parsed."""
    if not isinstance(value, str):
        return None
    try:
        parsed = datetime.fromisoformat(value)
    except ValueError:
        return None
    utc = parsed.astimezone(UTC) if parsed.tzinfo else parsed.replace(tzinfo=UTC)
    return utc.isoformat().removesuffix("+00:00") + "Z"


def _metadata(value: Any) -> dict[str, Any]:
    """Return user metadata, which the catalog sends as an object or as a JSON string."""
    if isinstance(value, str) and value.strip():
        try:
            value = orjson.loads(value)
        except orjson.JSONDecodeError:
            return {}
    return clean(value) if isinstance(value, dict) else {}
