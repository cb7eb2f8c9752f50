"""What handlers work with; built by the application."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from indexer.connections.connections import Connections
from indexer.library import Library
from indexer.tenancy import Principal
from mcp_server.access.limits.limits import CallLimits
from mcp_server.access.token_store import TokenStore
from mcp_server.admission import Admission
from mcp_server.audit.call_audit import CallAudit
from mcp_server.feature import Feature
from mcp_server.json_body.bounds import BodyBounds
from mcp_server.observability.call_metrics import CallMetrics
from mcp_server.sandbox import marked
from mcp_server.search_counts.counter import SearchCounter
from mcp_server.selection import Selection
from mcp_server.upstream.upstream import Upstream, UpstreamService
from mcp_server.upstream.upstreams import Upstreams
from workers.enqueue import Background
from workers.uploads import Uploads

A = TypeVar("A")
R = TypeVar("R")
Result = TypeVar("Result", bound=Mapping[str, object])
S = TypeVar("S", bound=UpstreamService)


@dataclass(frozen=True, slots=True)
class Services:
    """Everything that a handler may use."""

    library: Library
    background: Background
    uploads: Uploads
    upstreams: Upstreams
    tokens: TokenStore
    audit: CallAudit
    limits: CallLimits
    searches: SearchCounter
    features: tuple[Feature, ...]
    selection: Selection
    public_url: str
    """The URL at which clients reach this service, without a trailing slash."""
    needs_token: bool = False
    """Whether every caller over HTTP needs a token."""
    has_issuer: bool = False
    """Whether callers can sign in at an OpenID Connect issuer."""
    connections: Connections = field(default_factory=lambda: Connections(None, ()))
    """The settings that differ by team."""
    admission: Admission = field(default_factory=Admission)
    metrics: CallMetrics = field(default_factory=CallMetrics)
    bodies: BodyBounds = field(default_factory=BodyBounds)
    """Checks the JSON of request bodies before it is parsed."""


def on_library(
    call: Callable[[Library, Principal, A], Awaitable[R]],
) -> Callable[[Services, Principal, A], Awaitable[R]]:
    """Make a handler of a library function."""

    def handler(services: Services, principal: Principal, arguments: A) -> Awaitable[R]:
        return call(services.library, principal, arguments)

    return handler


def on_background(
    call: Callable[[Background, Principal, A], R],
) -> Callable[[Services, Principal, A], Awaitable[R]]:
    """Make a handler of a blocking function about jobs; it runs in a thread."""

    def handler(services: Services, principal: Principal, arguments: A) -> Awaitable[R]:
        return asyncio.to_thread(call, services.background, principal, arguments)

    return handler


def on_upstream(
    upstream: Upstream[S],
    call: Callable[[S, Principal, A], Awaitable[Result]],
) -> Callable[[Services, Principal, A], Awaitable[Result]]:
    """Make a handler of a method of an upstream's service; results from a sandbox are marked."""

    async def handler(services: Services, principal: Principal, arguments: A) -> Result:
        async with services.upstreams.call(principal.team, upstream) as service:
            result = await call(service, principal, arguments)
            return marked(result) if service.is_sandbox else result

    return handler
