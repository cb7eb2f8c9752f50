"""Settings of the limits. Those of documents, bytes and indices belong to the indexer: workers apply them too."""

from typing import Annotated

from pydantic import Field

from indexer.environment import EnvironmentSettings


class LimitSettings(EnvironmentSettings):
    """Read from the environment and `.env`."""

    calls_per_minute: Annotated[
        int, Field(ge=0, le=60_000_000, description="Calls that a token may make in a minute; 0 for any number")
    ] = 600
    calls_burst: Annotated[
        int, Field(ge=1, le=1_000_000, description="Calls that a token may make at once, after a pause")
    ] = 100
    searches_per_team: Annotated[
        int, Field(ge=1, le=10_000, description="Searches of a team that one web process runs at a time")
    ] = 32
    max_jobs: Annotated[
        int | None, Field(ge=1, description="How many unfinished jobs a team may have; empty for any number")
    ] = None
