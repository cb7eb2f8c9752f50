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
search_web answers from the public web with sources, at a cost: use it for what no source of the team's own can know."""
_GROUP: Final = Group("web", _GUIDANCE, reads="web", changes="web")

SEARCH: Final = Operation(
    name="search_web",
    title="Search the web",
    description=(
        "Search the public web and get a short answer with its sources: address, title and the passage of the text "
        "that cites it. Use it for what is new or public and stands in none of the team's own sources; it costs money "
        "and takes seconds, so ask searchLocalArchives, search_index, search_query (OSDU) or search_catalog (Quilt) "
        "first where they may know. Prefer recent pages with freshnessHours, pages of a time with publishedAfter and "
        "publishedBefore (wishes, for the provider has no filter by date), pages of a country with region, and news or "
        "papers with type. Ask up to four related questions at once with queries: each costs like one. With "
        "includeAnswers false only the passages that the sources support come back. It is not for prediction markets "
        "nor for news feeds, which have servers of their own. The question leaves this service: put no secrets into it."
    ),
    group=_GROUP,
    effect=PAID,
    arguments=SearchWeb,
    result=WebResult,
    handler=on_upstream(WEB, WebService.search_web),
    route=Route("POST", "/api/v1/web/search"),
    text=web_text,
)
