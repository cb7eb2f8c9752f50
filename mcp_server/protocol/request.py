"""An MCP request before the SDK sees it: its headers, and its body if that is short."""

from typing import Final

from starlette.types import Message, Receive, Scope

_MAX_PEEK_BYTES: Final = 64 * 1024
"""Longer bodies are not looked at: nearly all of them are documents to index."""


def trim_headers(scope: Scope) -> Scope:
    """Return a scope without the white space around header values: by RFC 9110 it is no part of them."""
    return {**scope, "headers": [(name, value.strip(b" \t")) for name, value in scope["headers"]]}


def header(scope: Scope, name: bytes) -> bytes:
    """Return the first value of a header, or nothing."""
    return next((value for key, value in scope["headers"] if key == name), b"")


async def peek_body(scope: Scope, receive: Receive, *, whole: bool = False) -> tuple[bytes, Receive]:
    """Return the body if it is short or wanted as a whole, or else nothing; and a `receive` that starts with it."""
    length = header(scope, b"content-length")
    if not whole and (not length.isdigit() or int(length) > _MAX_PEEK_BYTES):
        return b"", receive
    body = b""
    received: list[Message] = []
    while True:
        message = await receive()
        received.append(message)
        body += message.get("body", b"")
        if not message.get("more_body") or (len(body) > _MAX_PEEK_BYTES and not whole):
            break
    received.reverse()

    async def receive_again() -> Message:
        return received.pop() if received else await receive()

    return body, receive_again
