"""All sources, bound to one caller."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from typing import Final, get_args

from indexer.tenancy import Principal
from mcp_server.admission import allows
from mcp_server.search_source import Answer, Question, SearchSource, SourceName
from mcp_server.services import Services

_DEADLINE_SHARE: Final = 0.8
"""The share of the search timeout that a source gets; the rest is for returning the other results."""


@dataclass(frozen=True, slots=True)
class Source:
    """A source bound to one caller; `ask` raises `PlatformError`, also if the source is not configured."""

    name: SourceName
    tool: str
    """The tool that searches this source alone."""
    is_configured: bool
    deadline: float
    """Its deadline in seconds."""
    ask: Callable[[Question], Awaitable[Answer]]
    is_allowed: bool = True
    """Whether the caller's token allows it."""
    is_sandbox: bool = False
    """Whether what it finds are samples."""


def sources_of(services: Services, principal: Principal) -> tuple[Source, ...]:
    """Return all sources, configured or not, in the order of `SourceName`."""
    declared = [feature.source for feature in services.features if feature.source is not None]
    declared.sort(key=lambda source: get_args(SourceName).index(source.name))
    return tuple(_build_source(each, services, principal) for each in declared)


def _build_source(declared: SearchSource, services: Services, principal: Principal) -> Source:
    upstreams = services.upstreams.of(principal.team)
    return Source(
        declared.name,
        declared.operation.name,
        is_configured=declared.upstream is None or upstreams[declared.upstream].is_configured,
        is_allowed=allows(principal, declared.operation),
        deadline=declared.seconds or services.library.search_timeout * _DEADLINE_SHARE,
        ask=partial(declared.ask, services, principal),
        is_sandbox=declared.upstream is not None and upstreams[declared.upstream].is_sandbox,
    )
