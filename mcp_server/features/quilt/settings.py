"""TRAWL_QUILT_*: which catalog is searched, who asks there, and how hard."""

from typing import Annotated

from pydantic import Field, SecretStr
from pydantic_settings import SettingsConfigDict

from indexer.environment import Address, EnvironmentSettings, Names
from mcp_server.upstream.guard.policy import Policy


class QuiltSettings(EnvironmentSettings):
    """Read from the environment and `.env`; without an address Quilt's tools say that it is not configured."""

    model_config = SettingsConfigDict(env_prefix="TRAWL_QUILT_")

    catalog_url: Annotated[
        Address | None, Field(description="Address of the Quilt catalog, like https://quilt.example.com")
    ] = None
    token: Annotated[
        SecretStr | None, Field(description="API key (qk_…) or refresh token (the catalog's /code page shows one)")
    ] = None
    buckets: Annotated[
        Names,
        Field(description="Buckets to search in a catalog that cannot list its own, separated by commas"),
    ] = ()
    timeout: Annotated[
        float, Field(gt=0, le=600, allow_inf_nan=False, description="Seconds that one request to Quilt may take")
    ] = 30.0
    calls_per_minute: Annotated[int, Field(ge=1, le=100_000, description="Requests to Quilt that a team may make")] = (
        6_000
    )
    cache_seconds: Annotated[
        float, Field(ge=0, le=3_600, allow_inf_nan=False, description="Seconds that an answer of Quilt is used again")
    ] = 10.0
    recheck_seconds: Annotated[
        float,
        Field(
            gt=0,
            le=86_400,
            allow_inf_nan=False,
            description="Seconds until it is looked again how the catalog searches",
        ),
    ] = 600.0

    @property
    def policy(self) -> Policy:
        """Say how Quilt is treated."""
        return Policy(
            calls=self.calls_per_minute,
            window=60.0,
            attempt_timeout=self.timeout,
            deadline=self.timeout * 1.5,
            cache_seconds=self.cache_seconds,
        )
