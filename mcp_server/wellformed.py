"""Results as JSON can carry them: half a surrogate pair, which JSON text lets in, cannot leave as UTF-8."""

from collections.abc import Mapping
from typing import Any

import orjson


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
