"""The sandbox's OSDU server for tests: it keeps what it was asked, and can be broken."""

import asyncio
import json
from collections import deque
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from aiohttp import web
from aiohttp.typedefs import Handler

from app.sandbox.engine.memory import MemoryEngine
from app.sandbox.engine.port import Body, SearchEngine
from app.sandbox.http import serving
from app.sandbox.osdu import server as sandbox
from app.sandbox.osdu.records import index_of
from app.sandbox.sockets import address_of, listen
from tests.upstreams.faults import Fault, broken
from tests.upstreams.osdu_records import OWNERS, PARTITION, VIEWERS

TOKEN = "static-token"
CLIENT = {"client_id": "trawl", "client_secret": "s3cret&=+", "scope": "osdu/.default"}


@dataclass(frozen=True, slots=True)
class User(sandbox.User):
    email: str = "trawl@example.com"
    groups: tuple[str, ...] = ("users.datalake.viewers", VIEWERS, OWNERS)


@dataclass(frozen=True, slots=True)
class Request:
    path: str
    headers: dict[str, str]
    body: Any


class NoEngine:
    """For servers that answer every question alike."""

    async def search(self, indices: Sequence[str], body: Body) -> Body:
        raise AssertionError(f"nobody should search {indices}: {body}")


class OsduServer(sandbox.OsduServer):
    """Keeps all that it was asked; its clock can be put forward, its users and tokens changed."""

    def __init__(self, engine: SearchEngine | None = None) -> None:
        super().__init__(engine or NoEngine(), PARTITION, {TOKEN: User()})
        self.url = ""
        self.expiries: dict[str, float] = {}
        self.faults: deque[Fault] = deque()
        self.always: Fault | None = None
        self.requests: list[Request] = []
        self.issued = 0
        self.announced_seconds = 3_600
        """How long its tokens live, as it says; they work for an hour."""
        self.skipped_seconds = 0.0
        self.barrier: asyncio.Event | None = None
        """Answers wait for it."""
        self.delay = 0.0
        """How long a search takes, for benchmarks."""
        self.answer: bytes | None = None
        """Given to every question, where no engine is there."""
        self._released = asyncio.Event()

    def now(self) -> float:
        return super().now() + self.skipped_seconds

    def user_of(self, token: str) -> sandbox.User | None:
        return super().user_of(token) if self.expiries.get(token, float("inf")) > self.now() else None

    def bodies(self, path: str) -> list[Any]:
        return [request.body for request in self.requests if request.path.endswith(f"/{path}")]

    @asynccontextmanager
    async def running(self, port: int = 0) -> AsyncIterator["OsduServer"]:
        application = self.application([self._watched])
        application.router.add_post("/oauth/token", self._token)
        with listen(port) as listener:
            self.url = address_of(listener)
            async with serving(application, listener):
                try:
                    yield self
                finally:
                    self._released.set()

    @web.middleware
    async def _watched(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        if request.path.endswith("/token"):
            return await handler(request)
        raw = await request.read()
        headers = {name.lower(): value for name, value in request.headers.items()}
        self.requests.append(Request(request.path, headers, json.loads(raw) if raw else None))
        fault = self.faults.popleft() if self.faults else self.always
        if fault is not None:
            return await broken(request, fault, self._released)
        if self.barrier is not None:
            await self.barrier.wait()
        if self.delay:
            await asyncio.sleep(self.delay)
        if self.answer is not None:
            return web.Response(body=self.answer, content_type="application/json")
        return await handler(request)

    async def _token(self, request: web.Request) -> web.StreamResponse:
        form = dict(await request.post())
        self.requests.append(Request(request.path, {}, form))
        if form != {"grant_type": "client_credentials", **CLIENT}:
            return web.json_response({"error": "invalid_client"}, status=401)
        self.issued += 1
        token = f"issued-{self.issued}"
        self.users[token] = User()
        self.expiries[token] = self.now() + 3_600
        return web.json_response({"access_token": token, "token_type": "Bearer", "expires_in": self.announced_seconds})


@asynccontextmanager
async def osdu_server(engine: SearchEngine) -> AsyncIterator[OsduServer]:
    """Run a server on an engine that holds records."""
    async with OsduServer(engine).running() as server:
        yield server


def in_memory(records: Iterable[dict[str, Any]]) -> SearchEngine:
    """Hold records in the sandbox's own engine."""
    return MemoryEngine([index_of(records)])
