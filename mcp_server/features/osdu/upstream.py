"""Declares OSDU as an upstream: its settings and how its service is built."""

from typing import Final

from indexer.cursors import Cursors
from mcp_server.features.osdu.api.connection import OsduConnection
from mcp_server.features.osdu.api.failures import ERROR_MESSAGES
from mcp_server.features.osdu.paging.stream_reader import StreamReader
from mcp_server.features.osdu.service import OsduService
from mcp_server.features.osdu.settings import OsduSettings
from mcp_server.upstream.guard.guard import Guard, SharedGate
from mcp_server.upstream.telemetry import Hashes
from mcp_server.upstream.upstream import Opening, Upstream


def open_osdu(settings: OsduSettings, opening: Opening) -> OsduService:
    """Build the OSDU service without sending a request."""
    key, shared = opening.key, opening.shared
    hashes = Hashes(key, "osdu")
    # The address and partition are part of the name, so that only processes with the same ones share rate limits.
    name = f"osdu:{hashes.name(settings.url or '', settings.partition or '')}"
    guard = Guard("osdu", settings.policy, ERROR_MESSAGES, SharedGate(name, settings.policy, shared), hashes)
    return OsduService(OsduConnection(settings, guard), StreamReader(shared, hashes), Cursors(key))


OSDU: Final = Upstream(
    "osdu",
    OsduSettings,
    open_osdu,
    required_settings=("TRAWL_OSDU_URL", "TRAWL_OSDU_PARTITION", "TRAWL_OSDU_TOKEN"),
    rights="service account",
)
