"""A server that speaks OpenAI's Responses endpoint strictly, over real HTTP; what it answers is scripted."""

import asyncio
import copy
import json
from collections import deque
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

from aiohttp import web

from tests.upstreams.openai_fixtures import RESPONSES
from tests.upstreams.openai_rules import Refused, check_request

KEY = "sk-proj-loopback0123456789"
DATED = "2025-08-07"
ECHOED = ("model", "instructions", "max_output_tokens", "temperature", "tools", "tool_choice", "store", "metadata")
SOURCES = "web_search_call.action.sources"


@dataclass(frozen=True, slots=True)
class Answer:
    """What the next request gets: a fixture by its name, another body, or none at all."""

    fixture: str = "plain"
    status: int = 200
    body: Any = None
    """Sent instead of the fixture: bytes as they are, everything else as JSON."""
    headers: Mapping[str, str] = field(default_factory=dict)
    hang: bool = False
    """Say nothing until the server ends."""
    stall: bool = False
    """Send half of the body and no more."""
    hang_up: bool = False
    """Close the connection without an answer."""
    echo: bool = False
    """Repeat the whole question in the error's message, as some errors do."""


@dataclass(frozen=True, slots=True)
class Request:
    headers: dict[str, str]
    body: Any

    @property
    def text(self) -> str:
        """All that the model reads."""
        return json.dumps([self.body.get("instructions"), self.body.get("input")], ensure_ascii=False)


class OpenAiServer:
    """Keeps all that it was asked. A request that breaks a rule is refused, whatever the script says."""

    def __init__(self) -> None:
        self.url = ""
        self.key = KEY
        self.requests: list[Request] = []
        self.answers: deque[Answer] = deque()
        self.by_words: dict[str, Answer] = {}
        """Answers to questions with these words, before the script: questions that come together have no order."""
        self.always = Answer()
        """Given when the script has come to its end."""
        self.asked = asyncio.Event()
        """Set by the first request."""
        self.barrier: asyncio.Event | asyncio.Barrier | None = None
        """Answers wait for it."""
        self._released = asyncio.Event()

    @property
    def bodies(self) -> list[Any]:
        return [request.body for request in self.requests]

    def then(self, *answers: Answer | str) -> None:
        """Put answers at the end of the script."""
        self.answers.extend(Answer(each) if isinstance(each, str) else each for each in answers)

    @asynccontextmanager
    async def running(self, port: int = 0) -> AsyncIterator["OpenAiServer"]:
        app = web.Application(client_max_size=10_000_000)
        app.router.add_route("*", "/{path:.*}", self._received)
        runner = web.AppRunner(app, shutdown_timeout=1)
        await runner.setup()
        try:
            site = web.TCPSite(runner, "127.0.0.1", port, backlog=1024)
            await site.start()
            self.url = f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
            yield self
        finally:
            self._released.set()
            await runner.cleanup()

    async def _received(self, request: web.Request) -> web.StreamResponse:
        identity = {"x-request-id": f"req_{uuid4().hex}"}
        try:
            self._check_address(request)
            body = _parsed(await request.read())
            headers = {name.lower(): value for name, value in request.headers.items()}
            self.requests.append(Request(headers, body))
            self.asked.set()
            self._check_key(headers)
            check_request(body)
        except Refused as refused:
            return web.json_response(refused.body, status=refused.status, headers=identity)
        answer = self._next_answer(str(body["input"]))
        if self.barrier is not None:
            await self.barrier.wait()
        if answer.hang or answer.hang_up:
            return await self._silent(request, answer)
        raw = _written(answer, body)
        headers = {"content-type": "application/json", **identity, **answer.headers}
        if answer.stall:
            return await self._stalled(request, raw, headers)
        return web.Response(body=raw, status=answer.status, headers=headers)

    def _next_answer(self, question: str) -> Answer:
        for words, answer in self.by_words.items():
            if words in question:
                return answer
        return self.answers.popleft() if self.answers else self.always

    def _check_address(self, request: web.Request) -> None:
        if (request.method, request.path) != ("POST", "/v1/responses"):
            raise Refused(f"Invalid URL ({request.method} {request.path})", status=404)
        if request.content_type != "application/json":
            message = f"Unsupported content type: '{request.content_type}'. Use 'application/json' instead."
            raise Refused(message, code="unsupported_content_type")

    def _check_key(self, headers: Mapping[str, str]) -> None:
        scheme, _, key = headers.get("authorization", "").partition(" ")
        if scheme != "Bearer" or not key:
            raise Refused("Missing bearer authentication in header", status=401)
        if key != self.key:
            message = f"Incorrect API key provided: {key}. You can find your API key in your account."
            raise Refused(message, code="invalid_api_key", status=401)

    async def _silent(self, request: web.Request, answer: Answer) -> web.StreamResponse:
        if answer.hang:
            await self._released.wait()
        assert request.transport is not None
        request.transport.abort()
        return web.Response()

    async def _stalled(self, request: web.Request, raw: bytes, headers: Mapping[str, str]) -> web.StreamResponse:
        response = web.StreamResponse(headers={**headers, "content-length": str(len(raw))})
        await response.prepare(request)
        await response.write(raw[: len(raw) // 2])
        await self._released.wait()
        assert request.transport is not None
        request.transport.abort()
        return response


@asynccontextmanager
async def openai_server() -> AsyncIterator[OpenAiServer]:
    """Run a server that answers every question with the plain fixture until it is told otherwise."""
    async with OpenAiServer().running() as server:
        yield server


def error(status: int, code: str | None = None, *, kind: str = "server_error", **headers: str) -> Answer:
    """Return an error as the endpoint writes it; headers are written with underscores."""
    body = {"error": {"message": "It did not work.", "type": kind, "param": None, "code": code}}
    return Answer(status=status, body=body, headers={name.replace("_", "-"): value for name, value in headers.items()})


def _parsed(raw: bytes) -> Any:
    try:
        return json.loads(raw)
    except ValueError:
        raise Refused("We could not parse the JSON body of your request.") from None


def _written(answer: Answer, asked: dict[str, Any]) -> bytes:
    if isinstance(answer.body, bytes):
        return answer.body
    body = copy.deepcopy(answer.body) if answer.body is not None else _response(answer.fixture, asked)
    if answer.echo:
        body["error"]["message"] = f"Something is wrong with {json.dumps(asked, ensure_ascii=False)}"
    return json.dumps(body).encode()


def _response(fixture: str, asked: dict[str, Any]) -> Any:
    response = copy.deepcopy(RESPONSES[fixture])
    response |= {name: asked[name] for name in ECHOED if name in asked}
    response["model"] = f"{asked['model']}-{DATED}"
    if SOURCES not in asked.get("include", []):
        for item in response["output"]:
            item.get("action", {}).pop("sources", None)
    return response
