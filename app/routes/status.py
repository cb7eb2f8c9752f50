"""What this service runs on, and how that is."""

from collections.abc import Mapping
from typing import Any

from app.calls import Call
from indexer.arguments import Arguments
from indexer.tenancy import Principal
from mcp_server.services import Services
from mcp_server.status import status


class Status(Arguments):
    """No arguments."""


async def _status(services: Services, principal: Principal, _: Status) -> Mapping[str, Any]:
    return {"success": True, **await status(services, principal)}


CALLS = (
    Call(
        "status",
        "GET",
        "/api/v1/status",
        Status,
        dict[str, Any],
        _status,
        "Show engine, sources, queues, versions, and indices that should be built anew",
    ),
)
