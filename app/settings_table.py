"""All settings of all packages as a table: with values for `trawl doctor`, with defaults for the reference."""

import re
from dataclasses import dataclass
from typing import Any, Final

from pydantic import SecretStr
from pydantic.fields import FieldInfo
from pydantic_settings import BaseSettings

from app.settings import AppSettings
from indexer.settings import IndexerSettings
from mcp_server.feature import upstreams_of
from mcp_server.features.all import FEATURES
from mcp_server.settings import McpSettings
from workers.settings import WorkerSettings

ALL_SETTINGS: Final[tuple[type[BaseSettings], ...]] = (
    AppSettings,
    IndexerSettings,
    WorkerSettings,
    McpSettings,
    *(upstream.settings for upstream in upstreams_of(FEATURES)),
)
MASK: Final = "********"
_CREDENTIALS: Final = re.compile(r"(?<=://)[^/@\s,]*@")


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting, safe to print: secrets are masked."""

    name: str
    value: str
    given: bool
    description: str


def with_defaults(kind: type[BaseSettings]) -> list[Setting]:
    """Return a package's settings with their defaults."""
    return [
        Setting(
            _variable_name(kind, name),
            # A computed default depends on the machine; its description says what it is.
            "" if field.default_factory else _render_value(field.get_default()),
            given=False,
            description=field.description or "",
        )
        for name, field in _fields(kind)
    ]


def with_values(settings: BaseSettings) -> list[Setting]:
    """Return a package's settings with their values, secrets masked."""
    kind = type(settings)
    return [
        Setting(
            _variable_name(kind, name),
            _render_value(getattr(settings, name)),
            given=name in settings.model_fields_set,
            description=field.description or "",
        )
        for name, field in _fields(kind)
    ]


def _fields(kind: type[BaseSettings]) -> list[tuple[str, FieldInfo]]:
    return list(kind.model_fields.items())


def _variable_name(kind: type[BaseSettings], name: str) -> str:
    alias = kind.model_fields[name].validation_alias
    return alias if isinstance(alias, str) else f"{kind.model_config.get('env_prefix', '')}{name}".upper()


def _render_value(value: Any) -> str:
    match value:
        case None:
            return ""
        case SecretStr():
            return MASK
        case bool():
            return str(value).lower()
        case list() | tuple():
            return ",".join(_render_value(part) for part in value)
        case _:
            return _CREDENTIALS.sub(f"{MASK}@", str(value))
