"""Tools for a team's own history of web searches."""

from typing import Final

from mcp.types import ToolAnnotations

from mcp_server.tool import Group, Tool
from mcp_server.tools.web import on_web
from mcp_server.upstreams.web.arguments import DeleteHistory, ListHistory
from mcp_server.upstreams.web.results import HistoryDeleted, HistoryResult
from mcp_server.upstreams.web.service import WebService
from mcp_server.web_text import deleted_text, history_text

_LIST: Final = Tool(
    name="web_history_list",
    title="List the team's web searches",
    description=(
        "List what this team searched the web for lately, with the sources that were found; only where its searches "
        "are kept. Look here before asking search_web the same again."
    ),
    annotations=ToolAnnotations(
        read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
    ),
    arguments=ListHistory,
    result=HistoryResult,
    handler=on_web(WebService.list_history),
    text=history_text,
)
_DELETE: Final = Tool(
    name="web_history_delete",
    title="Delete the team's web searches",
    description="Delete searches from web_history_list, by their ids or all of them. They cannot be brought back.",
    annotations=ToolAnnotations(
        read_only_hint=False, destructive_hint=True, idempotent_hint=True, open_world_hint=False
    ),
    arguments=DeleteHistory,
    result=HistoryDeleted,
    handler=on_web(WebService.delete_history),
    text=deleted_text,
)

_GUIDANCE: Final = """\
web_history_list shows what this team asked search_web before, where it keeps that; web_history_delete forgets it."""

WEB_HISTORY: Final = Group(name="web_history", guidance=_GUIDANCE, tools=(_LIST, _DELETE))
