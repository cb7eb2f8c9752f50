"""Cancels the work of a request when its client closes the connection."""

import asyncio

from starlette.types import ASGIApp, Message, Receive, Scope, Send


class CancelOnDisconnect:
    """Cancels the application if the client disconnects between its whole request and the whole response.

    While the application reads the body, it notices a disconnect itself. What runs in a thread runs to its end there.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        exchange = _Exchange(receive, send)
        watcher = asyncio.create_task(exchange.cancel_on_disconnect())
        try:
            await self.app(scope, exchange.receive, exchange.send)
        except asyncio.CancelledError:
            # A cancellation by anybody else, for example at shutdown, goes on.
            if not exchange.is_cancelled or exchange.work.uncancel() > 0:
                raise
        finally:
            watcher.cancel()


class _Exchange:
    """One request and its response, and the task that works on it."""

    def __init__(self, receive: Receive, send: Send) -> None:
        work = asyncio.current_task()
        assert work is not None  # noqa: S101 - every coroutine here runs in a task
        self.work = work
        self.is_cancelled = False
        self._receive = receive
        self._send = send
        self._is_read = asyncio.Event()
        self._is_disconnected = asyncio.Event()
        self._is_answered = False

    async def receive(self) -> Message:
        """Receive the request; after its end, only the watcher listens to the connection."""
        if self._is_read.is_set():
            await self._is_disconnected.wait()
            return {"type": "http.disconnect"}
        message = await self._receive()
        if message["type"] == "http.disconnect":
            self._is_disconnected.set()
        elif not message.get("more_body"):
            self._is_read.set()
        return message

    async def send(self, message: Message) -> None:
        # Servers report a disconnect after each complete response, too.
        self._is_answered = message["type"] == "http.response.body" and not message.get("more_body")
        await self._send(message)

    async def cancel_on_disconnect(self) -> None:
        await self._is_read.wait()
        while (await self._receive())["type"] != "http.disconnect":
            pass
        self._is_disconnected.set()
        if not self._is_answered:
            self.is_cancelled = True
            self.work.cancel()
