"""The sources that there are, as one caller may ask them."""

from functools import partial
from typing import Final

from indexer.tenancy import Principal
from mcp_server.everywhere.archive import ask_archive
from mcp_server.everywhere.indices import ask_indices
from mcp_server.everywhere.osdu import ask_osdu
from mcp_server.everywhere.quilt import ask_quilt
from mcp_server.everywhere.source import Source
from mcp_server.everywhere.web import ask_web
from mcp_server.services import Services

_SHARE: Final = 0.8
"""Of the time that a search may take: so a source that is late leaves time to answer with the others."""
_WEB_SECONDS: Final = 16.0
"""A model that reads the web takes longer, and who names it waits: its own bound comes first and says why."""


def sources_of(services: Services, principal: Principal) -> tuple[Source, ...]:
    """Return all sources, configured or not; those named first win where ranks are equal."""
    library, upstreams = services.library, services.upstreams
    deadline = library.search_timeout * _SHARE
    osdu, quilt, web = upstreams.osdu, upstreams.quilt, upstreams.web
    return (
        Source("archive", "searchLocalArchives", True, deadline, partial(ask_archive, library, principal)),
        Source("indices", "search_index", True, deadline, partial(ask_indices, library, principal)),
        Source("osdu", "search_query", osdu.is_configured, deadline, partial(ask_osdu, osdu, principal)),
        Source("quilt", "search_catalog", quilt.is_configured, deadline, partial(ask_quilt, quilt, principal)),
        Source("web", "search_web", web.is_configured, _WEB_SECONDS, partial(ask_web, web, principal)),
    )
