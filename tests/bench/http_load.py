"""Contenders over real HTTP: requests that a process of its own sends to a service."""

import asyncio
import json
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import urlsplit

from tests.bench.rounds import Contender, Timed

ERAS = ("2026-07-28", "2025-11-25")
"""The two revisions of MCP that clients speak; the older one without its handshake, as stateless servers allow."""
_LONGEST_LINE = 10_000_000


class LoadGenerator:
    """A process that sends requests and takes the times."""

    def __init__(self, process: Process) -> None:
        self._process = process

    async def contender(self, name: str, requests: Sequence[str], url: str) -> Contender:
        """Make a contender that sends these requests in turn."""
        self._tell({"name": name, "port": urlsplit(url).port, "requests": list(requests)})

        async def turn(callers: int, searches: int) -> Timed:
            self._tell({"name": name, "callers": callers, "searches": searches})
            assert self._process.stdout is not None
            line = await self._process.stdout.readline()
            if not line:
                raise SystemExit(f"The load generator died at {name}")
            answer = json.loads(line)
            if answer["failed"]:
                raise SystemExit(f"{name} failed: {answer['failed'][0]}")
            return Timed.of(answer["latencies"], answer["seconds"])

        return turn

    def _tell(self, order: Mapping[str, Any]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(order).encode() + b"\n")


@asynccontextmanager
async def load_generator() -> AsyncIterator[LoadGenerator]:
    """Start a load generator and end it with the block."""
    command = (sys.executable, "-m", "tests.bench.load")
    process = await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=PIPE, limit=_LONGEST_LINE)
    try:
        yield LoadGenerator(process)
    finally:
        assert process.stdin is not None
        process.stdin.close()
        await process.wait()


def rest_request(url: str, index: str, query: str, token: str | None = None) -> str:
    """Return a search over REST."""
    return _post(f"{url}/api/v1/indices/{index}/search", {"query": query}, _authorization(token))


def mcp_request(url: str, era: str, tool: str, arguments: Mapping[str, Any], token: str | None = None) -> str:
    """Return a `tools/call`."""
    params: dict[str, Any] = {"name": tool, "arguments": arguments}
    headers = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": era}
    headers |= _authorization(token)
    if era == ERAS[0]:
        headers |= {"Mcp-Method": "tools/call", "Mcp-Name": tool}
        meta = {"protocolVersion": era, "clientCapabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}
        params["_meta"] = {f"io.modelcontextprotocol/{name}": value for name, value in meta.items()}
    return _post(f"{url}/mcp", {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}, headers)


def _authorization(token: str | None) -> dict[str, str]:
    return {} if token is None else {"Authorization": f"Bearer {token}"}


def _post(url: str, body: Mapping[str, Any], headers: Mapping[str, str]) -> str:
    content = json.dumps(body)
    address = urlsplit(url)
    lines = [
        f"POST {address.path} HTTP/1.1",
        f"Host: {address.netloc}",
        "Content-Type: application/json",
        f"Content-Length: {len(content)}",
        *(f"{name}: {value}" for name, value in headers.items()),
    ]
    return "\r\n".join([*lines, "", content])
