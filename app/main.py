"""The application: the MCP endpoint, and our own routes."""

import secrets
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from importlib.metadata import version
from typing import Final

from fastapi import FastAPI
from starlette.middleware import Middleware

from app.endpoints import add_call, add_failures
from app.middleware.body_limit import BodyLimit
from app.middleware.bugs import Bugs
from app.middleware.forwarded import Forwarded
from app.middleware.headers import SecurityHeaders
from app.middleware.hosts import Hosts
from app.middleware.mounted import Mounted
from app.middleware.request_id import RequestId
from app.openapi import describe
from app.opening import close_services, open_services
from app.routes import ALL_CALLS
from app.routes.health import add_health
from app.routes.metrics import add_metrics
from app.routes.pages import add_pages
from app.routes.uploads import UPLOAD_PATH, add_uploads
from app.settings import AppSettings
from app.uploads import open_uploads
from indexer.library import Library
from indexer.settings import IndexerSettings
from mcp_server.http import PATH, McpApp
from mcp_server.server import build_server
from mcp_server.settings import McpSettings
from workers.settings import WorkerSettings

BODY_LIMIT: Final = 50_000_000
_UPLOADS_AT_ONCE: Final = 4


def create_app(
    settings: AppSettings,
    indexer_settings: IndexerSettings,
    worker_settings: WorkerSettings,
    mcp_settings: McpSettings,
    library: Library | None = None,
) -> FastAPI:
    """Build the service. It contacts nothing at its start; a library that is given stays the caller's to close."""
    services = open_services(indexer_settings, worker_settings, library)
    upload_threads = ThreadPoolExecutor(_UPLOADS_AT_ONCE, thread_name_prefix="upload")
    server = build_server(services, mcp_settings)
    hosts = ("127.0.0.1", "localhost", "[::1]", *_further_hosts(settings))
    origins = [f"{scheme}://{host}" for host in hosts for scheme in ("http", "https")]
    mcp = McpApp(server, hosts, origins, body_limit=BODY_LIMIT)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        try:
            async with mcp.running():
                yield
        finally:
            upload_threads.shutdown(wait=False, cancel_futures=True)
            await close_services(services, also_library=library is None)

    app = FastAPI(
        title="Trawl",
        version=version("trawl"),
        description="One search service for a team and its agents.",
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        lifespan=lifespan,
        middleware=[
            *_middleware(settings, worker_settings.max_upload_bytes),
            Middleware(Mounted, path=PATH, mounted=mcp),
        ],
        # its spans and logs would hold URLs and the texts of exceptions
        telemetry={"tracing": False, "metrics": False, "logs": False},
    )
    app.state.services = services
    app.state.uploads = open_uploads(indexer_settings.data_dir, worker_settings, services.background)
    app.state.upload_threads = upload_threads
    app.state.instance = secrets.token_hex(8)
    add_failures(app)
    for call in ALL_CALLS:
        add_call(app, call)
    add_uploads(app)
    add_health(app)
    add_metrics(app)
    add_pages(app)
    describe(app, ALL_CALLS)
    return app


def _middleware(settings: AppSettings, upload_limit: int) -> list[Middleware]:
    """Return them from the outside in: what refuses comes after what every answer needs."""
    return [
        Middleware(RequestId),
        Middleware(SecurityHeaders),
        Middleware(Bugs),
        Middleware(Hosts, allowed=_further_hosts(settings)),
        *([Middleware(Forwarded)] if settings.auth == "auto" else []),
        Middleware(BodyLimit, limit=BODY_LIMIT, exceptions={UPLOAD_PATH: upload_limit}),
    ]


def _further_hosts(settings: AppSettings) -> tuple[str, ...]:
    public = (settings.public_host,) if settings.public_host else ()
    return (*settings.allowed_hosts, *public)
