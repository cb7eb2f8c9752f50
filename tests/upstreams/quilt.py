"""The sandbox's Quilt catalog for tests: it keeps what it was asked, and can be broken."""

import asyncio
import json
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Literal

from aiohttp import web
from aiohttp.typedefs import Handler

from app.sandbox.engine.memory import MemoryEngine
from app.sandbox.engine.port import SearchEngine
from app.sandbox.http import serving
from app.sandbox.quilt import server as sandbox
from app.sandbox.quilt.contents import QuiltContents
from app.sandbox.quilt.graphql import INTROSPECTION, Root
from app.sandbox.quilt.indices import indices_of
from app.sandbox.sockets import address_of, listen
from tests.upstreams.faults import Fault, broken

API_KEY = "qk_made_up_key"
REFRESH_TOKEN = "refresh-0"
Kind = Literal["config", "token", "introspection", "graphql", "search"]


@dataclass(frozen=True, slots=True)
class Request:
    kind: Kind
    method: str
    path: str
    headers: dict[str, str]
    body: Any


@dataclass(frozen=True, slots=True)
class Catalogue:
    """Contents, and an engine that holds them."""

    engine: SearchEngine
    contents: QuiltContents


class FailingRoot(Root):
    operation_error: str | None = None
    """The name of a failure that every search ends with."""

    async def first(self, kind: str, arguments: dict[str, Any]) -> dict[str, Any]:
        if self.operation_error is not None:
            return {"__typename": "OperationError", "name": self.operation_error, "message": "It did not work"}
        return await super().first(kind, arguments)


class QuiltServer(sandbox.QuiltServer):
    """Keeps all that it was asked."""

    def __init__(self, catalogue: Catalogue, **changes: Any) -> None:
        super().__init__(catalogue.engine, catalogue.contents, api_key=API_KEY, **changes)
        self.root = FailingRoot(catalogue.engine, lambda: self.buckets, lambda: set(self.buckets) - self.denied)
        self.refresh_tokens = {REFRESH_TOKEN}
        self.skipped_seconds = 0.0
        self.requests: list[Request] = []
        self.faults: dict[Kind, deque[Fault]] = {}
        self.always: dict[Kind, Fault] = {}
        self.barrier: asyncio.Event | None = None
        """Searches wait for it."""
        self._released = asyncio.Event()

    def now(self) -> float:
        return super().now() + self.skipped_seconds

    def kinds(self, *kinds: Kind) -> list[Request]:
        """Return what came in of these kinds."""
        return [request for request in self.requests if request.kind in kinds]

    @asynccontextmanager
    async def running(self) -> AsyncIterator["QuiltServer"]:
        with listen() as listener:
            self.url = address_of(listener)
            async with serving(self.application([self._watched]), listener):
                try:
                    yield self
                finally:
                    self._released.set()

    @web.middleware
    async def _watched(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        kind, body = await self._asked(request)
        headers = {name.lower(): value for name, value in request.headers.items()}
        self.requests.append(Request(kind, request.method, request.path, headers, body))
        waiting = self.faults.get(kind)
        fault = waiting.popleft() if waiting else self.always.get(kind)
        if fault is not None:
            return await broken(request, fault, self._released)
        if self.barrier is not None and kind in {"graphql", "search"}:
            await self.barrier.wait()
        return await handler(request)

    async def _asked(self, request: web.Request) -> tuple[Kind, Any]:
        match request.path.rpartition("/")[2]:
            case "config.json":
                return "config", None
            case "token":
                return "token", dict(await request.post())
            case "graphql" if self.generation is None:
                return "graphql", None
            case "graphql":
                body = json.loads(await request.text())
                return "introspection" if INTROSPECTION.search(str(body.get("query"))) else "graphql", body
            case _:
                return "search", dict(request.query)


@asynccontextmanager
async def quilt_server(catalogue: Catalogue, **changes: Any) -> AsyncIterator[QuiltServer]:
    """Run a catalog with these contents."""
    async with QuiltServer(catalogue, **changes).running() as server:
        yield server


def in_memory(contents: QuiltContents) -> Catalogue:
    """Hold contents in the sandbox's own engine."""
    return Catalogue(MemoryEngine(indices_of(contents)), contents)
