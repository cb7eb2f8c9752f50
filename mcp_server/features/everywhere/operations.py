"""The operation that searches all sources at once."""

from typing import Final

from mcp_server.effect import EXTERNAL
from mcp_server.features.everywhere.arguments import SearchEverywhere
from mcp_server.features.everywhere.results import EverywhereResult
from mcp_server.features.everywhere.service import search_everywhere
from mcp_server.features.everywhere.text import everywhere_text
from mcp_server.operation import Group, Operation
from mcp_server.route import Route

_GUIDANCE: Final = """\
If you do not know where something is, start with search_everywhere."""
_GROUP: Final = Group("everywhere", _GUIDANCE, reads="search", changes="search")

SEARCH: Final = Operation(
    name="search_everywhere",
    title="Search everywhere",
    description="Search through all the team knows, when you do not know which source has it; the web only if named.",
    group=_GROUP,
    effect=EXTERNAL,
    arguments=SearchEverywhere,
    result=EverywhereResult,
    handler=search_everywhere,
    asks_upstreams=True,
    route=Route("POST", "/api/v1/search"),
    text=everywhere_text,
)
