"""Search of the Quilt catalog."""

from app.calls import Call
from mcp_server.tools.quilt import on_quilt
from mcp_server.upstreams.quilt.arguments import SearchCatalog
from mcp_server.upstreams.quilt.results import SearchCatalogResult
from mcp_server.upstreams.quilt.service import QuiltService

CALLS = (
    Call(
        "search_catalog",
        "POST",
        "/api/v1/quilt/search",
        SearchCatalog,
        SearchCatalogResult,
        on_quilt(QuiltService.search_catalog),
        "Search the Quilt catalog",
    ),
)
