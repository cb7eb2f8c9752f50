"""Opens OSDU from its settings."""

from indexer.cursors import Cursors
from mcp_server.upstreams.guard import Guard, Shared, SharedGate
from mcp_server.upstreams.osdu.connection import OsduConnection
from mcp_server.upstreams.osdu.failures import WORDING
from mcp_server.upstreams.osdu.reading import Reading
from mcp_server.upstreams.osdu.service import OsduService
from mcp_server.upstreams.osdu.settings import OsduSettings
from mcp_server.upstreams.telemetry import Hashes


def open_osdu(settings: OsduSettings, key: bytes, shared: Shared) -> OsduService:
    """Open OSDU without contacting it. The key is the service's secret one."""
    hashes = Hashes(key, "osdu")
    # Processes with the same connection share its limits; another address or partition has its own.
    name = f"osdu:{hashes.name(settings.url or '', settings.partition or '')}"
    guard = Guard("osdu", settings.policy, WORDING, SharedGate(name, settings.policy, shared), hashes)
    return OsduService(OsduConnection(settings, guard), Reading(shared, hashes), Cursors(key))
