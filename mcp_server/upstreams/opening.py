"""Opens the upstreams from their settings, and closes them."""

from dataclasses import dataclass

from mcp_server.upstreams.guard import Shared
from mcp_server.upstreams.osdu.opening import open_osdu
from mcp_server.upstreams.osdu.service import OsduService
from mcp_server.upstreams.settings import UpstreamSettings
from mcp_server.upstreams.telemetry import Telemetry


@dataclass(frozen=True, slots=True)
class Upstreams:
    """All upstreams; those without settings say so when they are asked."""

    osdu: OsduService
    shared: Shared

    @property
    def telemetry(self) -> tuple[Telemetry, ...]:
        """Counts of each upstream, for metrics."""
        return (self.osdu.telemetry,)

    async def aclose(self) -> None:
        """Close everything, in the event loop that used it."""
        await self.osdu.aclose()
        await self.shared.aclose()


def open_upstreams(
    settings: UpstreamSettings, *, key: bytes, redis_url: str | None, redis_patience: float = 1.0
) -> Upstreams:
    """Open all upstreams without contacting anything. The key is the service's secret one."""
    shared = Shared(redis_url, patience=redis_patience)
    return Upstreams(osdu=open_osdu(settings.osdu, key, shared), shared=shared)
