"""Tools for OSDU: records of wells, wellbores and the like, in one partition of an OSDU platform."""

from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

from mcp.types import ToolAnnotations

from indexer.tenancy import Principal
from mcp_server import osdu_text as text
from mcp_server.bounds import DEFAULT_MAX_CHARS, BoundedChars
from mcp_server.services import Services
from mcp_server.tool import Group, Tool
from mcp_server.upstreams.osdu import arguments as given
from mcp_server.upstreams.osdu import results
from mcp_server.upstreams.osdu.service import OsduService

A = TypeVar("A")
R = TypeVar("R")

_ASKS: Final = ToolAnnotations(read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=True)
_COMPUTES: Final = ToolAnnotations(
    read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)


class BoundedSearchQuery(given.SearchQuery):
    """A search whose results always have a bound."""

    max_chars: BoundedChars = DEFAULT_MAX_CHARS


class BoundedSearchById(given.SearchById):
    """A search by id whose results always have a bound."""

    max_chars: BoundedChars = DEFAULT_MAX_CHARS


class BoundedSearchByKind(given.SearchByKind):
    """A search by kind whose results always have a bound."""

    max_chars: BoundedChars = DEFAULT_MAX_CHARS


def on_osdu(
    call: Callable[[OsduService, Principal, A], Awaitable[R]],
) -> Callable[[Services, Principal, A], Awaitable[R]]:
    """Let a method of the OSDU service be a handler."""

    def handler(services: Services, principal: Principal, arguments: A) -> Awaitable[R]:
        return call(services.upstreams.osdu, principal, arguments)

    return handler


_QUERY: Final = Tool(
    name="search_query",
    title="Search OSDU",
    description=(
        "Search the records of the OSDU platform in Lucene syntax: "
        'data.FacilityName:"A34", data.Depth:[1000 TO 5000], data.Name:well*, AND, OR, NOT, parentheses. '
        "Narrow it by kind, sort it, count values with aggregate_by, filter by place with spatial_filter, see where it "
        "matched with highlighted_fields. Sorting and aggregating text needs .keyword after the field. "
        "Read on with next_cursor, at any depth. If you know the id use search_by_id, for all records of a type "
        "search_by_kind; osdu_discover_fields tells which fields there are, osdu_build_query writes the query for you. "
        "For documents of this team use search_index or searchLocalArchives instead."
    ),
    annotations=_ASKS,
    arguments=BoundedSearchQuery,
    result=results.OsduSearchResult,
    handler=on_osdu(OsduService.search_query),
    text=text.search_text,
)
_BY_ID: Final = Tool(
    name="search_by_id",
    title="Find an OSDU record by its id",
    description=(
        "Find a record of the OSDU platform by its id, like opendes:master-data--Well:123, or several by a pattern "
        "with * and ?. Everything else in the id is taken as it is. Without an id use search_query."
    ),
    annotations=_ASKS,
    arguments=BoundedSearchById,
    result=results.OsduSearchResult,
    handler=on_osdu(OsduService.search_by_id),
    text=text.search_text,
)
_BY_KIND: Final = Tool(
    name="search_by_kind",
    title="List OSDU records of a kind",
    description=(
        "Return the records of one type from the OSDU platform: a kind is authority:source:type:version, with * for "
        "what may be anything, like osdu:wks:master-data--Well:*. Use it to see what there is, or to read a whole "
        'type by next_cursor (sort={"field": ["id"]} keeps the order stable). With conditions use search_query.'
    ),
    annotations=_ASKS,
    arguments=BoundedSearchByKind,
    result=results.OsduSearchResult,
    handler=on_osdu(OsduService.search_by_kind),
    text=text.search_text,
)
_DISCOVER: Final = Tool(
    name="osdu_discover_fields",
    title="Discover the fields of an OSDU kind",
    description=(
        "Look at some records of a kind and list the paths of their fields with types, counts and examples. "
        "Call it before search_query when you do not know what fields are called."
    ),
    annotations=_ASKS,
    arguments=given.DiscoverFields,
    result=results.DiscoverResult,
    handler=on_osdu(OsduService.discover_fields),
    text=text.discover_text,
)
_BUILD: Final = Tool(
    name="osdu_build_query",
    title="Build an OSDU query",
    description=(
        "Write a query for search_query from conditions (field, operator, value) with everything escaped that must "
        "be. Use it where values hold quotes, colons, slashes or other signs. It asks nobody; pass the query on to "
        "search_query."
    ),
    annotations=_COMPUTES,
    arguments=given.BuildQuery,
    result=results.BuildResult,
    handler=on_osdu(OsduService.build_query),
    text=text.build_text,
)

_GUIDANCE: Final = """\
OSDU holds records of wells, wellbores, logs and reference data in one partition.
- search_query searches them in Lucene syntax, search_by_id finds one, search_by_kind lists a type.
- osdu_discover_fields shows which fields a kind has, osdu_build_query writes a safe query from conditions.
The prompt guide_search_patterns teaches the syntax by example."""

OSDU: Final = Group(name="osdu", guidance=_GUIDANCE, tools=(_QUERY, _BY_ID, _BY_KIND, _DISCOVER, _BUILD))
