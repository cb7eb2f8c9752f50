"""Requests of the protocol's revision without a handshake, as they go over the wire."""

from typing import Any

import httpx

VERSION = "2026-07-28"
NAMED_BY = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}


def modern_request(method: str, params: dict[str, Any] | None = None) -> tuple[dict[str, str], dict[str, Any]]:
    """Return the headers and the body of a correct request; a test may then spoil them."""
    params = params or {}
    headers = {"accept": "application/json, text/event-stream", "mcp-protocol-version": VERSION, "mcp-method": method}
    if method in NAMED_BY:
        headers["mcp-name"] = str(params[NAMED_BY[method]])
    meta = {"protocolVersion": VERSION, "clientCapabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    named = {f"io.modelcontextprotocol/{name}": value for name, value in meta.items()}
    return headers, {"jsonrpc": "2.0", "id": 7, "method": method, "params": {**params, "_meta": named}}


async def ask_modern(
    client: httpx.AsyncClient, method: str, params: dict[str, Any] | None = None, path: str = "/mcp"
) -> httpx.Response:
    """Send a correct request."""
    headers, body = modern_request(method, params)
    return await client.post(path, json=body, headers=headers)
