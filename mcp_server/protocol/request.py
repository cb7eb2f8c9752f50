"""An MCP request before the SDK sees it: its headers and its body."""

from typing import Final

from starlette.types import Message, Receive, Scope

_END: Final[Message] = {"type": "http.disconnect"}


def trim_headers(scope: Scope) -> Scope:
    """Return a scope without the white space around header values: by RFC 9110 it is no part of them."""
    return {**scope, "headers": [(name, value.strip(b" \t")) for name, value in scope["headers"]]}


def header(scope: Scope, name: bytes) -> bytes:
    """Return the first value of a header, or nothing."""
    return next((value for key, value in scope["headers"] if key == name), b"")


async def read_body(receive: Receive, limit: int) -> tuple[bytes, Receive]:
    """Return the body, and a `receive` that gives it again; of a body beyond the limit, what came until then."""
    chunks: list[bytes] = []
    size = 0
    while size <= limit:
        message = await receive()
        if message["type"] != "http.request":
            return b"", _giving(_END, receive)
        chunks.append(message.get("body", b""))
        size += len(chunks[-1])
        if not message.get("more_body"):
            break
    body = b"".join(chunks)
    return body, _giving({"type": "http.request", "body": body, "more_body": size > limit}, receive)


def _giving(message: Message, receive: Receive) -> Receive:
    first = [message]

    async def receive_again() -> Message:
        return first.pop() if first else await receive()

    return receive_again
