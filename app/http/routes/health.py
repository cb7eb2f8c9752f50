"""Liveness and readiness: whether the process runs, and whether the engine, Redis and the workers respond."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

from fastapi import FastAPI, Request
from starlette.responses import Response

from app.http.responses import json_response
from indexer.errors import PlatformError
from mcp_server.services import Services
from workers.enqueue import Background

_TIMEOUT_SECONDS: Final = 3.0
_TIMED_OUT: Final = "unavailable: no answer in time"


def add_health(app: FastAPI) -> None:
    """Add `/livez` and `/readyz`, for GET and HEAD."""
    for path, endpoint, summary in (
        ("/livez", livez, "Say that the process runs"),
        ("/readyz", readyz, "Say whether everything that is needed answers"),
    ):
        app.add_api_route(path, endpoint, methods=["GET"], summary=summary, operation_id=path[1:], tags=["health"])
        app.add_api_route(path, endpoint, methods=["HEAD"], include_in_schema=False)


async def livez(request: Request) -> Response:
    """200 while the process runs; `instance` differs at each start."""
    return json_response({"alive": True, "instance": request.app.state.instance})


async def readyz(request: Request) -> Response:
    """200, or 503 with what is unavailable."""
    services: Services = request.app.state.services
    engine, queues = await asyncio.gather(
        probe_all({"engine": services.library.engine.reader.health}), probe_queue(services.background)
    )
    parts = engine | queues
    ready = all(state == "ok" for state in parts.values())
    return json_response({"ready": ready, "parts": parts}, status=200 if ready else 503)


async def probe_queue(background: Background) -> dict[str, str]:
    """Probe Redis and the workers; each state is `ok` or a reason."""
    try:
        async with asyncio.timeout(_TIMEOUT_SECONDS * 2):
            return await asyncio.to_thread(background.health)
    except TimeoutError:
        return dict.fromkeys(("redis", "workers"), _TIMED_OUT)


async def probe_all(checks: dict[str, Callable[[], Awaitable[None]]]) -> dict[str, str]:
    """Run all checks concurrently; each state is `ok` or a reason."""
    return dict(zip(checks, await asyncio.gather(*(_probe(check) for check in checks.values())), strict=True))


async def _probe(check: Callable[[], Awaitable[None]]) -> str:
    try:
        async with asyncio.timeout(_TIMEOUT_SECONDS):
            await check()
    except PlatformError as error:
        return f"unavailable: {error.message}"
    except TimeoutError:
        return _TIMED_OUT
    return "ok"
