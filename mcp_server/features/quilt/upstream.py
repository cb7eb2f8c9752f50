"""Quilt as an upstream: its settings, and how it is opened."""

from typing import Final

from indexer.cursors import Cursors
from mcp_server.features.quilt.api.connection import QuiltConnection
from mcp_server.features.quilt.api.token_store import TokenStore
from mcp_server.features.quilt.api.tokens import API_KEY, ApiKey, RefreshToken, Tokens
from mcp_server.features.quilt.failures import WORDING
from mcp_server.features.quilt.service import QuiltService
from mcp_server.features.quilt.settings import QuiltSettings
from mcp_server.observability.sdk_logs import mask_logs
from mcp_server.upstream.guard.guard import Guard, SharedGate
from mcp_server.upstream.telemetry import Hashes
from mcp_server.upstream.transport import Transport
from mcp_server.upstream.upstream import Opening, Upstream


def open_quilt(settings: QuiltSettings, opening: Opening) -> QuiltService:
    """Open Quilt without contacting it; records keep rotated tokens."""
    key, shared, records = opening.key, opening.shared, opening.records
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


QUILT: Final = Upstream("quilt", QuiltSettings, open_quilt)
