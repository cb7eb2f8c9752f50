"""Opens the upstreams from their settings, and closes them."""

from dataclasses import dataclass

from indexer.engines.port import Records
from mcp_server.upstreams.guard import Shared
from mcp_server.upstreams.osdu.opening import open_osdu
from mcp_server.upstreams.osdu.service import OsduService
from mcp_server.upstreams.quilt.opening import open_quilt
from mcp_server.upstreams.quilt.service import QuiltService
from mcp_server.upstreams.settings import UpstreamSettings
from mcp_server.upstreams.telemetry import Telemetry
from mcp_server.upstreams.web.opening import open_web
from mcp_server.upstreams.web.service import WebService


@dataclass(frozen=True, slots=True)
class Upstreams:
    """All upstreams; those without settings say so when they are asked."""

    osdu: OsduService
    quilt: QuiltService
    web: WebService
    shared: Shared

    @property
    def telemetry(self) -> tuple[Telemetry, ...]:
        """Counts of each upstream, for metrics."""
        return (self.osdu.telemetry, self.quilt.telemetry, self.web.telemetry)

    async def aclose(self) -> None:
        """Close everything, in the event loop that used it."""
        await self.osdu.aclose()
        await self.quilt.aclose()
        await self.web.aclose()
        await self.shared.aclose()


def open_upstreams(
    settings: UpstreamSettings,
    *,
    key: bytes,
    redis_url: str | None,
    redis_patience: float = 1.0,
    records: Records | None = None,
) -> Upstreams:
    """Open all upstreams, contacting nothing. The key is the service's own; records keep histories and tokens."""
    shared = Shared(redis_url, patience=redis_patience)
    return Upstreams(
        osdu=open_osdu(settings.osdu, key, shared),
        quilt=open_quilt(settings.quilt, key, shared, records),
        web=open_web(settings.web, key, shared, records),
        shared=shared,
    )
