"""The operation that returns the status of the service."""

from collections.abc import Mapping
from typing import Any, Final

from indexer.arguments import Arguments
from indexer.tenancy import Principal
from mcp_server.effect import READ
from mcp_server.features.status.status import status
from mcp_server.operation import Group, Operation, Resource
from mcp_server.route import Route
from mcp_server.services import Services


class GetStatus(Arguments):
    """No arguments."""


async def _status(services: Services, principal: Principal, _: GetStatus) -> Mapping[str, Any]:
    return {"success": True, **await status(services, principal)}


STATUS: Final = Operation(
    name="status",
    title="Status of this service",
    description="Engine, sources and queues with their health, versions, and indices that should be built anew",
    group=Group("status", guidance="", reads="search", changes="search"),
    effect=READ,
    arguments=GetStatus,
    result=dict[str, Any],
    handler=_status,
    route=Route(
        "GET", "/api/v1/status", "Show engine, sources, queues, versions, and indices that should be built anew"
    ),
    text=None,
    resource=Resource("trawl://status", "status"),
)
