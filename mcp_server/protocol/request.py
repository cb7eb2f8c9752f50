"""An MCP request before the SDK sees it: its headers and its body."""

from starlette.requests import ClientDisconnect
from starlette.types import Message, Receive, Scope


def trim_headers(scope: Scope) -> Scope:
    """Return a scope without the white space around header values: by RFC 9110 it is no part of them."""
    return {**scope, "headers": [(name, value.strip(b" \t")) for name, value in scope["headers"]]}


def header(scope: Scope, name: bytes) -> bytes:
    """Return the first value of a header, or nothing."""
    return next((value for key, value in scope["headers"] if key == name), b"")


async def read_body(receive: Receive, limit: int) -> bytes:
    """Return the body; of one beyond the limit, what came until it was exceeded."""
    chunks: list[bytes] = []
    size = 0
    while size <= limit:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ClientDisconnect
        chunks.append(message.get("body", b""))
        size += len(chunks[-1])
        if not message.get("more_body"):
            break
    return b"".join(chunks)


def give_body(body: bytes, receive: Receive) -> Receive:
    """Return a `receive` that begins with a whole body."""
    given: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive_again() -> Message:
        return given.pop() if given else await receive()

    return receive_again
