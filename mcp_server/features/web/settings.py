"""Settings OPENAI_* and TRAWL_WEB_*: the model, its credentials, limits and prices."""

from typing import Annotated, Final, Literal

from pydantic import BeforeValidator, Field, SecretStr, field_validator
from pydantic_settings import NoDecode, SettingsConfigDict

from indexer.environment import Address, EnvironmentSettings, Names, comma_separated, comma_separated_lowered
from mcp_server.upstream.guard.policy import Policy

MARKET: Final = ("market", "polymarket", "prediction", "event", "liquidity", "volume", "position", "bet", "odds")
FEEDS: Final = ("rss", "feed", "google news", "news feed", "subscribe")
ACADEMIC: Final = (
    *("aclanthology.org", "acm.org", "acs.org", "aip.org", "annualreviews.org", "aps.org", "arxiv.org", "biorxiv.org"),
    *("bmj.com", "cambridge.org", "cell.com", "chemrxiv.org", "doi.org", "elifesciences.org", "europepmc.org"),
    *("frontiersin.org", "geoscienceworld.org", "hal.science", "ieee.org", "iop.org", "jamanetwork.com", "jmlr.org"),
    *("jstor.org", "mdpi.com", "medrxiv.org", "nature.com", "ncbi.nlm.nih.gov", "nejm.org", "openalex.org"),
    *("openreview.net", "osti.gov", "oup.com", "plos.org", "pnas.org", "royalsocietypublishing.org", "rsc.org"),
    *("sagepub.com", "science.org", "sciencedirect.com", "semanticscholar.org", "siam.org", "springer.com", "ssrn.com"),
    *("tandfonline.com", "thelancet.com", "usenix.org", "wiley.com", "zenodo.org"),
)
_WINDOW_SECONDS: Final = 600.0
_MAX_DOMAINS: Final = 100
"""How many domains the provider accepts in a filter."""
_MAX_FAILURES: Final = 10
"""Failed requests in a row that open the circuit breaker: five calls with one retry each."""


def _is_none(value: object) -> bool:
    return isinstance(value, str) and value.strip().lower() == "none"


def _parse_words(value: object) -> object:
    return () if _is_none(value) else comma_separated(value)


def _parse_domains(value: object) -> object:
    return () if _is_none(value) else comma_separated_lowered(value)


Words = Annotated[tuple[str, ...], NoDecode, BeforeValidator(_parse_words)]
Domains = Annotated[
    tuple[Annotated[str, Field(pattern=r"^[a-z0-9-]+(\.[a-z0-9-]+)*$")], ...],
    NoDecode,
    BeforeValidator(_parse_domains),
]
Dollars = Annotated[float, Field(ge=0, le=1_000_000, allow_inf_nan=False)]


class WebSettings(EnvironmentSettings):
    """Read from the environment and `.env`; without a key `search_web` fails as not configured."""

    model_config = SettingsConfigDict(env_prefix="TRAWL_WEB_", populate_by_name=True)

    api_key: Annotated[SecretStr | None, Field(validation_alias="OPENAI_API_KEY", description="OpenAI API key")] = None
    base_url: Annotated[
        Address,
        Field(validation_alias="OPENAI_BASE_URL", description="Base URL of the Responses API, with its version"),
    ] = "https://api.openai.com/v1"
    model: Annotated[
        str,
        Field(
            pattern=r"^[A-Za-z0-9_.:/-]+$",
            max_length=100,
            description="Model to use; it must support the tool web_search",
        ),
    ] = "gpt-5-nano"
    max_output_tokens: Annotated[
        int, Field(ge=16, le=128_000, description="Maximum tokens of an answer, reasoning included")
    ] = 4_000
    reasoning_effort: Annotated[
        Literal["minimal", "low", "medium", "high"],
        Field(description="Effort of a reasoning model; some do not search with minimal"),
    ] = "low"
    temperature: Annotated[
        float, Field(ge=0, le=2, allow_inf_nan=False, description="Temperature; sent only to models without reasoning")
    ] = 0.0
    guard_market: Annotated[
        Words, Field(description="Reject questions about markets by these words and plurals, comma-separated; or none")
    ] = MARKET
    guard_feeds: Annotated[
        Words, Field(description="Reject questions about feeds by these words and plurals, comma-separated; or none")
    ] = FEEDS
    allowed_domains: Annotated[
        Domains,
        Field(
            max_length=_MAX_DOMAINS,
            description="Search only these domains and their subdomains, comma-separated, at most 100; empty for all",
        ),
    ] = ()
    news_domains: Annotated[
        Domains,
        Field(
            max_length=_MAX_DOMAINS,
            description="Search only these domains for type news, comma-separated, at most 100; empty for all",
        ),
    ] = ()
    academic_domains: Annotated[
        Domains,
        Field(
            max_length=_MAX_DOMAINS,
            description="Search only these domains for type academic, comma-separated, at most 100; or none for all",
        ),
    ] = ACADEMIC
    blocked_domains: Annotated[
        Domains, Field(description="Never cite these domains and their subdomains, comma-separated, like example.com")
    ] = ()
    calls_per_10_minutes: Annotated[
        int, Field(ge=1, le=100_000, description="Questions per user in 10 minutes; cached answers do not count")
    ] = 20
    calls_per_minute_total: Annotated[
        int | None,
        Field(ge=1, le=100_000, description="Questions of all teams together in a minute; empty for no limit"),
    ] = None
    timeout: Annotated[
        float, Field(gt=0, le=600, allow_inf_nan=False, description="Timeout of a question in seconds, retry included")
    ] = 15.0
    cache_seconds: Annotated[
        float, Field(ge=0, le=86_400, allow_inf_nan=False, description="Seconds that an answer is cached")
    ] = 300.0
    daily_calls: Annotated[
        int | None, Field(ge=1, description="Questions per team and day (UTC); empty for no limit")
    ] = None
    daily_tokens: Annotated[
        int | None, Field(ge=1, description="Tokens per team and day (UTC); empty for no limit")
    ] = None
    daily_dollars: Annotated[
        Dollars | None, Field(description="Dollars per team and day (UTC), by the prices below; empty for no limit")
    ] = None
    input_price: Annotated[Dollars, Field(description="Dollars per million input tokens; 0 counts no cost")] = 0.0
    output_price: Annotated[Dollars, Field(description="Dollars per million output tokens")] = 0.0
    search_price: Annotated[Dollars, Field(description="Dollars per thousand searches")] = 0.0

    history: Annotated[
        Names,
        Field(description="Teams whose searches are stored, to be listed and deleted, comma-separated; empty for none"),
    ] = ()
    history_days: Annotated[
        float, Field(gt=0, le=3_650, allow_inf_nan=False, description="Days that a search is stored")
    ] = 30.0

    @field_validator("api_key")
    @classmethod
    def _check_key(cls, value: SecretStr | None) -> SecretStr | None:
        key = value.get_secret_value().strip() if value is not None else ""
        if not all("!" <= character <= "~" for character in key):
            raise ValueError("give the key as it was issued: printable ASCII without blanks")
        return SecretStr(key) if key else None

    @property
    def missing(self) -> list[str]:
        """Names of the required settings that are not set."""
        return ["OPENAI_API_KEY"] if self.api_key is None else []

    @property
    def policy(self) -> Policy:
        """Timeouts, rate limit, circuit breaker and cache time for requests to the provider."""
        return Policy(
            calls=self.calls_per_10_minutes,
            window=_WINDOW_SECONDS,
            total_calls=self.calls_per_minute_total,
            attempts=2,
            attempt_timeout=self.timeout,
            deadline=self.timeout,
            longest_wait=self.timeout,
            failures=_MAX_FAILURES,
            time_out_opens=False,
            cache_seconds=self.cache_seconds,
        )
