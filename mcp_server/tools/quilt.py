"""Tools for Quilt: packages and objects of a catalog, by its own search; and what S3 lists, named as that."""

from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

from mcp.types import ToolAnnotations

from indexer.tenancy import Principal
from mcp_server import quilt_text as text
from mcp_server.bounds import DEFAULT_MAX_CHARS, BoundedChars
from mcp_server.services import Services
from mcp_server.tool import Group, Tool
from mcp_server.upstreams.quilt import arguments as given
from mcp_server.upstreams.quilt import results
from mcp_server.upstreams.quilt.service import QuiltService

A = TypeVar("A")
R = TypeVar("R")

_ASKS: Final = ToolAnnotations(read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=True)


class BoundedSearchCatalog(given.SearchCatalog):
    """A search whose results always have a bound."""

    max_chars: BoundedChars = DEFAULT_MAX_CHARS


def on_quilt(
    call: Callable[[QuiltService, Principal, A], Awaitable[R]],
) -> Callable[[Services, Principal, A], Awaitable[R]]:
    """Let a method of the Quilt service be a handler."""

    def handler(services: Services, principal: Principal, arguments: A) -> Awaitable[R]:
        return call(services.upstreams.quilt, principal, arguments)

    return handler


_SEARCH: Final = Tool(
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
    annotations=_ASKS,
    arguments=BoundedSearchCatalog,
    result=results.SearchCatalogResult,
    handler=on_quilt(QuiltService.search_catalog),
    text=text.search_text,
)
_LIST: Final = Tool(
    name="bucket_objects_list",
    title="List the objects of a bucket",
    description=(
        "List the keys of an S3 bucket, all or those with a prefix, by the service's own AWS credentials. This is a "
        "listing by key, not a search: nothing is ranked or matched. Go on with next_continuation_token. To find "
        "something by words or metadata use search_catalog."
    ),
    annotations=_ASKS,
    arguments=given.ListObjects,
    result=results.ListObjectsResult,
    handler=on_quilt(QuiltService.list_objects),
    text=text.listing_text,
)

_GUIDANCE: Final = """\
Quilt is a catalog of data packages and S3 objects.
- search_catalog searches it by words, with filters; every failure says what to do and which tool to use instead.
- bucket_objects_list lists the keys of a bucket, which is no search.
The resource catalog://info tells which catalog this is and how it searches."""

QUILT: Final = Group(name="quilt", guidance=_GUIDANCE, tools=(_SEARCH, _LIST))
