"""The Quilt operations: search a catalog for packages and objects, and list buckets in S3."""

from typing import Final

from indexer.tenancy import Principal
from mcp_server.effect import EXTERNAL
from mcp_server.features.quilt import arguments, results, text
from mcp_server.features.quilt.service import QuiltService
from mcp_server.features.quilt.upstream import QUILT
from mcp_server.operation import Group, Operation, Resource
from mcp_server.route import Route
from mcp_server.services import Services, on_upstream

_GUIDANCE: Final = """\
Quilt is a catalog of data packages and S3 objects.
- search_catalog searches it by words, with filters; every failure says what to do and which tool to use instead.
- bucket_objects_list lists the keys of a bucket, which is no search.
The resource catalog://info tells which catalog this is, how it searches and in which buckets."""
_GROUP: Final = Group("quilt", _GUIDANCE, reads="quilt", changes="quilt")

SEARCH: Final = Operation(
    name="search_catalog",
    title="Search the Quilt catalog",
    description=(
        "Search the packages and S3 objects of the Quilt catalog by words in names, contents and metadata. "
        'Narrow it by scope, bucket and filters: ext, size, modified, and meta.<key> for packages, like {"ext": "csv", '
        '"size": {"gte": 1000}} or {"meta.study": "A34"}. count_only tells how many there are. Read on with '
        "next_cursor. It only ever answers from the catalog's index and fails with a fix where that cannot be "
        "searched; to see which keys a bucket holds use bucket_objects_list instead. For documents of this team use "
        "search_index or searchLocalArchives."
    ),
    group=_GROUP,
    effect=EXTERNAL,
    arguments=arguments.SearchCatalog,
    result=results.SearchCatalogResult,
    handler=on_upstream(QUILT, QuiltService.search_catalog),
    route=Route("POST", "/api/v1/quilt/search"),
    text=text.search_text,
)
_LIST: Final = Operation(
    name="bucket_objects_list",
    title="List the objects of a bucket",
    description=(
        "List the keys of an S3 bucket, all or those with a prefix, by the service's own AWS credentials. This is a "
        "listing by key, not a search: nothing is ranked or matched. Go on with next_continuation_token. To find "
        "something by words or metadata use search_catalog."
    ),
    group=_GROUP,
    effect=EXTERNAL,
    arguments=arguments.ListObjects,
    result=results.ListObjectsResult,
    handler=on_upstream(QUILT, QuiltService.list_objects),
    route=Route("GET", "/api/v1/quilt/buckets/{bucket}/objects"),
    text=text.listing_text,
)


async def _info(services: Services, principal: Principal, _: arguments.GetInfo) -> results.CatalogInfoResult:
    info = await services.upstreams.of(principal.team)[QUILT].info(principal)
    return results.CatalogInfoResult(success=True, **info)


_INFO: Final = Operation(
    name="catalog_info",
    title="The Quilt catalog",
    description=(
        "Addresses of the catalog and its registry, whether the token works, and how and in which buckets the catalog "
        "searches"
    ),
    group=_GROUP,
    effect=EXTERNAL,
    arguments=arguments.GetInfo,
    result=results.CatalogInfoResult,
    handler=_info,
    route=Route("GET", "/api/v1/quilt/info"),
    text=None,
    resource=Resource("catalog://info", "catalog"),
)

OPERATIONS: Final = (SEARCH, _LIST, _INFO)
