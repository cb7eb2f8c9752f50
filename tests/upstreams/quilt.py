"""A Quilt catalog and its registry, over real HTTP: config, tokens, GraphQL and Elasticsearch, each strictly."""

import asyncio
import json
import re
import time
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Literal

import aiohttp
from aiohttp import web

from tests.upstreams.faults import Fault
from tests.upstreams.quilt_engine import BadQuery, Engine
from tests.upstreams.quilt_graphql import INTROSPECTION, Root, answered
from tests.upstreams.quilt_indices import Catalogue
from tests.upstreams.quilt_schema import Generation, schema

API_KEY = "qk_made_up_key"
REFRESH_TOKEN = "refresh-0"
Kind = Literal["config", "token", "introspection", "graphql", "search"]
_PASSED = {"size", "from", "filter_path", "_source"}
_PARAMETERS = {"index", "action", "query", "body", *_PASSED}
_ALIAS = re.compile(r"[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](_packages)?\Z")


@dataclass(frozen=True, slots=True)
class Request:
    kind: Kind
    method: str
    path: str
    headers: dict[str, str]
    body: Any


class Refused(Exception):
    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.message = message

    def response(self) -> web.Response:
        if self.status == 401:
            return web.Response(status=401, text="<html>Unauthorized</html>", content_type="text/html")
        return web.json_response({"message": self.message}, status=self.status)


class QuiltServer:
    """Keeps all that it was asked. What it is may be changed while it runs, as by an upgrade of its stack."""

    def __init__(self, engine: Engine | None, *, generation: Generation | None = 3, elasticsearch: bool = True) -> None:
        self.url = ""
        self.generation = generation
        """None: there is no GraphQL at all."""
        self.elasticsearch = elasticsearch
        self.packages_form: Literal["flat", "joined"] = "joined"
        self.mode = "PRODUCT"
        self.always_requires_auth = True
        self.registry_path = "/registry"
        self.refresh_tokens = {REFRESH_TOKEN}
        self.bearers: dict[str, float] = {API_KEY: float("inf")}
        """Access tokens and API keys, with the times at which they stop working."""
        self.announced_seconds = 3_600
        self.skipped_seconds = 0.0
        self.token_error_status = 200
        self.denied: set[str] = set()
        self.requests: list[Request] = []
        self.faults: dict[Kind, deque[Fault]] = {}
        self.always: dict[Kind, Fault] = {}
        self.barrier: asyncio.Event | None = None
        """Searches wait for it."""
        self._engine = engine
        self.buckets = list(engine.catalogue.contents.buckets) if engine else []
        self.root = Root(engine, lambda: self.buckets, lambda: set(self.buckets) - self.denied)
        self._released = asyncio.Event()

    def kinds(self, *kinds: Kind) -> list[Request]:
        """Return what came in of these kinds."""
        return [request for request in self.requests if request.kind in kinds]

    @asynccontextmanager
    async def running(self) -> AsyncIterator["QuiltServer"]:
        app = web.Application()
        app.router.add_get("/config.json", self._config)
        for path, method, answer in (
            ("/api/token", "POST", self._token),
            ("/graphql", "POST", self._graphql),
            ("/api/search", "GET", self._search),
        ):
            app.router.add_route(method, self.registry_path + path, answer)
        runner = web.AppRunner(app, shutdown_timeout=1)
        await runner.setup()
        try:
            await web.TCPSite(runner, "127.0.0.1", 0, backlog=1024).start()
            self.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
            yield self
        finally:
            self._released.set()
            await runner.cleanup()

    async def _config(self, request: web.Request) -> web.StreamResponse:
        config = {
            "registryUrl": self.url + self.registry_path,
            "mode": self.mode,
            "stackVersion": "1.66.0",
            "alwaysRequiresAuth": self.always_requires_auth,
            "region": "us-east-1",
            "apiGatewayEndpoint": f"{self.url}/gateway",
            "s3Proxy": f"{self.url}/proxy",
            "serviceBucket": "service",
        }
        return await self._faulty(request, "config", None) or web.json_response(config)

    async def _token(self, request: web.Request) -> web.StreamResponse:
        form = dict(await request.post())
        broken = await self._faulty(request, "token", form)
        if broken is not None:
            return broken
        if set(form) != {"refresh_token"}:
            return Refused(400, "refresh_token is missing").response()
        old = str(form["refresh_token"])
        if old not in self.refresh_tokens:
            return web.json_response({"error": "Invalid credentials"}, status=self.token_error_status)
        self.refresh_tokens.remove(old)
        count = len(self.kinds("token"))
        refresh, access = f"refresh-{count}", f"access-{count}"
        self.refresh_tokens.add(refresh)
        now = time.time() + self.skipped_seconds
        self.bearers[access] = now + 3_600
        announced = {"expires_at": int(now + self.announced_seconds)}
        return web.json_response({"refresh_token": refresh, "access_token": access, **announced})

    async def _graphql(self, request: web.Request) -> web.StreamResponse:
        if self.generation is None:
            return await self._faulty(request, "graphql", None) or Refused(404, "Not Found").response()
        body = await request.json()
        kind: Kind = "introspection" if INTROSPECTION.search(str(body.get("query"))) else "graphql"
        broken = await self._faulty(request, kind, body)
        if broken is not None:
            return broken
        try:
            self._authorized(request)
        except Refused as refused:
            return refused.response()
        if set(body) - {"query", "variables", "operationName"} or not isinstance(body.get("query"), str):
            return Refused(400, "Bad request").response()
        status, answer = await answered(schema(self.generation), self.root, body)
        return web.json_response(answer, status=status)

    async def _search(self, request: web.Request) -> web.StreamResponse:
        parameters = dict(request.query)
        broken = await self._faulty(request, "search", parameters)
        if broken is not None:
            return broken
        if not self.elasticsearch or self._engine is None:
            return Refused(404, "Not Found").response()
        try:
            self._authorized(request)
            aliases, body, passed = self._asked(parameters)
            found = await self._engine.freeform(aliases, self.packages_form, body, passed)
        except Refused as refused:
            return refused.response()
        except BadQuery as wrong:
            return Refused(wrong.status, f"RequestError({wrong.status}, {wrong})").response()
        return web.json_response(found)

    def _asked(self, parameters: dict[str, str]) -> tuple[list[str], dict[str, Any], dict[str, str]]:
        if set(parameters) - _PARAMETERS:
            raise Refused(400, "Unknown parameter")
        aliases = parameters.get("index", "").split(",")
        if not all(_ALIAS.match(alias) for alias in aliases):
            raise Refused(400, "Invalid index name")
        buckets = {alias.removesuffix("_packages") for alias in aliases}
        if buckets & self.denied:
            raise Refused(403, "Access denied")
        if buckets - set(self.buckets):
            raise Refused(404, "NotFoundError(404, 'index_not_found_exception', 'no such index')")
        passed = {name: value for name, value in parameters.items() if name in _PASSED}
        given = {name for name in ("query", "body") if name in parameters}
        if parameters.get("action") == "search" and given == {"query"}:
            return aliases, {"query": {"query_string": {"query": parameters["query"]}}}, passed
        if parameters.get("action") == "freeform" and given == {"body"}:
            return aliases, _body(parameters["body"]), passed
        raise Refused(400, "Invalid action")

    def _authorized(self, request: web.Request) -> None:
        given = request.headers.get("authorization")
        if given is None and self.mode == "OPEN" and not self.always_requires_auth:
            return
        expires_at = self.bearers.get((given or "").removeprefix("Bearer "), 0.0)
        if expires_at <= time.time() + self.skipped_seconds:
            raise Refused(401, "")

    async def _faulty(self, request: web.Request, kind: Kind, body: Any) -> web.StreamResponse | None:
        headers = {name.lower(): value for name, value in request.headers.items()}
        self.requests.append(Request(kind, request.method, request.path, headers, body))
        waiting = self.faults.get(kind)
        fault = waiting.popleft() if waiting else self.always.get(kind)
        if fault is None:
            if self.barrier is not None and kind in {"graphql", "search"}:
                await self.barrier.wait()
            return None
        if fault.hang:
            await self._released.wait()
        if fault.hang or fault.hang_up:
            assert request.transport is not None
            request.transport.abort()
            return web.Response()
        if isinstance(fault.body, bytes):
            return web.Response(body=fault.body, status=fault.status, headers=fault.headers)
        return web.json_response(fault.body, status=fault.status, headers=fault.headers)


@asynccontextmanager
async def quilt_server(catalogue: Catalogue, **changes: Any) -> AsyncIterator[QuiltServer]:
    """Run a catalog with these contents."""
    async with (
        aiohttp.ClientSession() as session,
        QuiltServer(Engine(session, catalogue), **changes).running() as server,
    ):
        yield server


def _body(text: str) -> dict[str, Any]:
    try:
        body = json.loads(text)
    except ValueError:
        raise Refused(400, "body is not JSON") from None
    if not isinstance(body, dict):
        raise Refused(400, "body is not an object")
    return body
