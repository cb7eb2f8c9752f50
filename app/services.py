"""Opens the services that operations use, from the settings, and closes them."""

import asyncio
from collections.abc import Mapping
from typing import Final

from pydantic_settings import BaseSettings

from app.principals import LOCAL
from app.settings import AppSettings, needs_tokens
from indexer.audit.trail import AuditTrail
from indexer.bootstrap import open_library
from indexer.connections.connections import Connections
from indexer.environment import read_settings
from indexer.index.quota import Quota
from indexer.index.usage import Usage
from indexer.library import Library
from indexer.secret_key import secret_keys
from indexer.settings import IndexerSettings
from mcp_server.access.limits.limits import CallLimits
from mcp_server.access.token_store import TokenStore
from mcp_server.admission import Admission
from mcp_server.audit.call_audit import CallAudit
from mcp_server.feature import Feature, upstreams_of
from mcp_server.features.all import FEATURES
from mcp_server.features.usage.searches import COUNTED
from mcp_server.search_counts.counter import SearchCounter
from mcp_server.search_counts.search_records import SearchRecords
from mcp_server.search_counts.settings import SEARCHES
from mcp_server.selection import select
from mcp_server.services import Services
from mcp_server.settings import McpSettings
from mcp_server.shared import Shared
from mcp_server.upstream.upstreams import open_upstreams
from workers.enqueue import Background
from workers.settings import WorkerSettings
from workers.source_rights import SECTIONS, SourceRights, TeamRights
from workers.uploads import Uploads

_LIMITS_PATIENCE: Final = 0.25
"""Seconds that a call waits for Redis before this process limits callers by itself."""


def open_services(
    settings: IndexerSettings,
    worker_settings: WorkerSettings,
    mcp_settings: McpSettings,
    library: Library | None = None,
    features: tuple[Feature, ...] = FEATURES,
    *,
    public_url: str,
    restricted: bool = False,
    has_issuer: bool = False,
    upstream_settings: Mapping[str, BaseSettings] | None = None,
) -> Services:
    """Open everything without contacting anything.

    The settings of upstreams that are not given by name come from the environment and `.env`. Where callers need tokens
    (`restricted`), a team may read only the folders and buckets in TRAWL_CONNECTIONS.
    """
    selection = select(features, mcp_settings)
    upstreams = upstreams_of(features)
    connections = open_connections(worker_settings, features)
    given = upstream_settings or {}
    settings_by_name = {
        upstream.name: given.get(upstream.name) or read_settings(upstream.settings) for upstream in upstreams
    }
    library = library or open_library(settings)
    rights = TeamRights(worker_settings, connections, settings.data_dir, needs_tokens=restricted)
    background = Background(library, worker_settings, rights)
    connections.watch()
    keys = secret_keys(settings)
    audit = CallAudit(AuditTrail(library.engine.audit, library.engine.records, keys))
    limits = CallLimits(
        mcp_settings,
        library,
        background,
        Quota(library, Usage(library), max_documents=settings.max_documents, max_bytes=settings.max_bytes),
        shared=Shared(worker_settings.redis_url, area="limits", patience=_LIMITS_PATIENCE),
        key=keys[0],
        unlimited=frozenset({LOCAL.credential}),
    )
    searches = SearchCounter(SearchRecords(library.engine.records, keys), connections, COUNTED)
    return Services(
        library=library,
        background=background,
        uploads=Uploads(settings.data_dir, worker_settings, background),
        upstreams=open_upstreams(
            upstreams,
            settings_by_name,
            keys=keys,
            redis_url=worker_settings.redis_url,
            records=library.engine.records,
            connections=connections,
        ),
        connections=connections,
        tokens=TokenStore(library.engine.records),
        audit=audit,
        limits=limits,
        searches=searches,
        features=features,
        selection=selection,
        public_url=public_url,
        needs_token=restricted,
        has_issuer=has_issuer,
        admission=Admission(limits, audit, searches),
    )


def open_connections(settings: WorkerSettings, features: tuple[Feature, ...] = FEATURES) -> Connections:
    """Read the connections with all sections that there are; `WrongConnections` if there is an error in their file."""
    return Connections(settings.connections, (*(each.section for each in upstreams_of(features)), *SECTIONS, SEARCHES))


def local_rights(settings: WorkerSettings) -> SourceRights:
    """Return what commands on this machine may let the workers read."""
    data_dir, needed = read_settings(IndexerSettings).data_dir, needs_tokens(read_settings(AppSettings))
    return TeamRights(settings, open_connections(settings), data_dir, needs_tokens=needed).of_caller(LOCAL)


async def close_services(services: Services, *, close_library: bool = True) -> None:
    """Close the uploads, the upstreams and the queue, store what is counted and audited, then close the engine."""
    services.connections.close()
    services.uploads.close()
    await services.upstreams.aclose()
    await services.limits.aclose()
    await asyncio.to_thread(services.background.close)
    await asyncio.to_thread(services.searches.close)
    await asyncio.to_thread(services.audit.close)
    if close_library:
        await services.library.aclose()
