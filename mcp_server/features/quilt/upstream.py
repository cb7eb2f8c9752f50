"""Declares Quilt as an upstream: its settings and how its service is built."""

from typing import Final

from indexer.cursors import Cursors
from mcp_server.features.quilt.api.connection import QuiltConnection
from mcp_server.features.quilt.api.token_store import TokenStore
from mcp_server.features.quilt.api.tokens import API_KEY_PREFIX, ApiKey, RefreshToken, Tokens
from mcp_server.features.quilt.failures import ERROR_MESSAGES
from mcp_server.features.quilt.service import QuiltService
from mcp_server.features.quilt.settings import QuiltSettings
from mcp_server.observability.sdk_logs import mask_logs
from mcp_server.upstream.guard.guard import Guard, SharedGate
from mcp_server.upstream.telemetry import Hashes
from mcp_server.upstream.transport import Transport
from mcp_server.upstream.upstream import Opening, Upstream


def open_quilt(settings: QuiltSettings, opening: Opening) -> QuiltService:
    """Build the Quilt service without sending a request; the records store rotated tokens."""
    key, shared = opening.key, opening.shared
    # These libraries log URLs, and the URL of a search over Elasticsearch contains the query.
    mask_logs("httpx", "httpcore")
    hashes = Hashes(key, "quilt")
    token = "" if settings.token is None else settings.token.get_secret_value().strip()
    # Address and token are part of the name, so that only processes with the same ones share rate limits and tokens.
    identity = settings.catalog_url or "", token
    gate = SharedGate(_name(key, identity), settings.policy, shared)
    guard = Guard("quilt", settings.policy, ERROR_MESSAGES, gate, hashes, telemetry=opening.telemetry)
    transport = Transport(ERROR_MESSAGES)
    tokens: Tokens = (
        ApiKey(token)
        if token.startswith(API_KEY_PREFIX)
        else RefreshToken(token, transport, _token_store(opening, identity), settings.timeout)
    )
    return QuiltService(settings, QuiltConnection(guard, transport, tokens), Cursors(*opening.keys))


def _name(key: bytes, identity: tuple[str, str]) -> str:
    return f"quilt:{Hashes(key, 'quilt').name(*identity)}"


def _token_store(opening: Opening, identity: tuple[str, str]) -> TokenStore:
    store = None
    for key in reversed(opening.keys[1:]):
        store = TokenStore(opening.records, key, _name(key, identity), opening.owner, store)
    return TokenStore(opening.records, opening.key, _name(opening.key, identity), opening.owner, store)


QUILT: Final = Upstream(
    "quilt", QuiltSettings, open_quilt, required_settings=("TRAWL_QUILT_CATALOG_URL", "TRAWL_QUILT_TOKEN")
)
