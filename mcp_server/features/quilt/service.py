"""Quilt's rules: what is checked, which backend is asked, and how an answer becomes a page of results."""

import asyncio
import time
from typing import Final

from indexer.cursors import Cursor, Cursors, digest
from indexer.errors import ExpiredView, Invalid, PlatformError
from indexer.search.truncate import truncate_page
from indexer.tenancy import IndexName, Principal
from mcp_server.features.quilt.api.connection import QuiltConnection
from mcp_server.features.quilt.arguments import ListObjects, SearchCatalog
from mcp_server.features.quilt.backend import Found, Page
from mcp_server.features.quilt.backend_choice import Selection, unavailable
from mcp_server.features.quilt.elasticsearch.search import ElasticsearchSearch
from mcp_server.features.quilt.failures import (
    NoRoute,
    StackChanged,
    explained,
    not_configured,
    not_logged_in,
    unknown_bucket,
)
from mcp_server.features.quilt.graphql.search import GraphqlSearch
from mcp_server.features.quilt.hits import shorten
from mcp_server.features.quilt.listing import SEARCH, Listing
from mcp_server.features.quilt.query.question import Question, question_of
from mcp_server.features.quilt.results import BackendStatus, CatalogInfo, ListObjectsResult, SearchCatalogResult
from mcp_server.features.quilt.settings import QuiltSettings
from mcp_server.upstream.telemetry import Telemetry

_NAME: Final = IndexName("quilt")


class QuiltService:
    """What the tools can do. Every function raises `PlatformError` for what may be expected to fail."""

    def __init__(self, settings: QuiltSettings, connection: QuiltConnection, cursors: Cursors) -> None:
        self._settings = settings
        self._connection = connection
        self._cursors = cursors
        self._selection = Selection(settings, connection)
        self._listing = Listing()

    @property
    def is_configured(self) -> bool:
        """Say whether a catalog is named; that does not mean that it answers."""
        return self._settings.catalog_url is not None

    @property
    def telemetry(self) -> Telemetry:
        """Counts of what was asked and what became of it."""
        return self._connection.telemetry

    async def search_catalog(self, principal: Principal, arguments: SearchCatalog) -> SearchCatalogResult:
        """Search the catalog's index; every failure tells its cause, a fix and another tool."""
        started = time.perf_counter()
        try:
            self._check_login()
            result = await self._searched(principal, arguments)
        except PlatformError as error:
            self._selection.failed(error)
            known = {
                "authenticated": self._connection.authenticated,
                "catalog_url": self._settings.catalog_url,
                "backend_status": self.status,
            }
            raise explained(error, known) from None
        result["query_time_ms"] = round((time.perf_counter() - started) * 1_000)
        return result

    async def list_objects(self, principal: Principal, arguments: ListObjects) -> ListObjectsResult:  # noqa: ARG002 - as others
        """List a bucket in S3; the catalog is not asked."""
        try:
            return await asyncio.to_thread(self._listing.list, arguments)
        except PlatformError as error:
            error.alternatives = SEARCH | error.alternatives
            raise

    async def info(self, principal: Principal) -> CatalogInfo:
        """Tell what is known of the catalog, looking first whether it can be searched; never raises."""
        try:
            self._check_login()
            backend = await self._selection.backend(principal)
            if isinstance(backend, ElasticsearchSearch):
                await backend.check(principal)
            self._selection.succeeded()
        except PlatformError as error:
            self._selection.failed(error)
        return CatalogInfo(
            catalog_url=self._settings.catalog_url,
            registry_url=self._selection.registry,
            authenticated=self._connection.authenticated,
            search=self.status,
        )

    @property
    def status(self) -> BackendStatus:
        """Say how the catalog searches, as far as that is known."""
        return self._selection.status if self.is_configured else unavailable("not_configured")

    async def aclose(self) -> None:
        """Stop what runs in the background and close the connections."""
        await self._connection.aclose()

    def _check_login(self) -> None:
        if not self.is_configured:
            raise not_configured()
        if self._settings.token is None:
            raise not_logged_in()

    async def _searched(self, principal: Principal, arguments: SearchCatalog) -> SearchCatalogResult:
        question = question_of(arguments)
        bound_to = _bound(principal, arguments)
        read_on = None if arguments.cursor is None else self._cursors.read(arguments.cursor, bound_to)
        page = Page(
            limit=None if arguments.count_only else arguments.limit,
            position=None if read_on is None else read_on.position,
            fresh=arguments.refresh,
        )
        backend, found = await self._found(principal, question, page, read_on)
        self._selection.succeeded()
        total = read_on.total if read_on is not None else found.total or 0
        if not total:
            await self._check_bucket(principal, backend, question)
        return self._result(arguments, backend, found, total, bound_to)

    async def _found(
        self, principal: Principal, question: Question, page: Page, read_on: Cursor | None
    ) -> tuple[GraphqlSearch | ElasticsearchSearch, Found]:
        """Ask the backend; once more where the stack has changed meanwhile."""
        backend = await self._selection.backend(principal, refresh=page.fresh)
        _check_same(backend, read_on)
        try:
            return backend, await backend.search(principal, question, page)
        except (StackChanged, NoRoute):
            changed = await self._changed(principal, backend)
            if changed is None:
                raise
        except Invalid:
            await self._check_bucket(principal, backend, question)
            raise
        _check_same(changed, read_on)
        return changed, await changed.search(principal, question, page)

    async def _changed(
        self, principal: Principal, backend: GraphqlSearch | ElasticsearchSearch
    ) -> GraphqlSearch | ElasticsearchSearch | None:
        """Return what to ask instead of a stack that is not what it was; None where it is."""
        if not isinstance(backend, GraphqlSearch):
            return None
        other = await self._selection.backend(principal, instead_of=backend)
        return None if isinstance(other, GraphqlSearch) and other.stack == backend.stack else other

    async def _check_bucket(
        self, principal: Principal, backend: GraphqlSearch | ElasticsearchSearch, question: Question
    ) -> None:
        """Fail with the closest names where the catalog lists its buckets and this is none of them."""
        if question.bucket is None or isinstance(backend, ElasticsearchSearch):
            return
        try:
            known = await self._selection.buckets(principal)
        except PlatformError:
            return  # without the list the answer stays what it was
        if known is not None and question.bucket not in known:
            raise unknown_bucket(question.bucket, known)

    def _result(
        self,
        arguments: SearchCatalog,
        backend: GraphqlSearch | ElasticsearchSearch,
        found: Found,
        total: int,
        bound_to: str,
    ) -> SearchCatalogResult:
        fitted = truncate_page(found.hits, arguments.max_chars, shorten)
        position = None if arguments.count_only else found.after(len(fitted.hits))
        result = SearchCatalogResult(
            success=True,
            query=arguments.query,
            scope=arguments.scope,
            bucket=arguments.bucket,
            results=fitted.hits,
            total_results=total,
            query_time_ms=0,
            backend_used=backend.name,
            backend_status=self._selection.status,
            next_cursor=None,
            truncated=fitted.truncated,
        )
        if position is not None:
            cursor = Cursor(total=total, generation=0, view=backend.name, position=position)
            result["next_cursor"] = self._cursors.write(cursor, bound_to)
        if found.at_least:
            result["total_is_at_least"] = True
        if found.skipped_buckets:
            result["skipped_buckets"] = found.skipped_buckets
        return result


def _check_same(backend: GraphqlSearch | ElasticsearchSearch, read_on: Cursor | None) -> None:
    """Fail where a cursor came from another backend, whose places mean nothing here."""
    if read_on is not None and read_on.view != backend.name:
        raise ExpiredView


def _bound(principal: Principal, arguments: SearchCatalog) -> str:
    """Return what a cursor is bound to: the caller, and all that decides which results come in which order."""
    asked = arguments.model_dump(mode="json", include={"query", "scope", "bucket", "filters", "order"})
    return digest(principal.team, _NAME, {"subject": principal.subject, "search": asked})
