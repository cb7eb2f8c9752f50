"""The tool for the web."""

from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

from mcp.types import ToolAnnotations

from indexer.tenancy import Principal
from mcp_server.services import Services
from mcp_server.tool import Group, Tool
from mcp_server.upstreams.web.arguments import SearchWeb
from mcp_server.upstreams.web.results import WebResult
from mcp_server.upstreams.web.service import WebService
from mcp_server.web_text import web_text

A = TypeVar("A")
R = TypeVar("R")


def on_web(
    call: Callable[[WebService, Principal, A], Awaitable[R]],
) -> Callable[[Services, Principal, A], Awaitable[R]]:
    """Let a method of the web service be a handler."""

    def handler(services: Services, principal: Principal, arguments: A) -> Awaitable[R]:
        return call(services.upstreams.web, principal, arguments)

    return handler


_SEARCH: Final = Tool(
    name="search_web",
    title="Search the web",
    description=(
        "Search the public web and get a short answer with its sources: address, title and the passage of the text "
        "that cites it. Use it for what is new or public and stands in none of the team's own sources; it costs money "
        "and takes seconds, so ask searchLocalArchives, search_index, search_query (OSDU) or search_catalog (Quilt) "
        "first where they may know. Prefer recent pages with freshnessHours, pages of a country with region; with "
        "includeAnswers false only the cited passages come back. It is not for prediction markets nor for news feeds, "
        "which have servers of their own. The question leaves this service: put no secrets into it."
    ),
    # The same question may be answered differently later, and costs again.
    annotations=ToolAnnotations(
        read_only_hint=True, destructive_hint=False, idempotent_hint=False, open_world_hint=True
    ),
    arguments=SearchWeb,
    result=WebResult,
    handler=on_web(WebService.search_web),
    text=web_text,
)

_GUIDANCE: Final = """\
search_web answers from the public web with sources, at a cost: use it for what no source of the team's own can know."""

WEB: Final = Group(name="web", guidance=_GUIDANCE, tools=(_SEARCH,))
