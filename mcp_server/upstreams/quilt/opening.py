"""Opens Quilt from its settings."""

from indexer.cursors import Cursors
from indexer.engines.port import Records
from mcp_server.logs import mask_logs
from mcp_server.upstreams.guard import Guard, Shared, SharedGate
from mcp_server.upstreams.quilt.connection import QuiltConnection
from mcp_server.upstreams.quilt.failures import WORDING
from mcp_server.upstreams.quilt.service import QuiltService
from mcp_server.upstreams.quilt.settings import QuiltSettings
from mcp_server.upstreams.quilt.token_store import TokenStore
from mcp_server.upstreams.quilt.tokens import API_KEY, ApiKey, RefreshToken, Tokens
from mcp_server.upstreams.telemetry import Hashes
from mcp_server.upstreams.transport import Transport


def open_quilt(settings: QuiltSettings, key: bytes, shared: Shared, records: Records | None = None) -> QuiltService:
    """Open Quilt without contacting it. The key is the service's secret one; records keep rotated tokens."""
    # The address of a search over Elasticsearch holds the query, and they write addresses down.
    mask_logs("httpx", "httpcore")
    hashes = Hashes(key, "quilt")
    token = "" if settings.token is None else settings.token.get_secret_value().strip()
    # Processes with the same connection share its limits and its tokens; another address or token has its own.
    name = f"quilt:{hashes.name(settings.catalog_url or '', token)}"
    guard = Guard("quilt", settings.policy, WORDING, SharedGate(name, settings.policy, shared), hashes)
    transport = Transport(WORDING)
    tokens: Tokens = (
        ApiKey(token)
        if token.startswith(API_KEY)
        else RefreshToken(token, transport, TokenStore(records, key, name), settings.timeout)
    )
    return QuiltService(settings, QuiltConnection(guard, transport, tokens), Cursors(key))
