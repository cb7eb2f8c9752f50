"""A server that speaks OSDU search v2 strictly: what the real service refuses, it refuses."""

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from uuid import uuid4

from aiohttp import web
from aiohttp.typedefs import Middleware

from app.sandbox.engine.port import BadRequest, Body, SearchEngine
from app.sandbox.osdu.records import INDEX
from app.sandbox.osdu.requests import engine_request
from app.sandbox.osdu.rules import Refused, bad, check_body

CURSOR_SECONDS: Final = 60.0
MOST_CURSORS: Final = 500
_MAX_BODY_BYTES: Final = 100_000_000
_ROLE: Final = "users.datalake."


@dataclass(frozen=True, slots=True)
class User:
    """A user and the groups that decide what it may do and see."""

    email: str
    groups: tuple[str, ...]

    @property
    def may_search(self) -> bool:
        return any(group.startswith(_ROLE) for group in self.groups)


@dataclass(frozen=True, slots=True)
class Cursor:
    """A position in the results of a request; it belongs to the user who made the request."""

    user: str
    body: Body
    after: list[Any]
    """The sort values of the last record."""
    expires_at: float


class OsduServer:
    """The search API of one data partition."""

    sorts_by_score = True

    def __init__(self, engine: SearchEngine, partition: str, users: Mapping[str, User]) -> None:
        self.engine = engine
        self.partition = partition
        self.users = dict(users)
        """Users by their access tokens."""
        self.cursors: dict[str, Cursor] = {}

    def now(self) -> float:
        """Return the time by which cursors expire."""
        return time.monotonic()

    def user_of(self, token: str) -> User | None:
        """Return the user of an access token."""
        return self.users.get(token)

    def application(self, middlewares: Sequence[Middleware] = ()) -> web.Application:
        """Return the application that serves the API."""
        application = web.Application(client_max_size=_MAX_BODY_BYTES, middlewares=middlewares)
        application.router.add_post("/api/search/v2/query", self._query)
        application.router.add_post("/api/search/v2/query_with_cursor", self._query_with_cursor)
        return application

    async def _query(self, request: web.Request) -> web.StreamResponse:
        return await self._answer(request, with_cursor=False)

    async def _query_with_cursor(self, request: web.Request) -> web.StreamResponse:
        return await self._answer(request, with_cursor=True)

    async def _answer(self, request: web.Request, *, with_cursor: bool) -> web.StreamResponse:
        try:
            user = self._authorized_user(request.headers)
            body = _read_body(await request.read())
            check_body(body, with_cursor=with_cursor)
            response = await (self._with_cursor(user, body) if with_cursor else self._page(user, body))
        except Refused as refused:
            return refused.response()
        except BadRequest as error:
            # The real service repeats what it was given, too.
            message = f"Invalid parameters were given on search request: {error}"
            return Refused(400, "Bad Request", message).response()
        return web.json_response(response)

    def _authorized_user(self, headers: Mapping[str, str]) -> User:
        if headers.get("content-type", "").partition(";")[0] != "application/json":
            raise Refused(415, "Unsupported Media Type", "Content-Type must be application/json")
        if "data-partition-id" not in headers:
            raise bad("data-partition-id header is missing")
        user = self.user_of(headers.get("authorization", "").removeprefix("Bearer "))
        # A failed check of roles is a 401 as well.
        if user is None or headers["data-partition-id"] != self.partition or not user.may_search:
            raise Refused(401, "Unauthorized", "The user is not authorized to perform this action")
        return user

    async def _page(self, user: User, body: Body) -> Body:
        found = await self._search(user, body, counts_all=False)
        buckets = found.get("aggregations", {}).get("by", {}).get("buckets", [])
        return {
            "results": _records(found),
            "aggregations": [{"key": bucket["key"], "count": bucket["doc_count"]} for bucket in buckets],
            "phraseSuggestions": [],
            "totalCount": found["hits"]["total"]["value"],
        }

    async def _with_cursor(self, user: User, body: Body) -> Body:
        asked = {name: value for name, value in body.items() if name != "cursor"}
        if body.get("cursor"):
            after = self._position(user, body["cursor"], asked)
        else:
            self.cursors = {name: each for name, each in self.cursors.items() if each.expires_at >= self.now()}
            if len(self.cursors) >= MOST_CURSORS:
                raise Refused(429, "Too many requests", "Too many cursor requests, please re-try after some time.")
            after = None
        found = await self._search(user, asked, counts_all=True, after=after)
        records, total = _records(found), found["hits"]["total"]["value"]
        if not records:
            self.cursors.pop(body.get("cursor", ""), None)
            return {"cursor": None, "results": [], "totalCount": total}
        name = body.get("cursor") or uuid4().hex.upper()
        last = found["hits"]["hits"][-1]["sort"]
        self.cursors[name] = Cursor(user.email, asked, last, self.now() + CURSOR_SECONDS)
        return {"cursor": name, "results": records, "totalCount": total}

    def _position(self, user: User, name: str, asked: Body) -> list[Any]:
        cursor = self.cursors.get(name)
        if cursor is None or cursor.expires_at < self.now():
            raise Refused(400, "Can't find the given cursor", "The given cursor is invalid or expired")
        if cursor.user != user.email:
            raise Refused(403, "cursor issuer doesn't match the cursor consumer", "cursor sharing is forbidden")
        if cursor.body != asked:
            raise bad("the request differs from the one that the cursor came from")
        return cursor.after

    async def _search(self, user: User, body: Body, *, counts_all: bool, after: list[Any] | None = None) -> Body:
        request = engine_request(body, user.groups, counts_all=counts_all, sorts_by_score=self.sorts_by_score)
        if after is not None:
            request["search_after"] = after
        return await self.engine.search([INDEX], request)


def _read_body(raw: bytes) -> Any:
    try:
        return json.loads(raw)
    except ValueError:
        raise bad("Request body is not JSON") from None


def _records(found: Body) -> list[Body]:
    return [
        hit["_source"] | ({"highlight": hit["highlight"]} if "highlight" in hit else {})
        for hit in found["hits"]["hits"]
    ]
