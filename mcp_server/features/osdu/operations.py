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
OSDU holds records of wells, wellbores and logs, as the service's own OSDU account may see them. Text needs .keyword
to sort or aggregate by. The prompt guide_search_patterns teaches queries by example."""
_GROUP: Final = Group("osdu", _GUIDANCE, reads="osdu", changes="osdu")

QUERY: Final = Operation(
    name="search_query",
    title="Search OSDU",
    description=(
        'Find OSDU records (wells, wellbores, logs) in Lucene syntax: data.FacilityName:"A34" AND '
        "data.Depth:[3000 TO *]. aggregate_by counts records per value, spatial_filter finds within a distance of "
        "a point or in an area. For the team's documents use search_index or searchLocalArchives."
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
    description="Get an OSDU record by its id, like opendes:master-data--Well:123, or several by * and ?.",
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
    description="List all OSDU records of a type (kind). With conditions use search_query.",
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
        "Tell what the fields (attributes) of an OSDU kind are called, with types and examples. Call it before "
        "search_query."
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
        "Write a correct OSDU query for search_query from conditions, whose values may have quotes, slashes or "
        "other signs."
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
