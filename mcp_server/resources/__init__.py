"""What clients can read by address, one file per kind."""

from typing import Any

from mcp.server.mcpserver import MCPServer

from mcp_server.resources import catalog, document, status
from mcp_server.services import Services


def add_resources(server: MCPServer[Any], services: Services) -> None:
    """Give the server all resources."""
    status.add(server, services)
    document.add(server, services)
    catalog.add(server, services)
