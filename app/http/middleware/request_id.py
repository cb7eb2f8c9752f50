"""Gives each request a reference: a response header carries it, and so do internal errors and their log entries."""

import secrets

from starlette.types import ASGIApp, Message, Receive, Scope, Send


class RequestId:
    """Puts `reference` into the scope and `X-Request-Id` into the response."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        reference = secrets.token_hex(8)
        scope["reference"] = reference
        header = (b"x-request-id", reference.encode())

        async def send_with_header(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", ()), header]
            await send(message)

        await self.app(scope, receive, send_with_header)
