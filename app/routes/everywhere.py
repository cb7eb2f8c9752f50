"""Search in all sources at once."""

from app.calls import Call
from mcp_server.everywhere.arguments import SearchEverywhere
from mcp_server.everywhere.results import EverywhereResult
from mcp_server.everywhere.service import search_everywhere

CALLS = (
    Call(
        "search_everywhere",
        "POST",
        "/api/v1/search",
        SearchEverywhere,
        EverywhereResult,
        search_everywhere,
        "Search everywhere",
    ),
)
