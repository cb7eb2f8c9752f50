"""Settings that select the operations of this service."""

from typing import Annotated

from pydantic import Field

from indexer.environment import EnvironmentSettings, Names


class McpSettings(EnvironmentSettings):
    """TRAWL_* settings of the MCP front end."""

    tools: Annotated[
        Names,
        Field(description="Names of the tools or groups of tools to offer, separated by commas; empty for all"),
    ] = ()
    read_only: Annotated[bool, Field(description="Offer only tools that change nothing")] = False
