"""Explores who cites whom around some documents: both directions, nearest first, of limited size."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from indexer.archives.citations.resolve import (
    ArchiveRecord,
    KeyLookup,
    Reference,
    References,
    address_of,
    resolve_references,
)
from indexer.archives.results import Citation, CitationGraph, Citations, Edge, Node
from indexer.tenancy import DocumentId

_MAX_NODES: Final = 200
_MAX_CITATIONS_PER_DOCUMENT: Final = 50
"""In each direction."""


@dataclass(frozen=True, slots=True)
class Graph:
    """Documents, addresses that no document is known for, and which cites which."""

    nodes: Mapping[str, ArchiveRecord | None]
    """By id, nearest first. An address has no record; its id is the address."""
    edges: Mapping[tuple[str, str], float]
    """The highest confidence by the ids of the citing and the cited node."""
    truncated: bool


class GraphBuilder:
    """Collects nodes and edges level by level; a reference beyond the limit is dropped and the graph is `truncated`."""

    def __init__(self, documents: Sequence[ArchiveRecord]) -> None:
        self._nodes: dict[str, ArchiveRecord | None] = {document.id: document for document in documents}
        self._edges: dict[tuple[str, str], float] = {}
        self._truncated = False

    def add_level(self, references: References) -> list[ArchiveRecord]:
        """Add references; return the documents that are new, whose references are the next level."""
        new: dict[DocumentId, ArchiveRecord] = {}
        for reference in sorted(_all_references(references), key=sort_key):
            target = reference.target
            target_id = target.id if target else address_of(reference.cited)
            missing = [end for end in (reference.source.id, target_id) if end not in self._nodes]
            if len(self._nodes) + len(missing) > _MAX_NODES:
                self._truncated = True
                continue
            for document in (reference.source, target):
                if document is not None and document.id not in self._nodes:
                    self._nodes[document.id] = new[document.id] = document
            self._nodes.setdefault(target_id, None)
            edge = (reference.source.id, target_id)
            self._edges[edge] = max(self._edges.get(edge, 0.0), reference.confidence)
        return list(new.values())

    def build(self) -> Graph:
        return Graph(self._nodes, self._edges, self._truncated)


async def explore(lookup: KeyLookup, documents: Sequence[ArchiveRecord], depth: int) -> tuple[References, Graph]:
    """Return the direct references from and to these documents, and the graph to this depth."""
    builder = GraphBuilder(documents)
    direct = await resolve_references(lookup, documents)
    new = builder.add_level(direct)
    for _ in range(depth - 1):
        if not new:
            break
        new = builder.add_level(await resolve_references(lookup, new))
    return direct, builder.build()


async def citation_graph(
    lookup: KeyLookup, documents: Sequence[ArchiveRecord], depth: int
) -> tuple[dict[DocumentId, Citations], CitationGraph]:
    """Return the direct citations of each document, and the graph to this depth."""
    direct, graph = await explore(lookup, documents, depth)
    ids = {document.id for document in documents}
    rendered = CitationGraph(
        nodes=[_build_node(id_, document, ids) for id_, document in graph.nodes.items()],
        edges=[
            Edge({"from": start, "to": end, "confidence": confidence})
            for (start, end), confidence in graph.edges.items()
        ],
        truncated=graph.truncated,
    )
    return {document.id: _direct_citations(direct, document.id) for document in documents}, rendered


def label_of(document: ArchiveRecord) -> str:
    """Return what a reader knows a document by."""
    return document.fields["title"] or document.fields["path"]


def sort_key(reference: Reference) -> tuple[bool, float, str, str]:
    """Order documents before bare addresses, then by confidence, then by name, so that both engines agree."""
    target = reference.target.id if reference.target else ""
    return target == "", -reference.confidence, f"{reference.source.id}{target}", reference.cited["target"]


def _direct_citations(references: References, document: DocumentId) -> Citations:
    citing = sorted(references.citing.get(document, []), key=sort_key)
    cited = sorted(references.cited.get(document, []), key=sort_key)
    direct = Citations(
        citing=[_build_citation(reference) for reference in citing[:_MAX_CITATIONS_PER_DOCUMENT]],
        cited=[_build_citation(reference) for reference in cited[:_MAX_CITATIONS_PER_DOCUMENT]],
    )
    if max(len(citing), len(cited)) > _MAX_CITATIONS_PER_DOCUMENT:
        direct["truncated"] = True
    return direct


def _build_citation(reference: Reference) -> Citation:
    return Citation(
        sourceId=reference.source.id,
        targetId=reference.target.id if reference.target else None,
        targetUrl=reference.cited["target"],
        context=reference.cited["context"],
        confidence=reference.confidence,
    )


def _all_references(references: References) -> Iterable[Reference]:
    for direction in (references.citing, references.cited):
        for of_document in direction.values():
            yield from of_document


def _build_node(id_: str, document: ArchiveRecord | None, sources: set[DocumentId]) -> Node:
    if document is None:
        return Node(id=id_, label=id_, type="target")
    return Node(id=id_, label=label_of(document), type="source" if document.id in sources else "target")
