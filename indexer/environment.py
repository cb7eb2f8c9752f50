"""Reads the settings of every package from the environment or `.env`; never at import."""

from typing import Annotated, TypeVar
from urllib.parse import urlsplit

from pydantic import AfterValidator, BeforeValidator, ValidationError
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict, SettingsError

from indexer.environment_value import ENVIRONMENT_FILE, unreadable_environment_file
from indexer.errors import NotConfigured


class EnvironmentSettings(BaseSettings):
    """The base class of all TRAWL_* settings; errors never repeat a value."""

    model_config = SettingsConfigDict(
        env_prefix="TRAWL_",
        env_file=ENVIRONMENT_FILE,
        env_ignore_empty=True,
        extra="ignore",
        frozen=True,
        hide_input_in_errors=True,
    )


def comma_separated(value: object) -> object:
    """Split a comma-separated setting into a tuple."""
    if not isinstance(value, str):
        return value
    return tuple(name.strip() for name in value.split(",") if name.strip())


def comma_separated_lowered(value: object) -> object:
    """Split a comma-separated setting of case-insensitive names into a tuple, in lower case."""
    return comma_separated(value.lower() if isinstance(value, str) else value)


def _check_address(value: str) -> str:
    parts = urlsplit(value)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise ValueError("give a whole URL that starts with http:// or https://")
    return value.rstrip("/")


Names = Annotated[tuple[str, ...], NoDecode, BeforeValidator(comma_separated)]
Address = Annotated[str, AfterValidator(_check_address)]
"""An absolute HTTP URL, without a trailing slash."""

Settings = TypeVar("Settings", bound=BaseSettings)


def read_settings(kind: type[Settings]) -> Settings:
    """Read the settings of a package from the environment; an error names a wrong setting without its value."""
    try:
        return kind()
    except ValidationError as error:
        prefix = str(kind.model_config.get("env_prefix", ""))
        problems = {
            ".".join(str(part) for part in problem["loc"][:1]): problem["msg"]
            for problem in error.errors(include_input=False, include_url=False, include_context=False)
        }
        # A location that is no field is an alias: the full name of its variable.
        variables = {name: f"{prefix}{name}".upper() if name in kind.model_fields else name for name in problems}
        listed = "; ".join(f"{variables[name]}: {message}" for name, message in problems.items())
        raise NotConfigured(
            f"Wrong settings: {listed}", action="Correct these in the environment or in .env, then start again"
        ) from None
    except UnicodeDecodeError:
        raise unreadable_environment_file() from None
    except SettingsError as error:
        raise NotConfigured(str(error), action="Correct it in the environment or in .env, then start again") from None
