"""The OSDU feature: `api` sends requests, `query` checks and builds queries, `paging` reads beyond the first page."""

from importlib.resources import files
from typing import Final

from mcp_server.feature import Feature, Prompt
from mcp_server.features.osdu.operations import OPERATIONS
from mcp_server.features.osdu.source import SOURCE
from mcp_server.features.osdu.upstream import OSDU


def guide_text() -> str:
    """Return the OSDU search guide in Markdown."""
    return files(__package__).joinpath("guide_search_patterns.md").read_text(encoding="utf-8")


_GUIDE: Final = Prompt(
    name="guide_search_patterns",
    title="How to search OSDU",
    description="Query syntax and patterns for the OSDU tools, with examples and the usual steps",
    text=lambda _: guide_text(),
)
FEATURE: Final = Feature(OPERATIONS, upstream=OSDU, source=SOURCE, prompts=(_GUIDE,))
