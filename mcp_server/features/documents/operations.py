"""Operations on one document of any source. They are for people who read, and no MCP tools: agents have `fetch`."""

from typing import Final

from mcp_server.effect import EXTERNAL, READ
from mcp_server.features.documents.arguments import ReadCitations, ReadDocument
from mcp_server.features.documents.citations import read_document_citations
from mcp_server.features.documents.results import DocumentCitationsResult, DocumentReadResult
from mcp_server.features.documents.service import read_document
from mcp_server.operation import Group, Operation
from mcp_server.route import Route

_GROUP: Final = Group("documents", guidance="", reads="search", changes="search")

READ_DOCUMENT: Final = Operation(
    name="document_read",
    title="Read a document with its matches marked",
    description="A document of any source by the id that search returned, and where the words of a query stand in it.",
    group=_GROUP,
    effect=EXTERNAL,
    arguments=ReadDocument,
    result=DocumentReadResult,
    handler=read_document,
    asks_upstreams=True,
    route=Route("GET", "/api/v1/documents/{id}"),
    text=None,
)
READ_CITATIONS: Final = Operation(
    name="document_citations",
    title="Show what a document cites, and what cites it",
    description="The citations of a document of the archive in both directions, and the graph around it.",
    group=_GROUP,
    effect=READ,
    arguments=ReadCitations,
    result=DocumentCitationsResult,
    handler=read_document_citations,
    asks_upstreams=True,
    route=Route("GET", "/api/v1/documents/{id}/citations"),
    text=None,
)

OPERATIONS: Final = (READ_DOCUMENT, READ_CITATIONS)
