"""The graph of citations around some documents, both directions, nearest first, within bounds."""

from collections.abc import Iterable, Sequence
from typing import Final, Literal

from indexer.archives.citations.resolve import ArchiveRecord, KeyLookup, Reference, References, references
from indexer.archives.results import Citation, CitationGraph, Citations, Edge, Node
from indexer.tenancy import DocumentId

MOST_NODES: Final = 200
MOST_OF_ONE: Final = 50


class GraphBuilder:
    """Collects nodes and edges level by level; what does not fit any more is left out and said so."""

    def __init__(self, documents: Sequence[ArchiveRecord]) -> None:
        self._nodes: dict[str, Node] = {document.id: _node(document, "source") for document in documents}
        self._edges: dict[tuple[str, str], float] = {}
        self._truncated = False

    def add(self, found: References) -> list[ArchiveRecord]:
        """Add what one level found; return the documents that are new, whose own citations are the next level."""
        new: dict[DocumentId, ArchiveRecord] = {}
        for reference in sorted(_all(found), key=_order):
            target = reference.target
            to = target.id if target else reference.cited["target"]
            missing = [end for end in (reference.source.id, to) if end not in self._nodes]
            if len(self._nodes) + len(missing) > MOST_NODES:
                self._truncated = True
                continue
            for known in (reference.source, target):
                if known is not None and known.id not in self._nodes:
                    self._nodes[known.id] = _node(known, "target")
                    new[known.id] = known
            if target is None and to not in self._nodes:
                self._nodes[to] = Node(id=to, label=to, type="target")
            pair = (reference.source.id, to)
            self._edges[pair] = max(self._edges.get(pair, 0.0), reference.confidence)
        return list(new.values())

    def graph(self) -> CitationGraph:
        edges = [Edge({"from": start, "to": end, "confidence": sure}) for (start, end), sure in self._edges.items()]
        return CitationGraph(nodes=list(self._nodes.values()), edges=edges, truncated=self._truncated)


async def citation_graph(
    holders: KeyLookup, documents: Sequence[ArchiveRecord], depth: int
) -> tuple[dict[DocumentId, Citations], CitationGraph]:
    """Return the direct citations of each document, and the graph to this depth."""
    around = GraphBuilder(documents)
    first = await references(holders, documents)
    level = around.add(first)
    for _ in range(depth - 1):
        if not level:
            break
        level = around.add(await references(holders, level))
    return {document.id: _direct(first, document.id) for document in documents}, around.graph()


def _direct(found: References, document: DocumentId) -> Citations:
    citing = sorted(found.citing.get(document, []), key=_order)
    cited = sorted(found.cited.get(document, []), key=_order)
    direct = Citations(
        citing=[_citation(reference) for reference in citing[:MOST_OF_ONE]],
        cited=[_citation(reference) for reference in cited[:MOST_OF_ONE]],
    )
    if max(len(citing), len(cited)) > MOST_OF_ONE:
        direct["truncated"] = True
    return direct


def _citation(reference: Reference) -> Citation:
    return Citation(
        sourceId=reference.source.id,
        targetId=reference.target.id if reference.target else None,
        targetUrl=reference.cited["target"],
        context=reference.cited["context"],
        confidence=reference.confidence,
    )


def _all(found: References) -> Iterable[Reference]:
    for direction in (found.citing, found.cited):
        for some in direction.values():
            yield from some


def _order(reference: Reference) -> tuple[bool, float, str, str]:
    """ArchiveRecord documents before bare addresses, sure ones first, then by name: the same on every engine."""
    target = reference.target.id if reference.target else ""
    return target == "", -reference.confidence, f"{reference.source.id}{target}", reference.cited["target"]


def _node(known: ArchiveRecord, kind: Literal["source", "target"]) -> Node:
    label = known.fields["title"] or known.fields["path"]
    return Node(id=known.id, label=label, type=kind)
