"""OSDU as an upstream: its settings, and how it is opened."""

from typing import Final

from indexer.cursors import Cursors
from mcp_server.features.osdu.api.connection import OsduConnection
from mcp_server.features.osdu.api.failures import WORDING
from mcp_server.features.osdu.paging.reading import Reading
from mcp_server.features.osdu.service import OsduService
from mcp_server.features.osdu.settings import OsduSettings
from mcp_server.upstream.guard.guard import Guard, SharedGate
from mcp_server.upstream.telemetry import Hashes
from mcp_server.upstream.upstream import Opening, Upstream


def open_osdu(settings: OsduSettings, opening: Opening) -> OsduService:
    """Open OSDU without contacting it."""
    key, shared = opening.key, opening.shared
    hashes = Hashes(key, "osdu")
    # Processes with the same connection share its limits; another address or partition has its own.
    name = f"osdu:{hashes.name(settings.url or '', settings.partition or '')}"
    guard = Guard("osdu", settings.policy, WORDING, SharedGate(name, settings.policy, shared), hashes)
    return OsduService(OsduConnection(settings, guard), Reading(shared, hashes), Cursors(key))


OSDU: Final = Upstream("osdu", OsduSettings, open_osdu)
