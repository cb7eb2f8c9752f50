"""What clients can ask to be taught, one file per prompt."""

from typing import Any

from mcp.server.mcpserver import MCPServer

from mcp_server.prompts import guide_search_patterns


def add_prompts(server: MCPServer[Any]) -> None:
    """Give the server all prompts."""
    guide_search_patterns.add(server)
