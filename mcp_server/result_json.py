"""Results as JSON: compact, and valid UTF-8 even if the caller sent unpaired surrogates."""

import json
from collections.abc import Mapping
from typing import Any

import orjson


def compact_json(value: Any) -> str:
    """Serialise a value; integers of more than 64 bits, which orjson rejects, are allowed."""
    try:
        return orjson.dumps(value).decode()
    except TypeError:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def well_formed(result: Mapping[str, object]) -> dict[str, Any]:
    """Return the result, with unpaired surrogates replaced by U+FFFD."""
    try:
        orjson.dumps(result)
    except TypeError:
        return {str(_replace_surrogates(key)): _replace_surrogates(value) for key, value in result.items()}
    return dict(result)


def _replace_surrogates(value: Any) -> Any:
    match value:
        case str():
            return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        case list():
            return [_replace_surrogates(item) for item in value]
        case dict():
            return {_replace_surrogates(key): _replace_surrogates(item) for key, item in value.items()}
        case _:
            return value
