"""Settings of this package: which operations are offered, and how much callers may do."""

from typing import Annotated

from pydantic import Field

from indexer.environment import Names
from mcp_server.access.limits.settings import LimitSettings


class McpSettings(LimitSettings):
    """TRAWL_* settings of the MCP front end."""

    tools: Annotated[
        Names,
        Field(description="Names of the tools or groups of tools to offer, separated by commas; empty for all"),
    ] = ()
    read_only: Annotated[bool, Field(description="Offer only tools that change nothing")] = False
