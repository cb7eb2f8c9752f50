"""A server that speaks OSDU search v2 strictly, over real HTTP, on a real OpenSearch."""

import asyncio
import time
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

import aiohttp
from aiohttp import web

from tests.upstreams.osdu_engine import Engine
from tests.upstreams.osdu_records import OWNERS, VIEWERS
from tests.upstreams.osdu_rules import Refused, bad, check_body

PARTITION = "opendes"
TOKEN = "static-token"
CLIENT = {"client_id": "trawl", "client_secret": "s3cret&=+", "scope": "osdu/.default"}
CURSOR_SECONDS = 60.0
MOST_CURSORS = 500


@dataclass(frozen=True, slots=True)
class User:
    email: str = "trawl@example.com"
    groups: tuple[str, ...] = ("users.datalake.viewers", VIEWERS, OWNERS)


@dataclass(frozen=True, slots=True)
class Fault:
    """What happens to a request instead of an answer."""

    status: int = 0
    body: Any = None
    headers: dict[str, str] = field(default_factory=dict)
    hang: bool = False
    hang_up: bool = False


@dataclass(slots=True)
class _Cursor:
    user: str
    scroll_id: str
    body: dict[str, Any]
    expires_at: float


@dataclass(frozen=True, slots=True)
class Request:
    path: str
    headers: dict[str, str]
    body: Any


class OsduServer:
    """Keeps all that it was asked; its clock can be put forward, its users and tokens changed."""

    def __init__(self, engine: Engine | None) -> None:
        self.url = ""
        self.users = {TOKEN: User()}
        self.expiries: dict[str, float] = {}
        self.faults: deque[Fault] = deque()
        self.always: Fault | None = None
        self.requests: list[Request] = []
        self.issued = 0
        self.announced_seconds = 3_600
        """How long its tokens live, as it says; they work for an hour."""
        self.skipped_seconds = 0.0
        self.cursors: dict[str, _Cursor] = {}
        self.barrier: asyncio.Event | None = None
        """Answers wait for it."""
        self.delay = 0.0
        """How long a search takes, for benchmarks."""
        self.answer: bytes | None = None
        """Given to every question, where no engine is there."""
        self._engine = engine
        self._released = asyncio.Event()

    def now(self) -> float:
        return time.monotonic() + self.skipped_seconds

    def bodies(self, path: str) -> list[Any]:
        return [request.body for request in self.requests if request.path.endswith(f"/{path}")]

    @asynccontextmanager
    async def running(self, port: int = 0) -> AsyncIterator["OsduServer"]:
        app = web.Application(client_max_size=100_000_000)
        app.router.add_post("/api/search/v2/query", self._query)
        app.router.add_post("/api/search/v2/query_with_cursor", self._query_with_cursor)
        app.router.add_post("/oauth/token", self._token)
        runner = web.AppRunner(app, shutdown_timeout=1)
        await runner.setup()
        try:
            site = web.TCPSite(runner, "127.0.0.1", port, backlog=1024)
            await site.start()
            self.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
            yield self
        finally:
            self._released.set()
            await runner.cleanup()

    async def _query(self, request: web.Request) -> web.StreamResponse:
        return await self._answered(request, with_cursor=False)

    async def _query_with_cursor(self, request: web.Request) -> web.StreamResponse:
        return await self._answered(request, with_cursor=True)

    async def _answered(self, request: web.Request, *, with_cursor: bool) -> web.StreamResponse:
        raw = await request.read()
        body = await request.json() if raw else None
        headers = {name.lower(): value for name, value in request.headers.items()}
        self.requests.append(Request(request.path, headers, body))
        fault = self.faults.popleft() if self.faults else self.always
        if fault is not None:
            return await self._broken(request, fault)
        if self.barrier is not None:
            await self.barrier.wait()
        if self.delay:
            await asyncio.sleep(self.delay)
        if self.answer is not None:
            return web.Response(body=self.answer, content_type="application/json")
        try:
            user = self._user(headers)
            check_body(body, with_cursor=with_cursor)
            answer = await (self._with_cursor(user, body) if with_cursor else self._page(user, body))
        except Refused as refused:
            return refused.response()
        return web.json_response(answer)

    async def _broken(self, request: web.Request, fault: Fault) -> web.StreamResponse:
        if fault.hang:
            await self._released.wait()
        if fault.hang or fault.hang_up:
            assert request.transport is not None
            request.transport.abort()
            return web.Response()
        if isinstance(fault.body, bytes):
            return web.Response(body=fault.body, status=fault.status, headers=fault.headers)
        return web.json_response(fault.body, status=fault.status, headers=fault.headers)

    def _user(self, headers: dict[str, str]) -> User:
        if headers.get("content-type", "").partition(";")[0] != "application/json":
            raise Refused(415, "Unsupported Media Type", "Content-Type must be application/json")
        if "data-partition-id" not in headers:
            raise bad("data-partition-id header is missing")
        token = headers.get("authorization", "").removeprefix("Bearer ")
        user = self.users.get(token)
        known = user is not None and self.expiries.get(token, float("inf")) > self.now()
        # A failed check of roles is a 401 as well.
        if not known or user is None or headers["data-partition-id"] != PARTITION or not _may_search(user):
            raise Refused(401, "Unauthorized", "The user is not authorized to perform this action")
        return user

    async def _page(self, user: User, body: dict[str, Any]) -> dict[str, Any]:
        assert self._engine is not None
        found = await self._engine.search(body, user.groups, scroll=False)
        buckets = found.get("aggregations", {}).get("by", {}).get("buckets", [])
        return {
            "results": _records(found),
            "aggregations": [{"key": bucket["key"], "count": bucket["doc_count"]} for bucket in buckets],
            "phraseSuggestions": [],
            "totalCount": found["hits"]["total"]["value"],
        }

    async def _with_cursor(self, user: User, body: dict[str, Any]) -> dict[str, Any]:
        assert self._engine is not None
        asked = {name: value for name, value in body.items() if name != "cursor"}
        if body.get("cursor"):
            cursor = self.cursors.get(body["cursor"])
            if cursor is None or cursor.expires_at < self.now():
                raise Refused(400, "Can't find the given cursor", "The given cursor is invalid or expired")
            if cursor.user != user.email:
                raise Refused(403, "cursor issuer doesn't match the cursor consumer", "cursor sharing is forbidden")
            if cursor.body != asked:
                raise bad("the request differs from the one that the cursor came from")
            found = await self._engine.scroll(cursor.scroll_id)
        else:
            active = [each for each in self.cursors.values() if each.expires_at >= self.now()]
            if len(active) >= MOST_CURSORS:
                raise Refused(429, "Too many requests", "Too many cursor requests, please re-try after some time.")
            found = await self._engine.search(asked, user.groups, scroll=True)
        records, total = _records(found), found["hits"]["total"]["value"]
        if not records:
            self.cursors.pop(body.get("cursor", ""), None)
            await self._engine.drop(found["_scroll_id"])
            return {"cursor": None, "results": [], "totalCount": total}
        name = body.get("cursor") or uuid4().hex.upper()
        self.cursors[name] = _Cursor(user.email, found["_scroll_id"], asked, self.now() + CURSOR_SECONDS)
        return {"cursor": name, "results": records, "totalCount": total}

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
async def osdu_server(opensearch_url: str, index: str) -> AsyncIterator[OsduServer]:
    """Run a server on the records of an index."""
    async with (
        aiohttp.ClientSession() as session,
        OsduServer(Engine(session, opensearch_url, index)).running() as server,
    ):
        yield server


def _may_search(user: User) -> bool:
    return any(group.startswith("users.datalake.") for group in user.groups)


def _records(found: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        hit["_source"] | ({"highlight": hit["highlight"]} if "highlight" in hit else {})
        for hit in found["hits"]["hits"]
    ]
