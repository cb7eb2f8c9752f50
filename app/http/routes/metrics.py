"""The metrics endpoint for Prometheus."""

from typing import Final

from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import Response

from mcp_server.access.scopes import InsufficientScope
from mcp_server.observability.index_counts import IndexCounts
from mcp_server.principal import principal_of
from mcp_server.services import Services

_SCOPE: Final = "admin"


def add_metrics(app: FastAPI, services: Services) -> None:
    """Add `/metrics`."""
    index_counts = IndexCounts(services.library)

    async def metrics(request: Request) -> Response:
        """Say what this process has counted, and how many indices and documents there are.

        Who comes by a token sees the numbers of its own team alone.
        """
        principal = principal_of(request.scope)
        if _SCOPE not in principal.scopes:
            raise InsufficientScope([_SCOPE])
        team = None if principal.is_local else principal.team
        from app.http.process_metrics import CONTENT_TYPE, rendered  # noqa: PLC0415 - would slow down every start

        await index_counts.update()
        return Response(rendered(services, index_counts, team), headers={"content-type": CONTENT_TYPE})

    app.add_api_route(
        "/metrics", metrics, methods=["GET"], summary="Counts for Prometheus", operation_id="metrics", tags=["health"]
    )
