"""Settings TRAWL_QUILT_*: the address of the catalog, its credentials, and limits."""

from typing import Annotated

from pydantic import Field, SecretStr
from pydantic_settings import SettingsConfigDict

from indexer.environment import Address, EnvironmentSettings, Names
from mcp_server.sandbox import QUILT_SANDBOX_KEY
from mcp_server.upstream.guard.policy import Policy


class QuiltSettings(EnvironmentSettings):
    """Read from the environment and `.env`; without an address the Quilt tools fail as not configured."""

    model_config = SettingsConfigDict(env_prefix="TRAWL_QUILT_")

    catalog_url: Annotated[
        Address | None, Field(description="Address of the Quilt catalog, like https://quilt.example.com")
    ] = None
    token: Annotated[
        SecretStr | None, Field(description="API key (qk_…) or refresh token, which the catalog shows at /code")
    ] = None
    buckets: Annotated[
        Names,
        Field(description="Buckets to search if the catalog cannot list its own, comma-separated"),
    ] = ()
    timeout: Annotated[
        float, Field(gt=0, le=600, allow_inf_nan=False, description="Timeout of one request to Quilt, in seconds")
    ] = 30.0
    calls_per_minute: Annotated[int, Field(ge=1, le=100_000, description="Requests to Quilt per team and minute")] = (
        6_000
    )
    cache_seconds: Annotated[
        float, Field(ge=0, le=3_600, allow_inf_nan=False, description="Seconds that a response of Quilt is cached")
    ] = 10.0
    recheck_seconds: Annotated[
        float,
        Field(
            gt=0,
            le=86_400,
            allow_inf_nan=False,
            description="Seconds before the search backend is detected again",
        ),
    ] = 600.0

    @property
    def is_sandbox(self) -> bool:
        """Whether the token is that of the sandbox, which no other catalog accepts."""
        return self.token is not None and self.token.get_secret_value() == QUILT_SANDBOX_KEY

    @property
    def policy(self) -> Policy:
        """Timeouts, rate limit and cache time for requests to Quilt."""
        return Policy(
            calls=self.calls_per_minute,
            window=60.0,
            attempt_timeout=self.timeout,
            deadline=self.timeout * 1.5,
            cache_seconds=self.cache_seconds,
        )
