"""One backend for a catalog: GraphQL where the stack has it, else Elasticsearch; chosen when first needed."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from indexer.errors import PlatformError
from indexer.tenancy import Principal
from mcp_server.features.quilt.api.connection import QuiltConnection
from mcp_server.features.quilt.backend import CAPABILITIES
from mcp_server.features.quilt.elasticsearch.search import ElasticsearchSearch
from mcp_server.features.quilt.failures import NoRoute, StackChanged, Unreadable
from mcp_server.features.quilt.graphql.queries import BUCKETS
from mcp_server.features.quilt.graphql.schema import INTROSPECTION, stack_of
from mcp_server.features.quilt.graphql.search import GraphqlSearch
from mcp_server.features.quilt.results import BackendStatus, Status
from mcp_server.features.quilt.settings import QuiltSettings

_PASSING: Final = frozenset({"timeout", "unavailable", "provider", "rate_limit"})


@dataclass(frozen=True, slots=True)
class _Choice:
    backend: GraphqlSearch | ElasticsearchSearch
    made_at: float


class Selection:
    """Remembers the choice for some time. Failures are not remembered, but for what the status says."""

    def __init__(
        self, settings: QuiltSettings, connection: QuiltConnection, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._settings = settings
        self._connection = connection
        self._now = now
        self._lock = asyncio.Lock()
        self._choice: _Choice | None = None
        self._buckets: list[str] | None = None
        self._trouble: BackendStatus | None = None
        self.registry: str | None = None

    async def backend(
        self, principal: Principal, *, refresh: bool = False, instead_of: GraphqlSearch | None = None
    ) -> GraphqlSearch | ElasticsearchSearch:
        """Return the backend to ask, looking again where it is time, asked for, or one is not understood any more."""
        choice = self._choice
        async with self._lock:
            current = self._choice
            if current is not None and (current is not choice or not (refresh or self._is_due(current, instead_of))):
                return current.backend
            known = self.registry if instead_of is not None and not refresh else None
            try:
                backend = await self._chosen(principal, known)
            except PlatformError as error:
                if current is None or refresh or instead_of is not None or error.category not in _PASSING:
                    self.failed(error)
                    raise
                backend = current.backend  # nobody asked for another look, and it may still do
            self._choice = _Choice(backend, self._now())
            self._trouble = None
            return backend

    async def buckets(self, principal: Principal) -> list[str] | None:
        """Return the catalog's buckets; None where it cannot list them."""
        if self._buckets is None and self.registry is not None:
            try:
                data = await self._connection.graphql(principal, self.registry, BUCKETS, fresh=True)
                self._buckets = [str(each["name"]) for each in data["bucketConfigs"]]
            except (NoRoute, StackChanged, Unreadable, KeyError, TypeError):
                return None
        return self._buckets

    def failed(self, error: PlatformError) -> None:
        """Note what a search or a choice ended with, for the status."""
        if error.category == "authentication":
            self._trouble = unavailable("authentication_required")
        elif isinstance(error, NoRoute):
            self._choice = None
            self._trouble = unavailable("no_search")
        elif error.category in _PASSING - {"rate_limit"}:
            self._trouble = unavailable("unavailable")

    def succeeded(self) -> None:
        """Note that the catalog answered."""
        self._trouble = None

    @property
    def status(self) -> BackendStatus:
        """Say what is known, without asking anybody."""
        if self._trouble is not None:
            return self._trouble
        if self._choice is None:
            return unavailable("not_checked")
        name = self._choice.backend.name
        return BackendStatus(available=True, backend=name, capabilities=list(CAPABILITIES[name]), status="ready")

    def _is_due(self, choice: _Choice, instead_of: GraphqlSearch | None) -> bool:
        return choice.backend is instead_of or self._now() >= choice.made_at + self._settings.recheck_seconds

    async def _chosen(self, principal: Principal, known: str | None) -> GraphqlSearch | ElasticsearchSearch:
        """Look what the registry offers, where it is not known to have stayed where it was."""
        registry = known or await self._connection.registry(principal, str(self._settings.catalog_url))
        self.registry = registry
        self._buckets = list(self._settings.buckets) or None
        try:
            data = await self._connection.graphql(principal, registry, {"query": INTROSPECTION}, fresh=True)
        except (NoRoute, Unreadable):
            return ElasticsearchSearch(self._connection, registry, self._buckets)
        except StackChanged:
            data = {}  # it is there, and does not tell what it knows
        stack = stack_of(data)
        if stack is not None and stack.searches:
            return GraphqlSearch(self._connection, registry, stack)
        return ElasticsearchSearch(self._connection, registry, await self.buckets(principal))


def unavailable(status: Status) -> BackendStatus:
    """Return the status of a search that cannot be used."""
    return BackendStatus(available=False, backend=None, capabilities=[], status=status)
