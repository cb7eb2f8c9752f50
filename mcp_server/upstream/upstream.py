"""An upstream as its feature declares it: its settings, and how to open it from them."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, Literal, Protocol, TypeVar

from pydantic_settings import BaseSettings

from indexer.connections.section import Section
from indexer.engines.record_port import Records
from indexer.tenancy import TeamId
from mcp_server.shared import Shared
from mcp_server.upstream.telemetry import Telemetry


class UpstreamService(Protocol):
    """The interface of every upstream's service."""

    @property
    def is_configured(self) -> bool:
        """Whether its settings are complete; the upstream may still be unavailable."""

    @property
    def is_sandbox(self) -> bool:
        """Whether its settings are those of a sandbox, whose data are samples."""

    @property
    def telemetry(self) -> Telemetry:
        """Counts of calls by outcome."""

    async def aclose(self) -> None:
        """Close its connections, in the event loop that used them."""


S = TypeVar("S", bound=UpstreamService)


@dataclass(frozen=True, slots=True)
class Opening:
    """What an upstream needs besides its settings to be opened."""

    keys: tuple[bytes, ...]
    """The service's secret keys: the current one, then those with which only is read."""
    shared: Shared
    records: Records | None
    telemetry: Telemetry | None = None
    """Counts the calls of all connections to the upstream; None for one of its own."""
    owner: TeamId | None = None
    """The team that has the connection alone; None if teams share it."""

    @property
    def key(self) -> bytes:
        """The current secret key."""
        return self.keys[0]


@dataclass(frozen=True, slots=True)
class Upstream(Generic[S]):
    """An external service; `open` makes no request."""

    name: str
    settings: type[BaseSettings]
    open: Callable[[Any, Opening], S]
    required_settings: tuple[str, ...]
    """The settings without which it is not configured."""
    rights: Literal["service account"] | None = None
    """Whose rights decide which data it returns; None if it has no such rights."""

    @property
    def section(self) -> Section[BaseSettings]:
        """Where the connections have its settings."""
        return Section(self.name, self.settings)
