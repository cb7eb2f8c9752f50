"""The Quilt operations: search a catalog for packages and objects, and list buckets in S3."""

from typing import Final

from indexer.tenancy import Principal
from mcp_server.effect import EXTERNAL
from mcp_server.features.quilt import arguments, results, text
from mcp_server.features.quilt.service import QuiltService
from mcp_server.features.quilt.upstream import QUILT
from mcp_server.operation import Group, Operation, Resource
from mcp_server.route import Route
from mcp_server.sandbox import marked
from mcp_server.services import Services, on_upstream

_GUIDANCE: Final = """\
Quilt is a catalog of data packages and S3 objects; the resource catalog://info tells its buckets."""
_GROUP: Final = Group("quilt", _GUIDANCE, reads="quilt", changes="quilt")

SEARCH: Final = Operation(
    name="search_catalog",
    title="Search the Quilt catalog",
    description=(
        "Find packages and S3 objects (data files) in the Quilt catalog by words in names, contents and metadata; "
        "count_only tells how many there are. To see what is in a bucket use bucket_objects_list."
    ),
    group=_GROUP,
    effect=EXTERNAL,
    arguments=arguments.SearchCatalog,
    result=results.SearchCatalogResult,
    handler=on_upstream(QUILT, QuiltService.search_catalog),
    route=Route("POST", "/api/v1/quilt/search"),
    text=text.search_text,
)


async def _list_objects(
    services: Services, principal: Principal, asked: arguments.ListObjects
) -> results.ListObjectsResult:
    async with services.upstreams.call(principal.team, QUILT) as quilt:
        result = await quilt.list_objects(services.background.rights_of(principal), asked)
        return marked(result) if quilt.is_sandbox else result


_LIST: Final = Operation(
    name="bucket_objects_list",
    title="List the objects of a bucket",
    description="List what is in an S3 bucket under a prefix, by key. To find something by words use search_catalog.",
    group=_GROUP,
    effect=EXTERNAL,
    arguments=arguments.ListObjects,
    result=results.ListObjectsResult,
    handler=_list_objects,
    route=Route("GET", "/api/v1/quilt/buckets/{bucket}/objects"),
    text=text.listing_text,
)


async def _info(service: QuiltService, principal: Principal, _: arguments.GetInfo) -> results.CatalogInfoResult:
    return results.CatalogInfoResult(success=True, **await service.info(principal))


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
    handler=on_upstream(QUILT, _info),
    route=Route("GET", "/api/v1/quilt/info"),
    text=None,
    resource=Resource("catalog://info", "catalog"),
)

OPERATIONS: Final = (SEARCH, _LIST, _INFO)
