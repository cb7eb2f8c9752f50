"""Which domains a search may use: those of its type, as far as the operator allows them."""

from collections.abc import Mapping, Sequence

from indexer.errors import Invalid
from mcp_server.features.web.arguments import SearchType
from mcp_server.features.web.provider.addresses import is_within
from mcp_server.features.web.settings import WebSettings


def searched_domains(kind: SearchType, settings: WebSettings) -> tuple[str, ...]:
    """Return the domains for this type of search; empty for all. `Invalid` if none of its domains is allowed."""
    presets: Mapping[str, tuple[str, ...]] = {"news": settings.news_domains, "academic": settings.academic_domains}
    preset, allowed = presets.get(kind, ()), settings.allowed_domains
    if not preset or not allowed:
        return preset or allowed
    common = _common(preset, allowed)
    if not common:
        raise Invalid(
            f"No domain for type {kind} is allowed here",
            action=f"Search with type general; the operator can add domains to TRAWL_WEB_ALLOWED_DOMAINS or change "
            f"TRAWL_WEB_{kind.upper()}_DOMAINS",
        )
    return common


def _common(some: Sequence[str], others: Sequence[str]) -> tuple[str, ...]:
    """Return the narrower domain of each pair that contains one another."""
    narrower = [domain for domain in some if is_within(domain, others)]
    return tuple(dict.fromkeys([*narrower, *(domain for domain in others if is_within(domain, some))]))
