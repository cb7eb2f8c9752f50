"""Requests that are rejected before the SDK sees them, as JSON-RPC errors."""

import json
from typing import Any, Final

import orjson
from mcp.types import HEADER_MISMATCH, INVALID_REQUEST, PROTOCOL_VERSION_META_KEY
from mcp.types.version import HANDSHAKE_PROTOCOL_VERSIONS
from starlette.responses import Response
from starlette.types import Scope

from mcp_server.access.challenge import challenge
from mcp_server.access.scopes import InsufficientScope
from mcp_server.protocol.request import header
from mcp_server.services import Services

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


def insufficient_scope(services: Services, scope: Scope, error: InsufficientScope, body: bytes) -> Response:
    """Build the response with status 403 from which a client learns which scopes to ask for."""
    response = json_rpc_error(INVALID_REQUEST, f"{error.message}. {error.action}", body, status=403)
    response.headers["www-authenticate"] = challenge(services.public_url, scope["path"], error) or ""
    return response


def json_rpc_error(code: int, message: str, body: bytes, status: int = 400) -> Response:
    """Build the error response; it has the id of the request if that can be read."""
    identifier = _parsed(body).get("id")
    if not isinstance(identifier, str | int):
        identifier = None
    content = {"jsonrpc": "2.0", "id": identifier, "error": {"code": code, "message": message}}
    return Response(json.dumps(content), status_code=status, media_type="application/json")


def _parsed(body: bytes) -> dict[str, Any]:
    try:
        value = orjson.loads(body)
    except orjson.JSONDecodeError:
        return {}
    return value if isinstance(value, dict) else {}
