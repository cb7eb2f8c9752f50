"""Services for tests: on a library of the test's own, without anybody who does jobs."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

from pydantic_settings import BaseSettings

from indexer.audit.trail import AuditTrail
from indexer.connections.connections import Connections
from indexer.engines.audit_port import AuditLog
from indexer.engines.record_port import Records
from indexer.index.quota import Quota
from indexer.index.usage import Usage
from indexer.library import Library
from indexer.tenancy import Principal, TeamId
from mcp_server.access.limits.limits import CallLimits
from mcp_server.access.scopes import ALL_SCOPES
from mcp_server.access.token_store import TokenStore
from mcp_server.audit.call_audit import CallAudit
from mcp_server.feature import Feature, operations_of, upstreams_of
from mcp_server.features.all import FEATURES
from mcp_server.features.usage.searches import COUNTED
from mcp_server.search_counts.counter import SearchCounter
from mcp_server.search_counts.search_records import SearchRecords
from mcp_server.selection import select
from mcp_server.services import Services
from mcp_server.settings import McpSettings
from mcp_server.shared import Shared
from mcp_server.upstream.upstreams import Upstreams, open_upstreams
from workers.enqueue import Background
from workers.settings import WorkerSettings
from workers.uploads import Uploads

KEY = b"a key for tests"
PUBLIC_URL = "http://trawl.test"
MAIN = Principal(TeamId("main"), "anonymous", ALL_SCOPES)
TOOLS = [operation for operation in operations_of(FEATURES) if operation.text is not None]
NO_LIBRARY = cast("Library", SimpleNamespace(search_timeout=60.0))
NO_JOBS = cast("Background", None)
NO_TOKENS = cast("TokenStore", None)
NO_AUDIT = CallAudit(AuditTrail(cast("AuditLog", None), cast("Records", None), (KEY,)))


def made_upstreams(
    *, key: bytes = KEY, redis_url: str | None = None, redis_patience: float = 1.0, **settings: BaseSettings
) -> Upstreams:
    """Open all upstreams by the settings given by their names; the others are not configured."""
    opened = upstreams_of(FEATURES)
    return open_upstreams(opened, settings, keys=(key,), redis_url=redis_url, redis_patience=redis_patience)


def made_services(
    library: Library = NO_LIBRARY,
    upstreams: Upstreams | None = None,
    *,
    background: Background = NO_JOBS,
    features: tuple[Feature, ...] = FEATURES,
    **offered: Any,
) -> Services:
    """Put services together; the settings of the front end say what they offer."""
    settings = McpSettings(_env_file=None, **offered)
    limits = CallLimits(settings, library, background, Quota(library, Usage(library)), shared=Shared(None), key=KEY)
    return Services(
        library=library,
        background=background,
        uploads=Uploads(Path("/nowhere"), WorkerSettings(_env_file=None), background),
        upstreams=upstreams or made_upstreams(),
        tokens=TokenStore(library.engine.records) if library is not NO_LIBRARY else NO_TOKENS,
        audit=NO_AUDIT if library is NO_LIBRARY else made_audit(library),
        limits=limits,
        searches=made_searches(None if library is NO_LIBRARY else library.engine.records),
        features=features,
        selection=select(features, settings),
        public_url=PUBLIC_URL,
    )


def made_audit(library: Library, **options: Any) -> CallAudit:
    """Open an audit trail; nothing is recorded there unless an admission uses it."""
    return CallAudit(AuditTrail(library.engine.audit, library.engine.records, (KEY,), **options))


def made_searches(records: Records | None, connections: Connections | None = None, **options: Any) -> SearchCounter:
    """Count searches; none are observed unless an admission does so."""
    counts = SearchRecords(cast("Records", records), (KEY,), **options)
    return SearchCounter(counts, connections or Connections(None, ()), COUNTED)


def with_jobs(library: Library, upstreams: Upstreams | None = None, **offered: Any) -> Services:
    """Let jobs be recorded, though nobody does them: there is no Redis."""
    background = Background(library, WorkerSettings(_env_file=None, redis_url=None))
    return made_services(library, upstreams, background=background, **offered)
