"""Tools that say something before they answer."""

import asyncio
from typing import Final

from mcp.server.mcpserver import Context, MCPServer

from tests.clients.conformance.input_required import NAME, Answer, ask

NOTIFYING: Final = frozenset(
    {"test_tool_with_logging", "test_tool_with_progress", "test_logging_tool", "test_streaming_elicitation"}
)
_PAUSE: Final = 0.05


def add_notifications(server: MCPServer) -> None:
    """Register the tools."""

    @server.tool(structured_output=False)
    async def test_tool_with_logging(ctx: Context) -> str:
        """Send three log messages."""
        for message in ("Tool execution started", "Tool processing data", "Tool execution completed"):
            await ctx.info(message)
            await asyncio.sleep(_PAUSE)
        return "Three messages were sent"

    @server.tool(structured_output=False)
    async def test_tool_with_progress(ctx: Context) -> str:
        """Report progress three times."""
        for progress in (0, 50, 100):
            await ctx.report_progress(progress, 100)
            await asyncio.sleep(_PAUSE)
        return "Progress was reported three times"

    @server.tool(structured_output=False)
    async def test_logging_tool(ctx: Context) -> str:
        """Send a log message to callers that want log messages."""
        await ctx.info("A log message")
        return "A message was sent to callers that want log messages"

    @server.tool(structured_output=False)
    async def test_streaming_elicitation(ctx: Context) -> Answer:
        """Ask for a name."""
        return ask({"user_name": NAME}) if ctx.input_responses is None else "There was an answer"
