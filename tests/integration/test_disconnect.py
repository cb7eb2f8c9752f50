"""A client that closes its connection ends the work that it asked for."""

import asyncio
import json
import socket
from collections.abc import Iterator, Mapping
from pathlib import Path
from threading import Event
from typing import Any
from urllib.parse import urlsplit

import pytest

from indexer.arguments import Arguments
from indexer.tenancy import Principal
from mcp_server.effect import READ
from mcp_server.feature import Feature
from mcp_server.operation import Group, Operation
from mcp_server.route import Route
from mcp_server.services import Services
from tests.modern import modern_request
from tests.operations import MCP
from tests.service import created_app, on_socket

PATIENCE = 30.0


class Wait(Arguments):
    """How long to wait; a call that asks for progress and waits gets a stream of events."""

    wait_seconds: float = 60


class Slow:
    """An operation that waits, and says what happens to it."""

    def __init__(self, *, progress: bool) -> None:
        self.started, self.cancelled, self.finished = Event(), Event(), Event()
        self.feature = Feature(
            (
                Operation(
                    name="wait",
                    title="Wait",
                    description="Wait",
                    group=Group("waiting", "", reads="search", changes="write"),
                    effect=READ,
                    arguments=Wait,
                    result=dict[str, Any],
                    handler=self._wait,
                    route=Route("POST", "/api/v1/wait"),
                    text=str,
                    progress=progress,
                ),
            )
        )

    async def _wait(self, _: Services, _principal: Principal, arguments: Wait) -> Mapping[str, Any]:
        self.started.set()
        try:
            await asyncio.sleep(arguments.wait_seconds)
        except asyncio.CancelledError:
            self.cancelled.set()
            raise
        self.finished.set()
        return {"success": True}


@pytest.fixture(params=[False, True], ids=["plain", "stream"])
def slow(request: pytest.FixtureRequest) -> Slow:
    return Slow(progress=request.param)


@pytest.fixture
def address(tmp_path: Path, slow: Slow) -> Iterator[str]:
    with on_socket(created_app(tmp_path, features=(slow.feature,))) as url:
        yield url


def sent(url: str, path: str, headers: Mapping[str, str], body: Mapping[str, Any]) -> socket.socket:
    """Send a request, and return the connection on which its response will come."""
    parts = urlsplit(url)
    content = json.dumps(body).encode()
    lines = {"host": parts.netloc, "content-type": "application/json", "content-length": len(content), **headers}
    head = f"POST {path} HTTP/1.1\r\n" + "".join(f"{name}: {value}\r\n" for name, value in lines.items())
    connection = socket.create_connection((parts.hostname or "", parts.port or 0))
    connection.sendall(f"{head}\r\n".encode() + content)
    return connection


def asked(url: str, way: str, seconds: float) -> socket.socket:
    call = {"name": "wait", "arguments": {"wait_seconds": seconds}}
    match way:
        case "rest":
            return sent(url, "/api/v1/wait", {}, call["arguments"])
        case "modern":
            headers, body = modern_request("tools/call", call)
        case _:
            headers, body = MCP, {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
    body["params"].setdefault("_meta", {})["progressToken"] = "p"
    return sent(url, "/mcp", headers, body)


@pytest.mark.parametrize("way", ["older", "modern", "rest"])
def test_a_closed_connection_cancels_the_work(address: str, slow: Slow, way: str) -> None:
    connection = asked(address, way, 600)
    assert slow.started.wait(PATIENCE)
    connection.close()
    assert slow.cancelled.wait(PATIENCE)
    assert not slow.finished.is_set()


@pytest.mark.parametrize("way", ["older", "modern", "rest"])
def test_an_open_connection_gets_its_answer(address: str, slow: Slow, way: str) -> None:
    with asked(address, way, 0.1) as connection, connection.makefile("rb") as answer:
        assert answer.readline() == b"HTTP/1.1 200 OK\r\n"
        while b'"success":true' not in (line := answer.readline()):
            assert line
    assert slow.finished.is_set()
    assert not slow.cancelled.is_set()
