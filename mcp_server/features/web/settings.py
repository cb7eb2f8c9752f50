"""OPENAI_* and TRAWL_WEB_*: who answers questions about the web, how, and what that may cost."""

from typing import Annotated, Final, Literal

from pydantic import BeforeValidator, Field, SecretStr, field_validator
from pydantic_settings import NoDecode, SettingsConfigDict

from indexer.environment import Address, EnvironmentSettings, Names, comma_separated, comma_separated_lowered
from mcp_server.upstream.guard.policy import Policy

MARKET: Final = ("market", "polymarket", "prediction", "event", "liquidity", "volume", "position", "bet", "odds")
FEEDS: Final = ("rss", "feed", "google news", "news feed", "subscribe")
_WINDOW_SECONDS: Final = 600.0
_SUSTAINED: Final = 10
"""So many failed requests in a row are no accident: five calls with their retries."""


def _words(given: object) -> object:
    if isinstance(given, str) and given.strip().lower() == "none":
        return ()
    return comma_separated(given)


Words = Annotated[tuple[str, ...], NoDecode, BeforeValidator(_words)]
Domains = Annotated[
    tuple[Annotated[str, Field(pattern=r"^[a-z0-9-]+(\.[a-z0-9-]+)*$")], ...],
    NoDecode,
    BeforeValidator(comma_separated_lowered),
]
Dollars = Annotated[float, Field(ge=0, le=1_000_000, allow_inf_nan=False)]


class WebSettings(EnvironmentSettings):
    """Read from the environment and `.env`; without a key `search_web` says that it is not configured."""

    model_config = SettingsConfigDict(env_prefix="TRAWL_WEB_", populate_by_name=True)

    api_key: Annotated[
        SecretStr | None, Field(validation_alias="OPENAI_API_KEY", description="Key of the OpenAI account to ask with")
    ] = None
    base_url: Annotated[
        Address, Field(validation_alias="OPENAI_BASE_URL", description="Where the Responses API is, with its version")
    ] = "https://api.openai.com/v1"
    model: Annotated[
        str,
        Field(
            pattern=r"^[A-Za-z0-9_.:/-]+$",
            max_length=100,
            description="Model that searches; it must know the tool web_search",
        ),
    ] = "gpt-5-nano"
    max_output_tokens: Annotated[
        int, Field(ge=16, le=128_000, description="Tokens that an answer may take, those of reasoning included")
    ] = 4_000
    reasoning_effort: Annotated[
        Literal["minimal", "low", "medium", "high"],
        Field(description="How hard a reasoning model thinks; some refuse to search with minimal"),
    ] = "low"
    temperature: Annotated[
        float, Field(ge=0, le=2, allow_inf_nan=False, description="Sent to models that do not reason, and to no others")
    ] = 0.0
    guard_market: Annotated[
        Words, Field(description="Whole words by which questions about markets are refused, comma-separated; or none")
    ] = MARKET
    guard_feeds: Annotated[
        Words, Field(description="Whole words by which questions about feeds are refused, comma-separated; or none")
    ] = FEEDS
    allowed_domains: Annotated[
        Domains, Field(description="Search only here and below, comma-separated, like osdu.org; empty for everywhere")
    ] = ()
    blocked_domains: Annotated[
        Domains, Field(description="Cite nothing from here and below, comma-separated, like example.com")
    ] = ()
    calls_per_10_minutes: Annotated[
        int, Field(ge=1, le=100_000, description="Questions that a user may ask; answers from the cache do not count")
    ] = 20
    timeout: Annotated[
        float, Field(gt=0, le=600, allow_inf_nan=False, description="Seconds that a question may take, retry included")
    ] = 15.0
    cache_seconds: Annotated[
        float, Field(ge=0, le=86_400, allow_inf_nan=False, description="Seconds that an answer is used again")
    ] = 300.0
    daily_calls: Annotated[
        int | None, Field(ge=1, description="Questions that a team may ask in a day (UTC); empty for no bound")
    ] = None
    daily_tokens: Annotated[
        int | None, Field(ge=1, description="Tokens that a team may use in a day (UTC); empty for no bound")
    ] = None
    daily_dollars: Annotated[
        Dollars | None, Field(description="Dollars that a team may spend in a day (UTC), by the prices below")
    ] = None
    input_price: Annotated[Dollars, Field(description="Dollars for a million tokens of input; 0 counts no cost")] = 0.0
    output_price: Annotated[Dollars, Field(description="Dollars for a million tokens of output")] = 0.0
    search_price: Annotated[Dollars, Field(description="Dollars for a thousand searches")] = 0.0

    history: Annotated[
        Names,
        Field(description="Teams whose searches are kept for them to read and delete, comma-separated; empty for none"),
    ] = ()
    history_days: Annotated[
        float, Field(gt=0, le=3_650, allow_inf_nan=False, description="Days that such a search is kept")
    ] = 30.0

    @field_validator("api_key")
    @classmethod
    def _sendable(cls, given: SecretStr | None) -> SecretStr | None:
        key = given.get_secret_value().strip() if given is not None else ""
        if not all("!" <= character <= "~" for character in key):
            raise ValueError("give the key as it was issued: printable ASCII without blanks")
        return SecretStr(key) if key else None

    @property
    def missing(self) -> list[str]:
        """Name the settings without which nobody can be asked."""
        return ["OPENAI_API_KEY"] if self.api_key is None else []

    @property
    def policy(self) -> Policy:
        """Say how the provider is treated."""
        return Policy(
            calls=self.calls_per_10_minutes,
            window=_WINDOW_SECONDS,
            attempts=2,
            attempt_timeout=self.timeout,
            deadline=self.timeout,
            longest_wait=self.timeout,
            failures=_SUSTAINED,
            time_out_opens=False,
            cache_seconds=self.cache_seconds,
        )
