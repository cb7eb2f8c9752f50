"""JSON in as few characters as it can have, for texts that a model reads."""

import json
from typing import Any

import orjson


def compact_json(value: Any) -> str:
    """Write a value; whole numbers of more than 64 bits are JSON too."""
    try:
        return orjson.dumps(value).decode()
    except TypeError:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
