"""A session for the tools that ask their caller before revision 2026-07-28.

The service asks its callers nothing, so it needs no sessions and has none. For these tools alone, calls and the
callers' answers go to a session of the SDK, on the same server and at the same address.
"""

import json
from typing import Any, Final

import httpx
from mcp.server.lowlevel import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.principals import ANONYMOUS
from mcp_server.principal import put_principal
from tests.clients.conformance.client_requests import ASKING

_HEADER: Final = "mcp-session-id"
_REVISION: Final = "2025-11-25"


class AskingSession:
    """Middleware that sends calls of the asking tools, and answers to them, into one session."""

    def __init__(self, app: ASGIApp, server: Server[Any]) -> None:
        self._app = app
        self._sessions = StreamableHTTPSessionManager(server)
        self._id = b""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            async with self._sessions.run():
                self._id = await self._open()
                await self._app(scope, receive, send)
            return
        body = await _read(receive) if scope["type"] == "http" and scope["method"] == "POST" else b""
        if body and _is_meant(body):
            headers = [*scope["headers"], (_HEADER.encode(), self._id)]
            await self._handle({**scope, "headers": headers}, _replay(body, receive), send)
        else:
            await self._app(scope, _replay(body, receive) if body else receive, send)

    async def _handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        # The middleware that authenticates stands behind this one.
        put_principal(scope, ANONYMOUS)
        await self._sessions.handle_request(scope, receive, send)

    async def _open(self) -> bytes:
        params = {
            "protocolVersion": _REVISION,
            "capabilities": {"sampling": {}, "elicitation": {}},
            "clientInfo": {"name": "session", "version": "1"},
        }
        headers = {"accept": "application/json, text/event-stream"}
        transport = httpx.ASGITransport(self._handle)
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1", headers=headers) as http:
            opening = {"jsonrpc": "2.0", "id": "open", "method": "initialize", "params": params}
            opened = (await http.post("/mcp", json=opening)).headers[_HEADER]
            ready = {"jsonrpc": "2.0", "method": "notifications/initialized"}
            answer = await http.post("/mcp", json=ready, headers={_HEADER: opened, "mcp-protocol-version": _REVISION})
            assert answer.is_success, answer.text
        return opened.encode()


async def _read(receive: Receive) -> bytes:
    body, more = b"", True
    while more:
        message = await receive()
        body += message.get("body", b"")
        more = message.get("more_body", False)
    return body


def _is_meant(body: bytes) -> bool:
    """Say whether the body is a call of an asking tool, or an answer to a request of the server."""
    try:
        message = json.loads(body)
    except ValueError:
        return False
    if not isinstance(message, dict):
        return False
    is_answer = "method" not in message and ("result" in message or "error" in message)
    return is_answer or (message.get("method") == "tools/call" and message.get("params", {}).get("name") in ASKING)


def _replay(body: bytes, receive: Receive) -> Receive:
    """Give the body once more, then what follows it."""
    read: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive_again() -> Message:
        return read.pop() if read else await receive()

    return receive_again
