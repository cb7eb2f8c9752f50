"""Settings TRAWL_OSDU_*: the address of OSDU, its credentials, and limits."""

from typing import Annotated

from pydantic import Field, SecretStr
from pydantic_settings import SettingsConfigDict

from indexer.environment import Address, EnvironmentSettings
from mcp_server.sandbox import OSDU_SANDBOX_TOKEN
from mcp_server.upstream.guard.policy import Policy


class OsduSettings(EnvironmentSettings):
    """Read from the environment and `.env`; without an address the OSDU tools fail as not configured."""

    model_config = SettingsConfigDict(env_prefix="TRAWL_OSDU_")

    url: Annotated[Address | None, Field(description="Address of the OSDU platform, like https://osdu.example.com")] = (
        None
    )
    partition: Annotated[
        str | None,
        Field(pattern=r"^[A-Za-z0-9_.-]+$", max_length=200, description="Data partition to search, like opendes"),
    ] = None
    token: Annotated[SecretStr | None, Field(description="Static access token; alternative to client credentials")] = (
        None
    )
    token_url: Annotated[Address | None, Field(description="Token endpoint for OAuth 2 client credentials")] = None
    client_id: Annotated[str | None, Field(description="OAuth 2 client ID")] = None
    client_secret: Annotated[SecretStr | None, Field(description="OAuth 2 client secret")] = None
    scope: Annotated[str | None, Field(description="OAuth 2 scope, if the token endpoint requires one")] = None
    timeout: Annotated[
        float, Field(gt=0, le=600, allow_inf_nan=False, description="Timeout of one request to OSDU, in seconds")
    ] = 30.0
    calls_per_minute: Annotated[int, Field(ge=1, le=100_000, description="Requests to OSDU per team and minute")] = (
        6_000
    )
    cache_seconds: Annotated[
        float, Field(ge=0, le=3_600, allow_inf_nan=False, description="Seconds that a response of OSDU is cached")
    ] = 10.0

    @property
    def missing(self) -> list[str]:
        """Names of the required settings that are not set."""
        required: dict[str, object] = {"URL": self.url, "PARTITION": self.partition}
        if self.token is None:
            if self.token_url is None and self.client_id is None and self.client_secret is None:
                required["TOKEN"] = None
            else:
                required |= {"TOKEN_URL": self.token_url, "CLIENT_ID": self.client_id}
                required |= {"CLIENT_SECRET": self.client_secret}
        return [f"TRAWL_OSDU_{name}" for name, value in required.items() if value is None]

    @property
    def is_sandbox(self) -> bool:
        """Whether the token is that of the sandbox, which no other service accepts."""
        return self.token is not None and self.token.get_secret_value() == OSDU_SANDBOX_TOKEN

    @property
    def policy(self) -> Policy:
        """Timeouts, rate limit and cache time for requests to OSDU."""
        return Policy(
            calls=self.calls_per_minute,
            window=60.0,
            attempt_timeout=self.timeout,
            deadline=self.timeout * 1.5,
            cache_seconds=self.cache_seconds,
        )
