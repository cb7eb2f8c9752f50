"""Results as JSON responses: serialised once, as they are, without a second validation."""

from collections.abc import Mapping
from typing import Any

import orjson
from starlette.responses import Response

from mcp_server.result_json import compact_json, well_formed


def to_json(value: Mapping[str, Any]) -> bytes:
    """Serialise; what orjson refuses, a number beyond 64 bits or half a surrogate pair, goes the slower way."""
    try:
        return orjson.dumps(value)
    except TypeError:
        return compact_json(well_formed(value)).encode()


def answer(value: Mapping[str, Any], status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """Answer with this value as it is."""
    return Response(to_json(value), status_code=status, headers=headers, media_type="application/json")
