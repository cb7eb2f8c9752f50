"""The Quilt service: checks the arguments, searches with the catalog's backend, and builds pages of results."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final, TypeVar

from indexer.cursors import Binding, Cursors, bind
from indexer.errors import ExpiredView, Invalid, PlatformError
from indexer.search.truncate import truncate_page
from indexer.tenancy import Principal
from mcp_server.features.quilt.api.connection import QuiltConnection
from mcp_server.features.quilt.arguments import ListObjects, SearchCatalog
from mcp_server.features.quilt.backend import PageRequest, PageResult, Position, SearchBackend
from mcp_server.features.quilt.backend_choice import BackendSelector, unavailable
from mcp_server.features.quilt.failures import (
    NoRoute,
    StackChanged,
    not_configured,
    not_logged_in,
    unknown_bucket,
    with_context,
)
from mcp_server.features.quilt.graphql.search import GraphqlSearch
from mcp_server.features.quilt.hits import shorten_hit
from mcp_server.features.quilt.listing import SEARCH_ALTERNATIVE, ObjectLister
from mcp_server.features.quilt.query.catalog_query import CatalogQuery, build_catalog_query
from mcp_server.features.quilt.results import BackendStatus, CatalogInfo, ListObjectsResult, SearchCatalogResult
from mcp_server.features.quilt.settings import QuiltSettings
from mcp_server.upstream.telemetry import Telemetry
from workers.source_rights import SourceRights

_CURSOR_SOURCE: Final = "quilt"
_MAX_LISTED_BUCKETS: Final = 100
Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class CatalogCursor:
    """Where the next page begins."""

    total: int
    backend: str
    """The name of the backend whose position it is."""
    position: Position


class QuiltService:
    """The Quilt operations. Expected failures are raised as `PlatformError`."""

    def __init__(self, settings: QuiltSettings, connection: QuiltConnection, cursors: Cursors) -> None:
        self._settings = settings
        self._connection = connection
        self._cursors = cursors
        self._backends = BackendSelector(settings, connection)
        self._lister = ObjectLister(f"{settings.catalog_url}/s3" if settings.is_sandbox else None)

    @property
    def is_configured(self) -> bool:
        """Whether a catalog is set; it is not contacted."""
        return self._settings.catalog_url is not None

    @property
    def is_sandbox(self) -> bool:
        """Whether the catalog and its buckets are those of the sandbox."""
        return self._settings.is_sandbox

    @property
    def catalog_url(self) -> str | None:
        """The address of the catalog's web pages."""
        return self._settings.catalog_url

    @property
    def telemetry(self) -> Telemetry:
        """Counts of calls and their outcomes."""
        return self._connection.telemetry

    async def search_catalog(self, principal: Principal, arguments: SearchCatalog) -> SearchCatalogResult:
        """Search the catalog's index; every failure has a cause, an action and an alternative."""
        started = time.perf_counter()
        try:
            self._check_configured()
            result = await self._search(principal, arguments)
        except PlatformError as error:
            self._backends.record_failure(error)
            context = {
                "authenticated": self._connection.authenticated,
                "catalog_url": self._settings.catalog_url,
                "backend_status": self.status,
            }
            raise with_context(error, context) from None
        result["query_time_ms"] = round((time.perf_counter() - started) * 1_000)
        return result

    async def list_objects(self, rights: SourceRights, arguments: ListObjects) -> ListObjectsResult:
        """List a bucket in S3 that the team may read; the catalog is not contacted."""
        try:
            return await asyncio.to_thread(self._lister.list, rights, arguments)
        except PlatformError as error:
            error.alternatives = SEARCH_ALTERNATIVE | error.alternatives
            raise

    async def info(self, principal: Principal) -> CatalogInfo:
        """Ask the catalog which buckets can be searched, and describe it; expected failures only change the status."""
        buckets = None
        try:
            self._check_configured()
            buckets = await self._ask_backend(
                principal, lambda backend: backend.searchable_buckets(principal, fresh=True)
            )
        except PlatformError as error:
            self._backends.record_failure(error)
        return CatalogInfo(
            catalog_url=self._settings.catalog_url,
            registry_url=self._backends.registry,
            authenticated=self._connection.authenticated,
            search=self.status,
            buckets=sorted(buckets or ())[:_MAX_LISTED_BUCKETS],
            bucket_count=None if buckets is None else len(buckets),
        )

    @property
    def status(self) -> BackendStatus:
        """The status of the catalog's search by the last answer; no request is sent."""
        if not self.is_configured:
            return unavailable("not_configured")
        return unavailable("authentication_required") if self._settings.token is None else self._backends.status

    async def aclose(self) -> None:
        """Cancel a running token renewal and close the connections."""
        await self._connection.aclose()

    def _check_configured(self) -> None:
        if not self.is_configured:
            raise not_configured()
        if self._settings.token is None:
            raise not_logged_in()

    async def _search(self, principal: Principal, arguments: SearchCatalog) -> SearchCatalogResult:
        query = build_catalog_query(arguments)
        binding = _cursor_binding(principal, arguments)
        cursor = None if arguments.cursor is None else self._cursors.read(arguments.cursor, binding, CatalogCursor)
        page = PageRequest(
            limit=None if arguments.count_only else arguments.limit,
            position=None if cursor is None else cursor.position,
            fresh=arguments.refresh,
        )

        async def search(backend: SearchBackend) -> tuple[SearchBackend, PageResult]:
            _check_cursor_backend(backend, cursor)
            return backend, await self._search_page(principal, backend, query, page)

        backend, page_result = await self._ask_backend(principal, search, refresh=page.fresh)
        total = cursor.total if cursor is not None else page_result.total or 0
        if not total:
            await self._check_bucket(principal, backend, query)
        return self._result(arguments, backend, page_result, total, binding)

    async def _ask_backend(
        self, principal: Principal, ask: Callable[[SearchBackend], Awaitable[Answer]], *, refresh: bool = False
    ) -> Answer:
        """Ask the backend, and once more its replacement where the stack has changed."""
        backend = await self._backends.backend(principal, refresh=refresh)
        try:
            return await ask(backend)
        except (StackChanged, NoRoute):
            replacement = await self._replacement_backend(principal, backend)
            if replacement is None:
                raise
        return await ask(replacement)

    async def _search_page(
        self, principal: Principal, backend: SearchBackend, query: CatalogQuery, page: PageRequest
    ) -> PageResult:
        try:
            return await backend.search(principal, query, page)
        except Invalid:
            await self._check_bucket(principal, backend, query)
            raise

    async def _replacement_backend(self, principal: Principal, backend: SearchBackend) -> SearchBackend | None:
        """Detect the backend again; None where the stack has not changed."""
        if not isinstance(backend, GraphqlSearch):
            return None
        detected = await self._backends.backend(principal, instead_of=backend)
        return None if isinstance(detected, GraphqlSearch) and detected.stack == backend.stack else detected

    async def _check_bucket(self, principal: Principal, backend: SearchBackend, query: CatalogQuery) -> None:
        """Raise a failure with the closest names where the catalog lists its buckets without this one."""
        if query.bucket is None or not isinstance(backend, GraphqlSearch):
            return
        try:
            existing = await backend.searchable_buckets(principal, fresh=False)
        except PlatformError:
            return  # without the list the bucket cannot be checked
        if existing is not None and query.bucket not in existing:
            raise unknown_bucket(query.bucket, existing)

    def _result(
        self,
        arguments: SearchCatalog,
        backend: SearchBackend,
        page_result: PageResult,
        total: int,
        binding: Binding,
    ) -> SearchCatalogResult:
        truncated_page = truncate_page(page_result.hits, arguments.max_chars, shorten_hit, arguments.detail)
        position = None if arguments.count_only else page_result.position_after(len(truncated_page.hits))
        result = SearchCatalogResult(
            success=True,
            query=arguments.query,
            scope=arguments.scope,
            bucket=arguments.bucket,
            results=truncated_page.hits,
            total_results=total,
            query_time_ms=0,
            backend_used=backend.name,
            backend_status=self._backends.status,
            next_cursor=None,
            truncated=truncated_page.truncated,
        )
        if position is not None:
            result["next_cursor"] = self._cursors.write(CatalogCursor(total, backend.name, position), binding)
        if page_result.total_is_lower_bound:
            result["total_is_at_least"] = True
        if page_result.skipped_buckets:
            result["skipped_buckets"] = page_result.skipped_buckets
        return result


def _check_cursor_backend(backend: SearchBackend, cursor: CatalogCursor | None) -> None:
    """Raise `ExpiredView` for a cursor of another backend, whose positions are not valid here."""
    if cursor is not None and cursor.backend != backend.name:
        raise ExpiredView


def _cursor_binding(principal: Principal, arguments: SearchCatalog) -> Binding:
    """Bind a cursor to its caller and to everything that decides the order of the results."""
    search = arguments.model_dump(mode="json", include={"query", "scope", "bucket", "filters", "order"})
    return bind(principal.team, _CURSOR_SOURCE, {"subject": principal.subject, "search": search})
