"""Limits the size of request bodies, by path and regardless of the headers."""

from collections.abc import Mapping

from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.http.failures import failure_response
from indexer.errors import Invalid


class BodyLimit:
    """Responds 413 if `Content-Length` exceeds the limit, or as soon as more than the limit was received."""

    def __init__(self, app: ASGIApp, limit: int, exceptions: Mapping[str, int] | None = None) -> None:
        self.app = app
        self.limit = limit
        self.exceptions = dict(exceptions or {})

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        limit = self.exceptions.get(scope["path"], self.limit)
        content_length = Headers(scope=scope).get("content-length", "")
        if content_length.isdecimal() and int(content_length) > limit:
            await _refuse(limit, scope, receive, send)
            return
        size = 0
        refused = started = False

        async def receive_counted() -> Message:
            nonlocal size, refused
            if refused:
                return {"type": "http.disconnect"}
            message = await receive()
            size += len(message.get("body", b""))
            if size > limit and not started:
                refused = True
                await _refuse(limit, scope, receive, send)
                return {"type": "http.disconnect"}
            return message

        async def send_unless_refused(message: Message) -> None:
            nonlocal started
            if not refused:
                started = True
                await send(message)

        try:
            await self.app(scope, receive_counted, send_unless_refused)
        except ClientDisconnect:
            # After a 413 the application is told that the client has disconnected.
            if not refused:
                raise


async def _refuse(limit: int, scope: Scope, receive: Receive, send: Send) -> None:
    failure = Invalid(
        f"The body is bigger than {limit / 1_000_000:g} MB",
        action="Send less at a time, for example fewer documents in a call",
        details={"limit_bytes": limit},
    )
    response = failure_response(failure, status=413)
    # The rest of the body is not read, so the connection cannot be reused.
    response.headers["connection"] = "close"
    await response(scope, receive, send)
