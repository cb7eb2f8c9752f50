"""`guide_search_patterns`: how to search OSDU, by example; the text stands beside this file."""

from importlib.resources import files
from typing import Any

from mcp.server.mcpserver import MCPServer, UserMessage


def add(server: MCPServer[Any]) -> None:
    """Give the server its guide."""

    @server.prompt(
        name="guide_search_patterns",
        title="How to search OSDU",
        description="Query syntax and patterns for the OSDU tools, with examples and the usual steps",
    )
    def guide() -> list[UserMessage]:
        return [UserMessage(guide_text())]


def guide_text() -> str:
    """Return the guide in Markdown."""
    return files(__package__).joinpath("guide_search_patterns.md").read_text(encoding="utf-8")
