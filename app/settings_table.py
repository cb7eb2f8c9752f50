"""All settings of all packages as a table: for the doctor, with values, and for the reference, with defaults."""

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
    """One setting as it may be shown to anybody."""

    name: str
    value: str
    given: bool
    description: str


def with_defaults(kind: type[BaseSettings]) -> list[Setting]:
    """Describe a package's settings with their defaults."""
    return [
        Setting(_variable(kind, name), _shown(field.get_default()), given=False, description=field.description or "")
        for name, field in _fields(kind)
    ]


def with_values(settings: BaseSettings) -> list[Setting]:
    """Describe a package's settings as they are, secrets masked."""
    kind = type(settings)
    return [
        Setting(
            _variable(kind, name),
            _shown(getattr(settings, name)),
            given=name in settings.model_fields_set,
            description=field.description or "",
        )
        for name, field in _fields(kind)
    ]


def _fields(kind: type[BaseSettings]) -> list[tuple[str, FieldInfo]]:
    return list(kind.model_fields.items())


def _variable(kind: type[BaseSettings], name: str) -> str:
    own = kind.model_fields[name].validation_alias
    return own if isinstance(own, str) else f"{kind.model_config.get('env_prefix', '')}{name}".upper()


def _shown(value: Any) -> str:
    match value:
        case None:
            return ""
        case SecretStr():
            return MASK
        case bool():
            return str(value).lower()
        case list() | tuple():
            return ",".join(_shown(part) for part in value)
        case _:
            return _CREDENTIALS.sub(f"{MASK}@", str(value))
