"""Builds the ASGI application: middleware, the MCP endpoint, a route per operation, health, metrics and pages."""

import secrets
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from importlib.metadata import version
from typing import Final

from fastapi import FastAPI
from pydantic_settings import BaseSettings
from starlette.middleware import Middleware
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from app.auth.identity import Identity
from app.health.readiness import Readiness
from app.http.endpoints import add_failure_handlers, add_operation
from app.http.mcp_endpoint import McpEndpoint
from app.http.middleware.authenticate import Authenticate
from app.http.middleware.body_limit import BodyLimit
from app.http.middleware.bugs import Bugs
from app.http.middleware.cors import Cors, CorsOrigins
from app.http.middleware.disconnect import CancelOnDisconnect
from app.http.middleware.headers import SecurityHeaders
from app.http.middleware.hosts import AllowedHosts
from app.http.middleware.mounted import MountAtPaths
from app.http.middleware.query_limit import QueryLimit
from app.http.middleware.request_id import RequestId
from app.http.openapi import add_openapi
from app.http.routes.documents import add_document_page
from app.http.routes.health import add_health
from app.http.routes.metrics import add_metrics
from app.http.routes.pages import add_pages, is_page
from app.http.routes.resource_metadata import add_resource_metadata
from app.http.routes.sign_in import LOGIN_LIMIT, add_sign_in
from app.http.sign_in_page import SIGN_IN_PAGE
from app.services import close_services, open_services
from app.settings import AppSettings, needs_tokens
from indexer.library import Library
from indexer.secret_key import secret_keys
from indexer.settings import IndexerSettings
from mcp_server.audit.call_audit import CallAudit
from mcp_server.feature import Feature, operations_of
from mcp_server.features.all import FEATURES
from mcp_server.protocol.address import PATHS
from mcp_server.settings import McpSettings
from workers.settings import WorkerSettings

BODY_LIMIT: Final = 50_000_000
_LOCAL_SECRET_BYTES: Final = 32


def create_app(
    settings: AppSettings,
    indexer_settings: IndexerSettings,
    worker_settings: WorkerSettings,
    mcp_settings: McpSettings,
    library: Library | None = None,
    *,
    features: tuple[Feature, ...] = FEATURES,
    upstream_settings: Mapping[str, BaseSettings] | None = None,
) -> FastAPI:
    """Build the application without contacting anything. The caller closes a library that it passes in."""
    services = open_services(
        indexer_settings,
        worker_settings,
        mcp_settings,
        library,
        features,
        public_url=settings.address,
        upstream_settings=upstream_settings,
        restricted=needs_tokens(settings),
        has_issuer=settings.oidc_issuer is not None,
    )
    operations = operations_of(features)
    forms = [operation.route.path for operation in operations if operation.route.is_form]
    mcp = McpEndpoint(services, body_limit=BODY_LIMIT)
    readiness = Readiness(services.library, services.background, indexer_settings.data_dir)
    local_secret = secrets.token_urlsafe(_LOCAL_SECRET_BYTES)
    identity = Identity(settings, services, secret_keys(indexer_settings), local_secret=local_secret)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        try:
            async with mcp.running(), identity:
                yield
        finally:
            readiness.close()
            await close_services(services, close_library=library is None)

    app = FastAPI(
        title="Trawl",
        version=version("trawl"),
        description="One search service for a team and its agents.",
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        lifespan=lifespan,
        middleware=[
            *_middleware(
                settings,
                identity,
                services.audit,
                dict.fromkeys(forms, worker_settings.max_upload_bytes) | {SIGN_IN_PAGE: LOGIN_LIMIT},
            ),
            Middleware(MountAtPaths, paths=PATHS, mounted=mcp),
        ],
        # FastAPI's spans and logs would contain URLs and exception texts.
        telemetry={"tracing": False, "metrics": False, "logs": False},
    )
    app.state.services = services
    app.state.readiness = readiness
    app.state.instance = secrets.token_hex(8)
    app.state.local_secret = local_secret
    add_failure_handlers(app)
    for operation in operations:
        add_operation(app, operation)
    add_health(app)
    add_metrics(app, services)
    add_pages(app)
    add_sign_in(app, services, settings, identity)
    add_resource_metadata(app, settings.address, issuer=settings.oidc_issuer, client_id=settings.oidc_client_id)
    add_document_page(app)
    add_openapi(app, [operation for operation in operations if services.selection.offers(operation)])
    return app


def _middleware(
    settings: AppSettings, identity: Identity, audit: CallAudit, body_limits: Mapping[str, int]
) -> list[Middleware]:
    """Return the middleware, outermost first: what every response needs wraps what may refuse a request."""
    origins = CorsOrigins(settings)
    proxies = [Middleware(ProxyHeadersMiddleware, trusted_hosts=list(settings.trusted_proxies))]
    return [
        *(proxies if settings.trusted_proxies else []),
        Middleware(RequestId),
        Middleware(SecurityHeaders),
        Middleware(Bugs),
        Middleware(AllowedHosts, allowed=_extra_hosts(settings), origins=origins, public_url=settings.public_url),
        Middleware(Cors, origins=origins),
        Middleware(QueryLimit),
        Middleware(BodyLimit, limit=BODY_LIMIT, exceptions=body_limits),
        Middleware(CancelOnDisconnect),
        Middleware(Authenticate, identity=identity, is_page=is_page, public_url=settings.address, audit=audit),
    ]


def _extra_hosts(settings: AppSettings) -> tuple[str, ...]:
    public = (settings.public_host,) if settings.public_host else ()
    return (*settings.allowed_hosts, *public)
