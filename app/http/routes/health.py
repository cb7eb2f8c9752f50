"""Liveness and readiness: whether the process runs, and whether all that it needs works."""

from fastapi import FastAPI, Request
from starlette.responses import Response

from app.health.readiness import Readiness
from app.http.responses import json_response


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
    # It waits for nothing: no thread, no lock, no other part.
    return json_response({"alive": True, "instance": request.app.state.instance})


async def readyz(request: Request) -> Response:
    """200, or 503 with what is unavailable."""
    readiness: Readiness = request.app.state.readiness
    parts = await readiness.states()
    ready = all(state == "ok" for state in parts.values())
    return json_response({"ready": ready, "parts": parts}, status=200 if ready else 503)
