"""JSON responses: results are serialised once, without a second validation."""

from collections.abc import Mapping
from typing import Any

import orjson
from starlette.responses import Response

from mcp_server.result_json import compact_json, well_formed


def to_json(value: Mapping[str, Any]) -> bytes:
    """Serialise with orjson, or with the slower `json` where a number exceeds 64 bits or a surrogate is unpaired."""
    try:
        return orjson.dumps(value)
    except TypeError:
        return compact_json(well_formed(value)).encode()


def json_response(value: Mapping[str, Any], status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """Build a JSON response."""
    return Response(to_json(value), status_code=status, headers=headers, media_type="application/json")
