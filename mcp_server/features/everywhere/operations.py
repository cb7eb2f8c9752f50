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
search_everywhere asks the archive, all local indices and the configured services at once: start there when you do not
know which of them has what you look for. It asks the web only where sources names it."""
_GROUP: Final = Group("everywhere", _GUIDANCE, reads="search", changes="search")

SEARCH: Final = Operation(
    name="search_everywhere",
    title="Search everywhere",
    description=(
        "Ask all sources at once and return one ranked list: the team's archive, all of its local indices, OSDU and "
        "the Quilt catalog as far as they are configured, and the web where sources names it. The same URL or DOI "
        "found in several sources is one result, with also_in. A source that is slow or down does not hold up the "
        "others: sources says what became of each. Use it when you do not know where something is; then go on with "
        "the source's own tool, which has filters, pages and whole documents: archive_get_document and "
        "searchLocalArchives, search_get_document (with index_name) and search_index, search_by_id and search_query, "
        "search_catalog, search_web."
    ),
    group=_GROUP,
    effect=EXTERNAL,
    arguments=SearchEverywhere,
    result=EverywhereResult,
    handler=search_everywhere,
    route=Route("POST", "/api/v1/search"),
    text=everywhere_text,
)
