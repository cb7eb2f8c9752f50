"""The operations on a team's history of web searches."""

from typing import Final

from mcp_server.effect import DELETE, READ
from mcp_server.features.web.arguments import DeleteHistory, ListHistory
from mcp_server.features.web.results import HistoryDeleted, HistoryResult
from mcp_server.features.web.service import WebService
from mcp_server.features.web.text import deleted_text, history_text
from mcp_server.features.web.upstream import WEB
from mcp_server.operation import Group, Operation
from mcp_server.route import Route
from mcp_server.services import on_upstream

_GUIDANCE: Final = """\
web_history_list shows what the team asked search_web before."""
_GROUP: Final = Group("web_history", _GUIDANCE, reads="web", changes="web")

_LIST: Final = Operation(
    name="web_history_list",
    title="List the team's web searches",
    description="List what the team asked or looked up on the web (internet) lately, where that is kept.",
    group=_GROUP,
    effect=READ,
    arguments=ListHistory,
    result=HistoryResult,
    handler=on_upstream(WEB, WebService.list_history),
    route=Route("GET", "/api/v1/web/history"),
    text=history_text,
)
_DELETE: Final = Operation(
    name="web_history_delete",
    title="Delete the team's web searches",
    description="Forget (delete) what the team asked the web, by ids or everything.",
    group=_GROUP,
    effect=DELETE,
    arguments=DeleteHistory,
    result=HistoryDeleted,
    handler=on_upstream(WEB, WebService.delete_history),
    route=Route("DELETE", "/api/v1/web/history"),
    text=deleted_text,
)

HISTORY_OPERATIONS: Final = (_LIST, _DELETE)
