"""Opens the services that operations use, from the settings, and closes them."""

import asyncio

from app.principals import LOCAL
from app.settings import AppSettings, needs_tokens
from indexer.bootstrap import open_library
from indexer.connections.connections import Connections
from indexer.environment import read_settings
from indexer.library import Library
from indexer.secret_key import secret_key
from indexer.settings import IndexerSettings
from mcp_server.access.token_store import TokenStore
from mcp_server.feature import Feature, upstreams_of
from mcp_server.features.all import FEATURES
from mcp_server.selection import select
from mcp_server.services import Services
from mcp_server.settings import McpSettings
from mcp_server.upstream.upstreams import open_upstreams
from workers.enqueue import Background
from workers.settings import WorkerSettings
from workers.source_rights import SECTIONS, SourceRights, TeamRights
from workers.uploads import Uploads


def open_services(
    settings: IndexerSettings,
    worker_settings: WorkerSettings,
    mcp_settings: McpSettings,
    library: Library | None = None,
    features: tuple[Feature, ...] = FEATURES,
    *,
    public_url: str,
    restricted: bool = False,
) -> Services:
    """Open everything without contacting anything. The settings of upstreams come from the environment and `.env`.

    Where callers need tokens (`restricted`), a team may read only the folders and buckets in TRAWL_CONNECTIONS.
    """
    selection = select(features, mcp_settings)
    upstreams = upstreams_of(features)
    connections = open_connections(worker_settings, features)
    upstream_settings = {upstream.name: read_settings(upstream.settings) for upstream in upstreams}
    library = library or open_library(settings)
    rights = TeamRights(worker_settings, connections, settings.data_dir, needs_tokens=restricted)
    background = Background(library, worker_settings, rights)
    connections.watch()
    return Services(
        library=library,
        background=background,
        uploads=Uploads(settings.data_dir, worker_settings, background),
        upstreams=open_upstreams(
            upstreams,
            upstream_settings,
            key=secret_key(settings),
            redis_url=worker_settings.redis_url,
            records=library.engine.records,
            connections=connections,
        ),
        connections=connections,
        tokens=TokenStore(library.engine.records),
        features=features,
        selection=selection,
        public_url=public_url,
    )


def open_connections(settings: WorkerSettings, features: tuple[Feature, ...] = FEATURES) -> Connections:
    """Read the connections with all sections that there are; `WrongConnections` if there is an error in their file."""
    return Connections(settings.connections, (*(each.section for each in upstreams_of(features)), *SECTIONS))


def local_rights(settings: WorkerSettings) -> SourceRights:
    """Return what commands on this machine may let the workers read."""
    data_dir, needed = read_settings(IndexerSettings).data_dir, needs_tokens(read_settings(AppSettings))
    return TeamRights(settings, open_connections(settings), data_dir, needs_tokens=needed).of_caller(LOCAL)


async def close_services(services: Services, *, close_library: bool = True) -> None:
    """Close the uploads, the upstreams and the queue, then the engine."""
    services.connections.close()
    services.uploads.close()
    await services.upstreams.aclose()
    await asyncio.to_thread(services.background.close)
    if close_library:
        await services.library.aclose()
