"""Web search."""

from app.calls import Call
from mcp_server.tools.web import on_web
from mcp_server.upstreams.web.arguments import SearchWeb
from mcp_server.upstreams.web.results import WebResult
from mcp_server.upstreams.web.service import WebService

CALLS = (
    Call(
        "search_web",
        "POST",
        "/api/v1/web/search",
        SearchWeb,
        WebResult,
        on_web(WebService.search_web),
        "Search the web",
    ),
)
