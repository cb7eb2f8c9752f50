"""The surroundings of one document: what it cites and what cites it, by title, and the graph around it."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from indexer.archives.citations.graph import Graph, explore, label_of, sort_key
from indexer.archives.citations.resolve import ArchiveRecord, KeyLookup, Reference, address_of
from indexer.tenancy import DocumentId

_MAX_CITATIONS: Final = 200
"""In each direction; a document is read on its own page, so more are shown than beside a hit."""


@dataclass(frozen=True, slots=True)
class OtherDocument:
    """The other end of a citation: a document, or an address that no document is known for."""

    id: DocumentId | None
    title: str
    """Of an address, the address itself."""
    address: str | None
    """Of a document its own; it need not be one of the web."""
    context: str
    """The text around the link."""
    confidence: float


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Both lists with the likeliest first, documents before bare addresses."""

    cites: list[OtherDocument]
    cited_by: list[OtherDocument]
    truncated: bool
    """Whether one of the lists was cut."""
    graph: Graph


async def surroundings_of(lookup: KeyLookup, document: ArchiveRecord, depth: int) -> Surroundings:
    """Return who cites whom around a document, the graph to this depth."""
    direct, graph = await explore(lookup, [document], depth)
    cites = direct.citing.get(document.id, ())
    cited_by = direct.cited.get(document.id, ())
    return Surroundings(
        cites=[_other(reference, reference.target) for reference in _first(cites)],
        cited_by=[_other(reference, reference.source) for reference in _first(cited_by)],
        truncated=max(len(cites), len(cited_by)) > _MAX_CITATIONS,
        graph=graph,
    )


def _first(references: Iterable[Reference]) -> list[Reference]:
    return sorted(references, key=sort_key)[:_MAX_CITATIONS]


def _other(reference: Reference, document: ArchiveRecord | None) -> OtherDocument:
    address = address_of(reference.cited)
    return OtherDocument(
        id=document.id if document else None,
        title=label_of(document) if document else address,
        address=document.fields["url"] if document else address,
        context=reference.cited["context"],
        confidence=reference.confidence,
    )
