"""An upstream as its feature declares it: its settings, and how it is opened from them."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from pydantic_settings import BaseSettings

from indexer.engines.port import Records
from mcp_server.upstream.guard.guard import Shared
from mcp_server.upstream.telemetry import Telemetry


class UpstreamService(Protocol):
    """What every upstream's service has."""

    @property
    def is_configured(self) -> bool:
        """Whether its settings are complete; that does not mean that it answers."""

    @property
    def telemetry(self) -> Telemetry:
        """Counts of what was asked and what became of it."""

    async def aclose(self) -> None:
        """Close its connections, in the event loop that used them."""


S = TypeVar("S", bound=UpstreamService)


@dataclass(frozen=True, slots=True)
class Opening:
    """What an upstream is opened with besides its settings."""

    key: bytes
    """The service's secret key."""
    shared: Shared
    records: Records | None


@dataclass(frozen=True, slots=True)
class Upstream(Generic[S]):
    """A service elsewhere; `open` contacts nothing."""

    name: str
    settings: type[BaseSettings]
    open: Callable[[Any, Opening], S]
