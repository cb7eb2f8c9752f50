"""Declares web search as an upstream: its settings and how its service is built."""

from typing import Final

import orjson

from mcp_server.features.web.failures import ERROR_MESSAGES
from mcp_server.features.web.history import History
from mcp_server.features.web.provider.budget import Budget
from mcp_server.features.web.provider.client import WebClient
from mcp_server.features.web.service import WebService
from mcp_server.features.web.settings import WebSettings
from mcp_server.upstream.guard.guard import Guard, SharedGate
from mcp_server.upstream.guard.sealed_cache import SealedCache
from mcp_server.upstream.telemetry import Hashes
from mcp_server.upstream.upstream import Opening, Upstream


def open_web(settings: WebSettings, opening: Opening) -> WebService:
    """Build the web search service without sending a request; the records store the history."""
    key, shared, records = opening.key, opening.shared, opening.records
    hashes = Hashes(key, "web")
    # The address is part of the name, so that only processes with the same provider share rate limits.
    name = f"web:{hashes.name(settings.base_url)}"
    policy = settings.policy
    guard = Guard(
        "web",
        policy,
        ERROR_MESSAGES,
        SharedGate(name, policy, shared),
        hashes,
        cache=SealedCache(name, key, policy.cache_seconds, shared),
        count=_count_citations,
    )
    budget = Budget(name, settings, hashes, shared)
    guard.telemetry.daily_limits, guard.telemetry.daily_usage = budget.limits, budget.usage_today
    return WebService(settings, guard, budget, WebClient(settings), History(settings, records))


def _count_citations(body: bytes) -> int:
    return len(orjson.loads(body)["citations"])


WEB: Final = Upstream("web", WebSettings, open_web, required_settings=("OPENAI_API_KEY",))
