"""Results as JSON: compact for texts that a model reads, and well-formed whatever callers sent."""

import json
from collections.abc import Mapping
from typing import Any

import orjson


def compact_json(value: Any) -> str:
    """Write a value; whole numbers of more than 64 bits are JSON too."""
    try:
        return orjson.dumps(value).decode()
    except TypeError:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def well_formed(result: Mapping[str, object]) -> dict[str, Any]:
    """Return the result as it is, or a copy with U+FFFD where it holds half a surrogate pair."""
    try:
        orjson.dumps(result)
    except TypeError:
        return {str(_replaced(key)): _replaced(value) for key, value in result.items()}
    return dict(result)


def _replaced(value: Any) -> Any:
    match value:
        case str():
            return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        case list():
            return [_replaced(item) for item in value]
        case dict():
            return {_replaced(key): _replaced(item) for key, item in value.items()}
        case _:
            return value
