"""`trawl://status`: what this service runs on and how it is."""

from typing import Any

import orjson
from mcp.server.mcpserver import MCPServer

from mcp_server.addresses import STATUS
from mcp_server.principal import current_principal
from mcp_server.services import Services
from mcp_server.status import status


def add(server: MCPServer[Any], services: Services) -> None:
    """Give the server its status."""

    @server.resource(
        STATUS,
        name="status",
        title="Status of this service",
        description="Engine, sources and queues with their health, versions, and indices that should be built anew",
        mime_type="application/json",
    )
    async def read() -> str:
        return orjson.dumps(await status(services, current_principal())).decode()
