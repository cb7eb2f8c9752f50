"""MCP over standard input and output, for clients that start the server as a child process."""

from typing import Any

from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server


async def run_stdio(server: Server[Any]) -> None:
    """Serve until standard input ends; nothing else may write to standard output."""
    async with stdio_server() as (requests, responses):
        await server.run(requests, responses, server.create_initialization_options())
