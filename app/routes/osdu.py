"""OSDU search."""

from app.calls import Call
from mcp_server.tools.osdu import on_osdu
from mcp_server.upstreams.osdu.arguments import SearchQuery
from mcp_server.upstreams.osdu.results import OsduSearchResult
from mcp_server.upstreams.osdu.service import OsduService

CALLS = (
    Call(
        "search_query",
        "POST",
        "/api/v1/osdu/search",
        SearchQuery,
        OsduSearchResult,
        on_osdu(OsduService.search_query),
        "Search OSDU",
    ),
)
