"""Each request gets a reference: answered in a header, named in failures that are bugs, and found in the log."""

import secrets

from starlette.types import ASGIApp, Message, Receive, Scope, Send


class RequestId:
    """Puts `reference` into the scope and `X-Request-Id` into the answer."""

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
