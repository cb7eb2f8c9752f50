"""TRAWL_OSDU_*: where OSDU is, who asks there, and how hard."""

from typing import Annotated

from pydantic import Field, SecretStr
from pydantic_settings import SettingsConfigDict

from indexer.environment import Address, EnvironmentSettings
from mcp_server.upstream.guard.policy import Policy


class OsduSettings(EnvironmentSettings):
    """Read from the environment and `.env`; without an address OSDU's tools say that it is not configured."""

    model_config = SettingsConfigDict(env_prefix="TRAWL_OSDU_")

    url: Annotated[Address | None, Field(description="Address of the OSDU platform, like https://osdu.example.com")] = (
        None
    )
    partition: Annotated[
        str | None,
        Field(pattern=r"^[A-Za-z0-9_.-]+$", max_length=200, description="Data partition to search, like opendes"),
    ] = None
    token: Annotated[SecretStr | None, Field(description="Access token, where it does not change")] = None
    token_url: Annotated[
        Address | None, Field(description="Where access tokens are issued for client credentials (OAuth 2)")
    ] = None
    client_id: Annotated[str | None, Field(description="Client that access tokens are issued to")] = None
    client_secret: Annotated[SecretStr | None, Field(description="Secret of that client")] = None
    scope: Annotated[str | None, Field(description="Scope of the access tokens, where the issuer wants one")] = None
    timeout: Annotated[
        float, Field(gt=0, le=600, allow_inf_nan=False, description="Seconds that one request to OSDU may take")
    ] = 30.0
    calls_per_minute: Annotated[int, Field(ge=1, le=100_000, description="Requests to OSDU that a team may make")] = (
        6_000
    )
    cache_seconds: Annotated[
        float, Field(ge=0, le=3_600, allow_inf_nan=False, description="Seconds that an answer of OSDU is used again")
    ] = 10.0

    @property
    def missing(self) -> list[str]:
        """Name the settings without which OSDU cannot be asked."""
        wanted: dict[str, object] = {"URL": self.url, "PARTITION": self.partition}
        if self.token is None:
            if self.token_url is None and self.client_id is None and self.client_secret is None:
                wanted["TOKEN"] = None
            else:
                wanted |= {"TOKEN_URL": self.token_url, "CLIENT_ID": self.client_id}
                wanted |= {"CLIENT_SECRET": self.client_secret}
        return [f"TRAWL_OSDU_{name}" for name, value in wanted.items() if value is None]

    @property
    def policy(self) -> Policy:
        """Say how OSDU is treated."""
        return Policy(
            calls=self.calls_per_minute,
            window=60.0,
            attempt_timeout=self.timeout,
            deadline=self.timeout * 1.5,
            cache_seconds=self.cache_seconds,
        )
