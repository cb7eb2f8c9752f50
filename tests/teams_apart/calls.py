"""Calls of red, over REST and over MCP: the text that was sent and the text that came back."""

import json
from dataclasses import dataclass, replace
from typing import Any

import httpx

from mcp_server.operation import Operation
from tests.modern import modern_request
from tests.operations import OPERATIONS
from tests.teams_apart.handles import Handles
from tests.teams_apart.probes import Probe
from tests.teams_apart.world import RED, RED_SUBJECT, World

BY_NAME = {operation.name: operation for operation in OPERATIONS}
Arguments = dict[str, Any]
_LISTS = {"audit_list": "records", "own_calls": "records", "job_list": "jobs"}
"""What is listed with who asked for it."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """One request and its answer."""

    request: str
    status: int
    answer: str


async def over_rest(world: World, operation: Operation[Any, Any], given: Arguments) -> Exchange:
    """Call an operation at its route."""
    route = operation.route
    request = json.dumps(given)
    if route.is_form:
        files = {"files": ("a.md", b"# A reef")}
        fields = {name: str(value) for name, value in given.items() if name != "files" and value is not None}
        answer = await world.client.post(route.path, data=fields, files=files, headers=world.red)
        return exchange_of(request, answer)
    named = given if route.takes is None else {"id": given["ids"][0]}
    left = {name: value for name, value in named.items() if name not in route.path_arguments}
    if not route.has_body:
        left = {name: value if isinstance(value, str | int) else json.dumps(value) for name, value in left.items()}
    sent: dict[str, Any] = {"json": left} if route.has_body else {"params": left}
    answer = await world.client.request(route.method, route.address(named), headers=world.red, **sent)
    exchange = exchange_of(request, answer)
    return _without_own(exchange, _LISTS[operation.name]) if operation.name in _LISTS else exchange


async def over_mcp(world: World, method: str, params: Arguments) -> Exchange:
    """Send a request over MCP."""
    headers, body = modern_request(method, params)
    safe = {name: value.encode("ascii", "replace").decode() for name, value in headers.items()}
    answer = await world.client.post("/mcp", json=body, headers={**safe, **world.red})
    return exchange_of(json.dumps(params), answer)


async def call_tool(world: World, operation: Operation[Any, Any], given: Arguments) -> Exchange:
    """Call an operation as a tool."""
    exchange = await over_mcp(world, "tools/call", {"name": operation.name, "arguments": given})
    return _without_own(exchange, _LISTS[operation.name]) if operation.name in _LISTS else exchange


async def probe_twice(world: World, name: str, probe: Probe, *, mcp: bool) -> list[tuple[Handles, Exchange]]:
    """Send a probe with the handles of blue and with those of nobody, and take back what each did."""
    call = call_tool if mcp else over_rest
    exchanges = []
    for handles in (world.theirs, world.unknown):
        exchange = await call(world, BY_NAME[name], probe.arguments(handles))
        exchanges.append((handles, exchange))
        if probe.undo is not None:
            undo, arguments = probe.undo
            given = {
                key: _result_id(exchange) if value == "{result}" else value for key, value in arguments(handles).items()
            }
            await over_rest(world, BY_NAME[undo], given)
    return exchanges


def _without_own(exchange: Exchange, name: str) -> Exchange:
    """Leave out the calls or the jobs of red itself: they repeat what red asked for, and grow with each call."""
    answer = json.loads(exchange.answer)
    told = answer.get("result", {}).get("structuredContent", answer)
    if told.get("success"):
        own = [each for each in told[name] if (each.get("team", RED), each["subject"]) == (RED, RED_SUBJECT)]
        told[name] = [each for each in told[name] if each not in own]
        told.pop("next_cursor", None)
        ids = [each["job_id"] for each in own if "job_id" in each]
        for part in answer.get("result", {}).get("content", ()):
            lines = part["text"].splitlines()
            part["text"] = "\n".join(line for line in lines if not any(id_ in line for id_ in ids))
    return replace(exchange, answer=json.dumps(answer))


def _result_id(exchange: Exchange) -> str:
    """Return the id of what a call made."""
    answer = json.loads(exchange.answer)
    result = answer.get("result", {}).get("structuredContent", answer)
    return str(result.get("job_id") or result.get("id"))


def exchange_of(request: str, answer: httpx.Response) -> Exchange:
    """Return a request and its answer; of other answers than JSON the headers count too."""
    headers = " ".join(f"{name}: {value}" for name, value in answer.headers.items() if name != "x-request-id")
    return Exchange(request, answer.status_code, f"{answer.text}\n{headers}" if _is_text(answer) else answer.text)


def _is_text(answer: httpx.Response) -> bool:
    return "json" not in answer.headers.get("content-type", "")
