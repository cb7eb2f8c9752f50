"""Requests that are rejected before the SDK sees them, as JSON-RPC errors with status 400."""

import json
from typing import Any, Final

import orjson
from mcp.types import HEADER_MISMATCH, PROTOCOL_VERSION_META_KEY
from mcp.types.version import HANDSHAKE_PROTOCOL_VERSIONS
from starlette.responses import Response
from starlette.types import Scope

from mcp_server.protocol.request import header

_MARKER: Final = f'"{PROTOCOL_VERSION_META_KEY}"'.encode()


def header_mismatch(scope: Scope, body: bytes) -> Response | None:
    """Reject a request whose body names a protocol version without a handshake, if its header does not.

    The SDK decides by the header alone, and would answer such a request by the rules of an older version.
    """
    version = header(scope, b"mcp-protocol-version").decode("latin-1")
    if (version and version not in HANDSHAKE_PROTOCOL_VERSIONS) or _MARKER not in body:
        return None
    params = _parsed(body).get("params")
    meta = params.get("_meta") if isinstance(params, dict) else None
    if not isinstance(meta, dict) or PROTOCOL_VERSION_META_KEY not in meta:
        return None
    message = "MCP-Protocol-Version header does not match the protocol version in params._meta"
    return json_rpc_error(HEADER_MISMATCH, message, body)


def json_rpc_error(code: int, message: str, body: bytes) -> Response:
    """Build the error response; it has the id of the request if that can be read."""
    identifier = _parsed(body).get("id")
    if not isinstance(identifier, str | int):
        identifier = None
    content = {"jsonrpc": "2.0", "id": identifier, "error": {"code": code, "message": message}}
    return Response(json.dumps(content), status_code=400, media_type="application/json")


def _parsed(body: bytes) -> dict[str, Any]:
    try:
        value = orjson.loads(body)
    except orjson.JSONDecodeError:
        return {}
    return value if isinstance(value, dict) else {}
