"""The OSDU operations: searches for records of wells, wellbores and the like in one partition."""

from typing import Final

from mcp_server.effect import EXTERNAL, READ
from mcp_server.features.osdu import arguments, results, text
from mcp_server.features.osdu.service import OsduService
from mcp_server.features.osdu.upstream import OSDU
from mcp_server.operation import Group, Operation
from mcp_server.route import Route
from mcp_server.services import on_upstream

_GUIDANCE: Final = """\
OSDU holds records of wells, wellbores, logs and reference data in one partition.
- search_query searches them in Lucene syntax, search_by_id finds one, search_by_kind lists a type.
- osdu_discover_fields shows which fields a kind has, osdu_build_query writes a safe query from conditions.
All callers see the records that the service's own OSDU account may see.
The prompt guide_search_patterns teaches the syntax by example."""
_GROUP: Final = Group("osdu", _GUIDANCE, reads="osdu", changes="osdu")

QUERY: Final = Operation(
    name="search_query",
    title="Search OSDU",
    description=(
        "Search the records of the OSDU platform in Lucene syntax: "
        'data.FacilityName:"A34", data.Depth:[1000 TO 5000], data.Name:well*, AND, OR, NOT, parentheses. '
        "Narrow it by kind, sort it, count values with aggregate_by, filter by place with spatial_filter, see where it "
        "matched with highlighted_fields. The most relevant come first unless sort is given; a boost like "
        "data.FacilityName:A34^3 lets a field count more. Sorting and aggregating text needs .keyword after the field. "
        "Read on with next_cursor, at any depth. If you know the id use search_by_id, for all records of a type "
        "search_by_kind; osdu_discover_fields tells which fields there are, osdu_build_query writes the query for you. "
        "For documents of this team use search_index or searchLocalArchives instead."
    ),
    group=_GROUP,
    effect=EXTERNAL,
    arguments=arguments.SearchQuery,
    result=results.OsduSearchResult,
    handler=on_upstream(OSDU, OsduService.search_query),
    route=Route("POST", "/api/v1/osdu/search"),
    text=text.search_text,
)
BY_ID: Final = Operation(
    name="search_by_id",
    title="Find an OSDU record by its id",
    description=(
        "Find a record of the OSDU platform by its id, like opendes:master-data--Well:123, or several by a pattern "
        "with * and ?. Everything else in the id is taken as it is. Without an id use search_query."
    ),
    group=_GROUP,
    effect=EXTERNAL,
    arguments=arguments.SearchById,
    result=results.OsduSearchResult,
    handler=on_upstream(OSDU, OsduService.search_by_id),
    route=Route("POST", "/api/v1/osdu/search/by-id"),
    text=text.search_text,
)
_BY_KIND: Final = Operation(
    name="search_by_kind",
    title="List OSDU records of a kind",
    description=(
        "Return the records of one type from the OSDU platform: a kind is authority:source:type:version, with * for "
        "what may be anything, like osdu:wks:master-data--Well:*. Use it to see what there is, or to read a whole "
        'type by next_cursor (sort={"field": ["id"]} keeps the order stable). With conditions use search_query.'
    ),
    group=_GROUP,
    effect=EXTERNAL,
    arguments=arguments.SearchByKind,
    result=results.OsduSearchResult,
    handler=on_upstream(OSDU, OsduService.search_by_kind),
    route=Route("POST", "/api/v1/osdu/search/by-kind"),
    text=text.search_text,
)
_DISCOVER: Final = Operation(
    name="osdu_discover_fields",
    title="Discover the fields of an OSDU kind",
    description=(
        "Look at some records of a kind and list the paths of their fields with types, counts and examples. "
        "Call it before search_query when you do not know what fields are called."
    ),
    group=_GROUP,
    effect=EXTERNAL,
    arguments=arguments.DiscoverFields,
    result=results.DiscoverResult,
    handler=on_upstream(OSDU, OsduService.discover_fields),
    route=Route("POST", "/api/v1/osdu/fields"),
    text=text.discover_text,
)
_BUILD: Final = Operation(
    name="osdu_build_query",
    title="Build an OSDU query",
    description=(
        "Write a query for search_query from conditions (field, operator, value) with everything escaped that must "
        "be. Use it where values hold quotes, colons, slashes or other signs; boost ranks what a condition matches "
        "higher. It asks nobody; pass the query on to search_query."
    ),
    group=_GROUP,
    effect=READ,
    arguments=arguments.BuildQuery,
    result=results.BuildResult,
    handler=on_upstream(OSDU, OsduService.build_query),
    route=Route("POST", "/api/v1/osdu/query"),
    text=text.build_text,
)

OPERATIONS: Final = (QUERY, BY_ID, _BY_KIND, _DISCOVER, _BUILD)
