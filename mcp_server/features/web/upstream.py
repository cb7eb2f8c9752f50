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
    # The key is part of the name, so that one team's failures do not open the circuit breaker of another. What all
    # teams may use together, and a team in a day, is counted by provider, also if a key is renewed.
    key_text = "" if settings.api_key is None else settings.api_key.get_secret_value()
    provider, name = (f"web:{hashes.name(*parts)}" for parts in ([settings.base_url], [settings.base_url, key_text]))
    policy = settings.policy
    guard = Guard(
        "web",
        policy,
        ERROR_MESSAGES,
        SharedGate(name, policy, shared, total_name=provider),
        hashes,
        cache=SealedCache(name, key, policy.cache_seconds, shared),
        count=_count_citations,
        telemetry=opening.telemetry,
    )
    budget = Budget(provider, settings, hashes, shared)
    guard.telemetry.budgets[opening.owner or ""] = budget
    return WebService(settings, guard, budget, WebClient(settings), History(settings, records))


def _count_citations(body: bytes) -> int:
    return len(orjson.loads(body)["citations"])


WEB: Final = Upstream("web", WebSettings, open_web, required_settings=("OPENAI_API_KEY",))
