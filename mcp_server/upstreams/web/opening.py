"""Opens web search from its settings."""

import orjson

from indexer.engines.port import Records
from mcp_server.upstreams.guard import Guard, Shared, SharedGate
from mcp_server.upstreams.sealed_cache import SealedCache
from mcp_server.upstreams.telemetry import Hashes
from mcp_server.upstreams.web.budget import Budget
from mcp_server.upstreams.web.client import WebClient
from mcp_server.upstreams.web.failures import WORDING
from mcp_server.upstreams.web.history import History
from mcp_server.upstreams.web.service import WebService
from mcp_server.upstreams.web.settings import WebSettings


def open_web(settings: WebSettings, key: bytes, shared: Shared, records: Records | None = None) -> WebService:
    """Open web search without contacting anybody. The key is the service's secret one, history is kept in records."""
    hashes = Hashes(key, "web")
    # Processes that ask the same provider share their limits; another address has its own.
    name = f"web:{hashes.name(settings.base_url)}"
    policy = settings.policy
    guard = Guard(
        "web",
        policy,
        WORDING,
        SharedGate(name, policy, shared),
        hashes,
        cache=SealedCache(name, key, policy.cache_seconds, shared),
        count=_sources,
    )
    budget = Budget(name, settings, hashes, shared)
    return WebService(settings, guard, budget, WebClient(settings), History(settings, records))


def _sources(body: bytes) -> int:
    return len(orjson.loads(body)["citations"])
