"""How every package reads its settings: from the environment or `.env`, when it is asked to, never at import."""

from typing import Annotated, TypeVar
from urllib.parse import urlsplit

from pydantic import AfterValidator, BeforeValidator, ValidationError
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict, SettingsError

from indexer.errors import NotConfigured


class EnvironmentSettings(BaseSettings):
    """TRAWL_* settings; a wrong value is never repeated."""

    model_config = SettingsConfigDict(
        env_prefix="TRAWL_",
        env_file=".env",
        env_ignore_empty=True,
        extra="ignore",
        frozen=True,
        hide_input_in_errors=True,
    )


def comma_separated(given: object) -> object:
    """Read a comma-separated list, as settings from the environment are written."""
    if not isinstance(given, str):
        return given
    return tuple(name.strip() for name in given.split(",") if name.strip())


def comma_separated_lowered(given: object) -> object:
    """As `comma_separated`, for names in which case means nothing."""
    return comma_separated(given.lower() if isinstance(given, str) else given)


def _address(given: str) -> str:
    parts = urlsplit(given)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise ValueError("give a whole URL that starts with http:// or https://")
    return given.rstrip("/")


Names = Annotated[tuple[str, ...], NoDecode, BeforeValidator(comma_separated)]
Address = Annotated[str, AfterValidator(_address)]
"""A whole web address, without a slash at its end."""

Settings = TypeVar("Settings", bound=BaseSettings)


def read_settings(kind: type[Settings]) -> Settings:
    """Read settings of any package from the environment; a wrong one is named without its value."""
    try:
        return kind()
    except ValidationError as error:
        prefix = str(kind.model_config.get("env_prefix", ""))
        wrong = {
            ".".join(str(part) for part in problem["loc"][:1]): problem["msg"]
            for problem in error.errors(include_input=False, include_url=False, include_context=False)
        }
        # A setting with a name of its own is told by that, the others by their field.
        named = {name: f"{prefix}{name}".upper() if name in kind.model_fields else name for name in wrong}
        told = "; ".join(f"{named[name]}: {message}" for name, message in wrong.items())
        raise NotConfigured(
            f"Wrong settings: {told}", action="Correct these in the environment or in .env, then start again"
        ) from None
    except SettingsError as error:
        raise NotConfigured(str(error), action="Correct it in the environment or in .env, then start again") from None
