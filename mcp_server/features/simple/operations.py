"""The operations `search` and `fetch`, by the names and shapes that connectors of chat clients require."""

from typing import Final

from mcp_server.effect import EXTERNAL
from mcp_server.features.simple.arguments import Fetch, SearchSimple
from mcp_server.features.simple.results import FetchResult, SimpleResult
from mcp_server.features.simple.service import fetch_document, search_documents
from mcp_server.operation import Group, Operation
from mcp_server.result_json import compact_json
from mcp_server.route import Route

GROUP: Final = Group("simple", "", reads="search", changes="search")

SEARCH: Final = Operation(
    name="search",
    title="Search documents",
    description="Find documents of this team in the archive, the indices, OSDU and Quilt. Read one with fetch.",
    group=GROUP,
    effect=EXTERNAL,
    arguments=SearchSimple,
    result=SimpleResult,
    handler=search_documents,
    asks_upstreams=True,
    route=Route("POST", "/api/v1/search/simple"),
    text=compact_json,
)
FETCH: Final = Operation(
    name="fetch",
    title="Read a document",
    description="Return a document by the id that search or quote_find returned.",
    group=GROUP,
    effect=EXTERNAL,
    arguments=Fetch,
    result=FetchResult,
    handler=fetch_document,
    asks_upstreams=True,
    route=Route("GET", "/api/v1/fetch/{id}"),
    text=compact_json,
)
