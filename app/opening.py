"""Opens what the front ends work with, from the settings, and closes it."""

import asyncio

from indexer.bootstrap import open_library
from indexer.environment import read_settings
from indexer.library import Library
from indexer.secret_key import secret_key
from indexer.settings import IndexerSettings
from mcp_server.services import Services
from mcp_server.upstreams.opening import open_upstreams
from mcp_server.upstreams.osdu.settings import OsduSettings
from mcp_server.upstreams.quilt.settings import QuiltSettings
from mcp_server.upstreams.settings import UpstreamSettings
from mcp_server.upstreams.web.settings import WebSettings
from workers.enqueue import Background
from workers.settings import WorkerSettings


def open_services(
    settings: IndexerSettings,
    worker_settings: WorkerSettings,
    library: Library | None = None,
    upstream_settings: UpstreamSettings | None = None,
) -> Services:
    """Open everything without contacting anything."""
    opened = library or open_library(settings)
    upstreams = open_upstreams(
        upstream_settings or read_upstream_settings(),
        key=secret_key(settings),
        redis_url=worker_settings.redis_url,
        records=opened.engine.records,
    )
    return Services(library=opened, background=Background(opened, worker_settings), upstreams=upstreams)


def read_upstream_settings() -> UpstreamSettings:
    """Read where the upstreams are from the environment and `.env`."""
    return UpstreamSettings(
        osdu=read_settings(OsduSettings), quilt=read_settings(QuiltSettings), web=read_settings(WebSettings)
    )


async def close_services(services: Services, *, also_library: bool = True) -> None:
    """Let go of the upstreams, of the queue, then of the engine."""
    await services.upstreams.aclose()
    await asyncio.to_thread(services.background.close)
    if also_library:
        await services.library.aclose()
