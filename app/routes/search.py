"""Search in a local index."""

from app.calls import Call
from indexer import arguments, results
from indexer.search import search
from mcp_server.services import on_library

CALLS = (
    Call(
        "search_index",
        "POST",
        "/api/v1/indices/{index_name}/search",
        arguments.SearchIndex,
        results.SearchResult,
        on_library(search),
        "Search an index",
    ),
)
