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
    # Address and credentials are part of the name: only equal connections share rate limits and the circuit breaker.
    name = f"osdu:{hashes.name(*_identity(settings))}"
    gate = SharedGate(name, settings.policy, shared)
    guard = Guard("osdu", settings.policy, ERROR_MESSAGES, gate, hashes, telemetry=opening.telemetry)
    return OsduService(OsduConnection(settings, guard), StreamReader(shared, hashes), Cursors(*opening.keys))


def _identity(settings: OsduSettings) -> list[str]:
    secrets = (secret.get_secret_value() if secret else "" for secret in (settings.token, settings.client_secret))
    return [settings.url or "", settings.partition or "", settings.token_url or "", settings.client_id or "", *secrets]


OSDU: Final = Upstream(
    "osdu",
    OsduSettings,
    open_osdu,
    required_settings=("TRAWL_OSDU_URL", "TRAWL_OSDU_PARTITION", "TRAWL_OSDU_TOKEN"),
    rights="service account",
)
