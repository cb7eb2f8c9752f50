"""MCP over standard input and output, for clients that start the server as a child process."""

from typing import Any

from mcp.server.mcpserver import MCPServer


async def run_stdio(server: MCPServer[Any]) -> None:
    """Serve until standard input ends; nothing else may write to standard output."""
    await server.run_stdio_async()
