"""`python -m tests.bench.load`: a load generator with raw sockets, told what to do by lines of JSON.

A process of its own, and one that does as little as it can: an HTTP library would cost more than what it measures.
"""

import asyncio
import json
import sys
import time
from collections.abc import Iterator, Sequence
from itertools import cycle, islice
from typing import Any

import uvloop

Connection = tuple[asyncio.StreamReader, asyncio.StreamWriter]


async def main() -> None:
    """Obey until the input ends; each order is a name to remember requests by, or a turn to take with them."""
    loop = asyncio.get_running_loop()
    known: dict[str, tuple[int, list[bytes]]] = {}
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        order: dict[str, Any] = json.loads(line)
        if "requests" in order:
            known[order["name"]] = order["port"], [request.encode() for request in order["requests"]]
            continue
        port, requests = known[order["name"]]
        print(json.dumps(await take_turn(port, requests, order["callers"], order["searches"])), flush=True)


async def take_turn(port: int, requests: Sequence[bytes], callers: int, searches: int) -> dict[str, Any]:
    connections = [await asyncio.open_connection("127.0.0.1", port) for _ in range(callers)]
    waiting = islice(cycle(requests), searches)
    latencies: list[float] = []
    failed: list[str] = []
    started = time.perf_counter()
    await asyncio.gather(*(_caller(connection, waiting, latencies, failed) for connection in connections))
    seconds = time.perf_counter() - started
    for _, writer in connections:
        writer.close()
    return {"latencies": latencies, "seconds": seconds, "failed": failed[:1]}


async def _caller(connection: Connection, waiting: Iterator[bytes], latencies: list[float], failed: list[str]) -> None:
    reader, writer = connection
    for request in waiting:
        started = time.perf_counter()
        writer.write(request)
        head = await reader.readuntil(b"\r\n\r\n")
        body = await reader.readexactly(_length(head))
        latencies.append(time.perf_counter() - started)
        if not head.startswith(b"HTTP/1.1 200 ") or b'"isError":true' in body or b'"success":false' in body:
            failed.append((head + body).decode(errors="replace")[:2_000])


def _length(head: bytes) -> int:
    lowered = head.lower()
    start = lowered.index(b"content-length:") + len(b"content-length:")
    return int(lowered[start : lowered.index(b"\r\n", start)])


if __name__ == "__main__":
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(main())
