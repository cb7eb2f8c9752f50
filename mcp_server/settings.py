"""Which tools this service offers."""

from typing import Annotated

from pydantic import BeforeValidator, Field
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from indexer.settings import comma_separated


class McpSettings(BaseSettings):
    """TRAWL_* settings of the MCP front end."""

    model_config = SettingsConfigDict(
        env_prefix="TRAWL_",
        env_file=".env",
        env_ignore_empty=True,
        extra="ignore",
        frozen=True,
        hide_input_in_errors=True,
    )

    tools: Annotated[
        tuple[str, ...],
        NoDecode,
        BeforeValidator(comma_separated),
        Field(description="Names of the tools or groups of tools to offer, separated by commas; empty for all"),
    ] = ()
    read_only: Annotated[bool, Field(description="Offer only tools that change nothing")] = False
