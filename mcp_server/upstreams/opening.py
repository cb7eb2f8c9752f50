"""Opens the upstreams from their settings, and closes them."""

from dataclasses import dataclass

from indexer.cursors import Cursors
from mcp_server.upstreams.guard import Guard, Shared, SharedGate
from mcp_server.upstreams.osdu.connection import OsduConnection
from mcp_server.upstreams.osdu.failures import WORDING
from mcp_server.upstreams.osdu.reading import Reading
from mcp_server.upstreams.osdu.service import OsduService
from mcp_server.upstreams.osdu.settings import OsduSettings
from mcp_server.upstreams.telemetry import Hashes, Telemetry


@dataclass(frozen=True, slots=True)
class Upstreams:
    """All upstreams; those without settings say so when they are asked."""

    osdu: OsduService
    shared: Shared
    telemetry: tuple[Telemetry, ...]
    """Counts of each upstream, for metrics."""

    async def aclose(self) -> None:
        """Close everything, in the event loop that used it."""
        await self.osdu.aclose()
        await self.shared.aclose()


def open_upstreams(osdu: OsduSettings, *, key: bytes, redis_url: str | None, redis_patience: float = 1.0) -> Upstreams:
    """Open all upstreams without contacting anything. The key is the service's secret one."""
    shared = Shared(redis_url, patience=redis_patience)
    hashes = Hashes(key, "osdu")
    # Processes with the same connection share its limits; another address or partition has its own.
    name = f"osdu:{hashes.name(osdu.url or '', osdu.partition or '')}"
    guard = Guard("osdu", osdu.policy, WORDING, SharedGate(name, osdu.policy, shared), hashes)
    service = OsduService(OsduConnection(osdu, guard), Reading(shared, hashes), Cursors(key))
    return Upstreams(osdu=service, shared=shared, telemetry=(guard.telemetry,))
