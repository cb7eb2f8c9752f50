"""The metrics endpoint for Prometheus."""

from fastapi import FastAPI, Request
from starlette.responses import Response


def add_metrics(app: FastAPI) -> None:
    """Add `/metrics`."""
    app.add_api_route(
        "/metrics", metrics, methods=["GET"], summary="Counts for Prometheus", operation_id="metrics", tags=["health"]
    )


async def metrics(request: Request) -> Response:
    """Say what this process has counted."""
    from app.http.process_metrics import CONTENT_TYPE, rendered  # noqa: PLC0415 - would slow down every start

    return Response(rendered(request.app.state.services), headers={"content-type": CONTENT_TYPE})
