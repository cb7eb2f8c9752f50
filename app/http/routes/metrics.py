"""The metrics endpoint for Prometheus."""

from typing import Final

from fastapi import FastAPI
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from indexer.tenancy import TeamId
from mcp_server.access.scopes import InsufficientScope
from mcp_server.observability.index_counts import IndexCounts
from mcp_server.principal import principal_of
from mcp_server.services import Services

_SCOPE: Final = "admin"


def add_metrics(app: FastAPI, services: Services) -> None:
    """Add `/metrics`."""
    counts = IndexCounts(services.library)

    async def metrics(request: Request) -> Response:
        """Say what this process has counted, and how many indices and documents there are.

        Who comes by a token sees the numbers of its own team alone.
        """
        principal = principal_of(request.scope)
        if _SCOPE not in principal.scopes:
            raise InsufficientScope([_SCOPE])
        return await _respond(services, counts, None if principal.is_local else principal.team)

    app.add_api_route(
        "/metrics", metrics, methods=["GET"], summary="Counts for Prometheus", operation_id="metrics", tags=["health"]
    )


def metrics_app(services: Services) -> Starlette:
    """Return what the port of the metrics serves: those of all teams, to everybody who can reach the port."""
    counts = IndexCounts(services.library)

    async def metrics(_: Request) -> Response:
        return await _respond(services, counts, None)

    return Starlette(routes=[Route("/metrics", metrics)])


async def _respond(services: Services, counts: IndexCounts, team: TeamId | None) -> Response:
    from app.http.process_metrics import CONTENT_TYPE, rendered  # noqa: PLC0415 - would slow down every start

    await counts.update()
    return Response(rendered(services, counts, team), headers={"content-type": CONTENT_TYPE})
