"""A Quilt catalog and its registry: config, tokens, GraphQL, Elasticsearch and S3 listings, each strictly."""

import json
import re
import time
from collections.abc import Sequence
from typing import Final

from aiohttp import web
from aiohttp.typedefs import Middleware

from app.sandbox.engine.index_names import rename_indices
from app.sandbox.engine.port import BadRequest, Body, SearchEngine
from app.sandbox.engine.source_filter import filtered_response
from app.sandbox.quilt.contents import QuiltContents
from app.sandbox.quilt.graphql import Root, answer
from app.sandbox.quilt.indices import PACKAGES_SUFFIX, PackagesForm, index_of
from app.sandbox.quilt.s3 import ObjectListings
from app.sandbox.quilt.schema import Generation, schema

REINDEXED: Final = "-reindex-v1a2b3c"
"""Callers name aliases; hits tell the index behind them."""
_TOKEN_SECONDS: Final = 3_600
_MAX_DIGITS: Final = 9
_PARAMETERS: Final = frozenset({"index", "action", "query", "body", "size", "from", "filter_path", "_source"})
_ALIAS: Final = re.compile(rf"[a-z0-9][a-z0-9.-]{{1,61}}[a-z0-9]({PACKAGES_SUFFIX})?\Z")
_NO_PAGES: Final = "This is a sandbox of a Quilt catalog. It has sample data, and no web pages."


class Refused(Exception):
    """The registry refuses a request with this status."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status

    def response(self) -> web.Response:
        if self.status == 401:
            return web.Response(status=401, text="<html>Unauthorized</html>", content_type="text/html")
        return web.json_response({"message": str(self)}, status=self.status)


class QuiltServer:
    """One stack. What it is may be changed while it runs, as by an upgrade."""

    registry_path = "/registry"

    def __init__(
        self,
        engine: SearchEngine,
        contents: QuiltContents,
        *,
        api_key: str,
        generation: Generation | None = 3,
        elasticsearch: bool = True,
    ) -> None:
        self.url = ""
        """Its own address, which it tells in its config; known when it listens."""
        self.engine = engine
        self.generation = generation
        """None: there is no GraphQL at all."""
        self.elasticsearch = elasticsearch
        self.packages_form: PackagesForm = "joined"
        self.mode = "PRODUCT"
        self.always_requires_auth = True
        self.refresh_tokens: set[str] = set()
        self.bearers: dict[str, float] = {api_key: float("inf")}
        """Access tokens and API keys, with the times at which they stop working."""
        self.announced_seconds = _TOKEN_SECONDS
        self.token_error_status = 200
        self.issued = 0
        self.denied: set[str] = set()
        """Buckets that nobody may search."""
        self.buckets = list(contents.buckets)
        self.root = Root(engine, lambda: self.buckets, lambda: set(self.buckets) - self.denied)
        self._listings = ObjectListings(contents)

    def now(self) -> float:
        """Return the time by which tokens expire."""
        return time.time()

    def application(self, middlewares: Sequence[Middleware] = ()) -> web.Application:
        """Return the application that serves the catalog, its registry and its buckets."""
        application = web.Application(middlewares=middlewares)
        application.router.add_get("/config.json", self._config)
        application.router.add_post(f"{self.registry_path}/api/token", self._token)
        application.router.add_post(f"{self.registry_path}/graphql", self._graphql)
        application.router.add_get(f"{self.registry_path}/api/search", self._search)
        application.router.add_get("/s3/{bucket}", self._listings.answer)
        for page in ("/", "/b/{path:.*}"):
            application.router.add_get(page, _no_pages)
        return application

    async def _config(self, _request: web.Request) -> web.Response:
        return web.json_response(
            {
                "registryUrl": self.url + self.registry_path,
                "mode": self.mode,
                "stackVersion": "1.66.0",
                "alwaysRequiresAuth": self.always_requires_auth,
                "region": "us-east-1",
                "apiGatewayEndpoint": f"{self.url}/gateway",
                "s3Proxy": f"{self.url}/proxy",
                "serviceBucket": "service",
            }
        )

    async def _token(self, request: web.Request) -> web.Response:
        form = dict(await request.post())
        if set(form) != {"refresh_token"}:
            return Refused(400, "refresh_token is missing").response()
        old = str(form["refresh_token"])
        if old not in self.refresh_tokens:
            return web.json_response({"error": "Invalid credentials"}, status=self.token_error_status)
        self.refresh_tokens.remove(old)
        self.issued += 1
        refresh, access = f"refresh-{self.issued}", f"access-{self.issued}"
        self.refresh_tokens.add(refresh)
        self.bearers[access] = self.now() + _TOKEN_SECONDS
        expires_at = int(self.now() + self.announced_seconds)
        return web.json_response({"refresh_token": refresh, "access_token": access, "expires_at": expires_at})

    async def _graphql(self, request: web.Request) -> web.Response:
        if self.generation is None:
            return Refused(404, "Not Found").response()
        try:
            self._check_authorized(request)
            body = _read_object(await request.text())
        except Refused as refused:
            return refused.response()
        if set(body) - {"query", "variables", "operationName"} or not isinstance(body.get("query"), str):
            return Refused(400, "Bad request").response()
        status, response = await answer(schema(self.generation), self.root, body)
        return web.json_response(response, status=status)

    async def _search(self, request: web.Request) -> web.Response:
        if not self.elasticsearch:
            return Refused(404, "Not Found").response()
        parameters = dict(request.query)
        try:
            self._check_authorized(request)
            aliases, body = self._read_search(parameters)
            indices = {index_of(alias, self.packages_form): alias + REINDEXED for alias in aliases}
            found = rename_indices(await self.engine.search(list(indices), body), indices)
        except Refused as refused:
            return refused.response()
        except BadRequest as error:
            return Refused(error.status, f"RequestError({error.status}, {error})").response()
        paths = parameters.get("filter_path")
        return web.json_response(filtered_response(found, paths) if paths else found)

    def _read_search(self, parameters: dict[str, str]) -> tuple[list[str], Body]:
        """Return the aliases that a request names, and the body for the engine."""
        if set(parameters) - _PARAMETERS:
            raise Refused(400, "Unknown parameter")
        aliases = parameters.get("index", "").split(",")
        if not all(_ALIAS.match(alias) for alias in aliases):
            raise Refused(400, "Invalid index name")
        buckets = {alias.removesuffix(PACKAGES_SUFFIX) for alias in aliases}
        if buckets & self.denied:
            raise Refused(403, "Access denied")
        if buckets - set(self.buckets):
            raise Refused(404, "NotFoundError(404, 'index_not_found_exception', 'no such index')")
        given = {name for name in ("query", "body") if name in parameters}
        if parameters.get("action") == "search" and given == {"query"}:
            body: Body = {"query": {"query_string": {"query": parameters["query"]}}}
        elif parameters.get("action") == "freeform" and given == {"body"}:
            body = _read_object(parameters["body"])
        else:
            raise Refused(400, "Invalid action")
        if "_source" in parameters:
            body["_source"] = parameters["_source"].split(",")
        return aliases, body | {name: _number(parameters[name]) for name in ("size", "from") if name in parameters}

    def _check_authorized(self, request: web.Request) -> None:
        given = request.headers.get("authorization")
        if given is None and self.mode == "OPEN" and not self.always_requires_auth:
            return
        if self.bearers.get((given or "").removeprefix("Bearer "), 0.0) <= self.now():
            raise Refused(401, "Unauthorized")


async def _no_pages(_request: web.Request) -> web.Response:
    return web.Response(text=_NO_PAGES)


def _read_object(text: str) -> Body:
    try:
        body = json.loads(text)
    except ValueError:
        raise Refused(400, "body is not JSON") from None
    if not isinstance(body, dict):
        raise Refused(400, "body is not an object")
    return body


def _number(text: str) -> int:
    if not text.isdecimal() or len(text) > _MAX_DIGITS:
        raise Refused(400, "size and from must be numbers")
    return int(text)
