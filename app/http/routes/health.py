"""Whether the process runs, and whether what it needs answers."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

from fastapi import FastAPI, Request
from starlette.responses import Response

from app.http.responses import answer
from indexer.errors import PlatformError
from mcp_server.services import Services
from workers.enqueue import Background

_PATIENCE_SECONDS: Final = 3.0
_NO_ANSWER: Final = "unavailable: no answer in time"


def add_health(app: FastAPI) -> None:
    """Offer both answers, also to probes that ask with HEAD."""
    for path, endpoint, summary in (
        ("/livez", livez, "Say that the process runs"),
        ("/readyz", readyz, "Say whether everything that is needed answers"),
    ):
        app.add_api_route(path, endpoint, methods=["GET"], summary=summary, operation_id=path[1:], tags=["health"])
        app.add_api_route(path, endpoint, methods=["HEAD"], include_in_schema=False)


async def livez(request: Request) -> Response:
    """200 while the process runs; `instance` differs at each start."""
    return answer({"alive": True, "instance": request.app.state.instance})


async def readyz(request: Request) -> Response:
    """200, or 503 with what is unavailable."""
    services: Services = request.app.state.services
    engine, queues = await asyncio.gather(
        states({"engine": services.library.engine.reader.health}), queue_states(services.background)
    )
    parts = engine | queues
    ready = all(state == "ok" for state in parts.values())
    return answer({"ready": ready, "parts": parts}, status=200 if ready else 503)


async def queue_states(background: Background) -> dict[str, str]:
    """Ask the queue and its workers; each is `ok` or says why not."""
    try:
        async with asyncio.timeout(_PATIENCE_SECONDS * 2):
            return await asyncio.to_thread(background.health)
    except TimeoutError:
        return dict.fromkeys(("redis", "workers"), _NO_ANSWER)


async def states(checks: dict[str, Callable[[], Awaitable[None]]]) -> dict[str, str]:
    """Ask all parts at once; each is `ok` or says why not."""
    return dict(zip(checks, await asyncio.gather(*(_state(check) for check in checks.values())), strict=True))


async def _state(check: Callable[[], Awaitable[None]]) -> str:
    try:
        async with asyncio.timeout(_PATIENCE_SECONDS):
            await check()
    except PlatformError as error:
        return f"unavailable: {error.message}"
    except TimeoutError:
        return _NO_ANSWER
    return "ok"
