"""What a disconnect cancels, and what it does not."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from starlette.types import Message, Receive, Scope, Send

from app.http.middleware.disconnect import CancelOnDisconnect

SCOPE: Scope = {"type": "http"}
START: Message = {"type": "http.response.start", "status": 200, "headers": []}
BODY: Message = {"type": "http.response.body", "body": b"x"}
REQUEST: Message = {"type": "http.request", "body": b"x"}
GONE: Message = {"type": "http.disconnect"}


class Connection:
    """What a server passes on: the messages that a test puts in."""

    def __init__(self, *messages: Message) -> None:
        self.incoming: asyncio.Queue[Message] = asyncio.Queue()
        self.outgoing: list[Message] = []
        for message in messages:
            self.incoming.put_nowait(message)

    async def receive(self) -> Message:
        return await self.incoming.get()

    async def send(self, message: Message) -> None:
        self.outgoing.append(message)
        if message is BODY:
            self.incoming.put_nowait(GONE)

    def run(self, app: Callable[[Scope, Receive, Send], Awaitable[None]]) -> Awaitable[None]:
        return CancelOnDisconnect(app)(SCOPE, self.receive, self.send)


async def test_a_disconnect_while_the_application_works_cancels_it_quietly() -> None:
    async def work(_: Scope, receive: Receive, _send: Send) -> None:
        await receive()
        await asyncio.sleep(600)

    await Connection(REQUEST, GONE).run(work)


async def test_work_after_the_response_goes_on_though_servers_report_a_disconnect_then() -> None:
    finished = False

    async def work(_: Scope, receive: Receive, send: Send) -> None:
        nonlocal finished
        await receive()
        await send(START)
        await send(BODY)
        for _ in range(10):
            await asyncio.sleep(0)
        finished = True

    await Connection(REQUEST).run(work)
    assert finished


async def test_an_application_that_reads_notices_a_disconnect_itself() -> None:
    seen: list[str] = []

    async def read(_: Scope, receive: Receive, _send: Send) -> None:
        seen.extend([(await receive())["type"], (await receive())["type"]])

    await Connection({**REQUEST, "more_body": True}, GONE).run(read)
    assert seen == ["http.request", "http.disconnect"]


async def test_a_cancellation_from_outside_is_not_taken_for_a_disconnect() -> None:
    started = asyncio.Event()

    async def work(_: Scope, receive: Receive, _send: Send) -> None:
        await receive()
        started.set()
        await asyncio.sleep(600)

    running = asyncio.ensure_future(Connection(REQUEST).run(work))
    await started.wait()
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running


async def test_a_failure_of_the_application_is_raised_as_it_is() -> None:
    async def fail(_: Scope, _receive: Receive, _send: Send) -> None:
        raise KeyError("reason")

    with pytest.raises(KeyError):
        await Connection(REQUEST).run(fail)
