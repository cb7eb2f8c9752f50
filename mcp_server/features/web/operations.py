"""The operation that searches the web."""

from typing import Final

from mcp_server.effect import PAID
from mcp_server.features.web.arguments import SearchWeb
from mcp_server.features.web.results import WebResult
from mcp_server.features.web.service import WebService
from mcp_server.features.web.text import web_text
from mcp_server.features.web.upstream import WEB
from mcp_server.operation import Group, Operation
from mcp_server.route import Route
from mcp_server.services import on_upstream

_GUIDANCE: Final = """\
search_web costs money: use it for what no source of the team's can know."""
_GROUP: Final = Group("web", _GUIDANCE, reads="web", changes="web")

SEARCH: Final = Operation(
    name="search_web",
    title="Search the web",
    description=(
        "Ask the public web (internet) and get an answer with sources: for the latest news and what none of the "
        "team's sources knows. It costs money: try searchLocalArchives or search_everywhere first. Not for "
        "prediction markets nor news feeds. Put no secrets into it."
    ),
    group=_GROUP,
    effect=PAID,
    arguments=SearchWeb,
    result=WebResult,
    handler=on_upstream(WEB, WebService.search_web),
    route=Route("POST", "/api/v1/web/search"),
    text=web_text,
)
