"""Who cites whom around one document, by the IDs that `fetch` takes."""

from indexer.archives.citations.graph import Graph, label_of
from indexer.archives.citations.resolve import ArchiveRecord
from indexer.archives.citations.surroundings import OtherDocument
from indexer.archives.reading import read_citations
from indexer.archives.results import Edge
from indexer.tenancy import Principal
from mcp_server.document_ids import DocumentKey, decode_id
from mcp_server.features.archives.operations import SEARCH
from mcp_server.features.documents.arguments import ReadCitations
from mcp_server.features.documents.results import (
    DocumentCitation,
    DocumentCitationsResult,
    DocumentGraph,
    DocumentNode,
)
from mcp_server.features.everywhere import document_fields
from mcp_server.features.everywhere.service import unrestricted
from mcp_server.run import admitted
from mcp_server.services import Services


async def read_document_citations(
    services: Services, principal: Principal, arguments: ReadCitations
) -> DocumentCitationsResult:
    """Return what a document cites, what cites it, and the graph; documents of other sources have no citations."""
    key = decode_id(arguments.id)
    if key.source != "archive":
        graph = DocumentGraph(nodes=[], edges=[], truncated=False)
        return DocumentCitationsResult(
            success=True, id=arguments.id, cites=[], cited_by=[], truncated=False, graph=graph
        )
    async with admitted(SEARCH, unrestricted(services), principal):
        found = await read_citations(services.library, principal, key.id, arguments.depth)
    return DocumentCitationsResult(
        success=True,
        id=arguments.id,
        cites=[_build_citation(each) for each in found.cites],
        cited_by=[_build_citation(each) for each in found.cited_by],
        truncated=found.truncated,
        graph=_build_graph(found.graph, key.id),
    )


def _build_citation(other: OtherDocument) -> DocumentCitation:
    return DocumentCitation(
        id=other.id and _public_id(other.id),
        title=document_fields.title(other.title),
        url=document_fields.web_address(other.address),
        context=other.context,
        confidence=other.confidence,
    )


def _build_graph(graph: Graph, root: str) -> DocumentGraph:
    ids = {id_: id_ if document is None else _public_id(id_) for id_, document in graph.nodes.items()}
    edges = [
        Edge({"from": ids[start], "to": ids[end], "confidence": confidence})
        for (start, end), confidence in graph.edges.items()
    ]
    nodes = [_build_node(ids[id_], document, is_root=id_ == root) for id_, document in graph.nodes.items()]
    return DocumentGraph(nodes=nodes, edges=edges, truncated=graph.truncated)


def _build_node(id_: str, document: ArchiveRecord | None, *, is_root: bool) -> DocumentNode:
    if document is None:
        return DocumentNode(
            id=id_, label=document_fields.title(id_), kind="address", url=document_fields.web_address(id_)
        )
    return DocumentNode(
        id=id_,
        label=document_fields.title(label_of(document)),
        kind="root" if is_root else "document",
        url=document_fields.web_address(document.fields["url"]),
    )


def _public_id(id_: str) -> str:
    return DocumentKey("archive", None, id_).encode()
