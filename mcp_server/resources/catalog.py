"""`catalog://info`: which Quilt catalog this service asks, and how it searches."""

from typing import Any

import orjson
from mcp.server.mcpserver import MCPServer

from mcp_server.addresses import CATALOG
from mcp_server.principal import current_principal
from mcp_server.services import Services


def add(server: MCPServer[Any], services: Services) -> None:
    """Give the server what is known of the catalog."""

    @server.resource(
        CATALOG,
        name="catalog",
        title="The Quilt catalog",
        description="Addresses of the catalog and its registry, whether the token works, and how the catalog searches",
        mime_type="application/json",
    )
    async def read() -> str:
        return orjson.dumps(await services.upstreams.quilt.info(current_principal())).decode()
