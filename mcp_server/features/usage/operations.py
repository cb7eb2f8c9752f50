"""Operations that tell administrators what their team uses. They are for people, and no MCP tools."""

from typing import Final

from mcp_server.effect import READ
from mcp_server.features.usage import arguments, results
from mcp_server.features.usage.searches import show_searches
from mcp_server.features.usage.usage import show_usage
from mcp_server.operation import Group, Operation
from mcp_server.route import Route

_GROUP: Final = Group("usage", guidance="", reads="admin", changes="admin")

_USAGE: Final = Operation(
    name="usage",
    title="Show what the team uses",
    description="Limits, calls by operation, and the calls and the cost of upstreams.",
    group=_GROUP,
    effect=READ,
    arguments=arguments.ShowUsage,
    result=results.UsageResult,
    handler=show_usage,
    route=Route("GET", "/api/v1/usage"),
    text=None,
)
_SEARCHES: Final = Operation(
    name="search_statistics",
    title="Show how often the team searches",
    description="Searches by day and those without results; their words only where the team keeps them.",
    group=_GROUP,
    effect=READ,
    arguments=arguments.ShowSearches,
    result=results.SearchesResult,
    handler=show_searches,
    route=Route("GET", "/api/v1/searches"),
    text=None,
)

OPERATIONS: Final = (_USAGE, _SEARCHES)
