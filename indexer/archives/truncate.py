"""Truncates an archive's hits and their citations to `max_chars`."""

from collections.abc import Sequence
from typing import Final

from indexer.archives.results import (
    ArchiveDocument,
    ArchiveHit,
    Citation,
    CitationGraph,
    Citations,
    DocumentDetails,
    FieldHighlights,
)
from indexer.text.truncate import (
    SizeLimits,
    fits,
    json_size,
    shorten_highlight,
    shorten_text,
    shorten_title,
    shorten_value,
)

_CITATION_LIMITS: Final = ((50, 80), (20, 80), (10, 60), (5, 40), (2, 20), (0, 0))
"""Citations per direction, and characters of each context; tried in turn."""


def shorten_archive_hit(hit: ArchiveHit, limits: SizeLimits) -> ArchiveHit:
    """Shorten the title and the snippets; a dropped snippet drops its location too.

    The title of the document is shown anyway, so the passages, which come last, are kept before the title's highlight.
    """
    document = ArchiveDocument(**hit["document"])
    document["title"] = shorten_title(document["title"], limits)
    fields = hit["highlights"][-limits.highlights :] if limits.highlights else []
    highlights = [_shorten_field(field, limits) for field in fields]
    return ArchiveHit(document=document, matched=hit["matched"], highlights=highlights)


def shorten_details(document: DocumentDetails, limits: SizeLimits) -> DocumentDetails:
    """Shorten title, authors and tags; what identifies the document stays whole."""
    short = document.copy()
    short["title"] = shorten_title(document["title"], limits)
    short["authors"] = shorten_value(document["authors"], limits)
    short["tags"] = shorten_value(document["tags"], limits)
    return short


def truncate_graph(graph: CitationGraph, max_chars: int | None) -> CitationGraph:
    """Leave out the farthest nodes, with their edges, and then edges until the graph fits."""
    nodes, edges = graph["nodes"], graph["edges"]
    while max_chars is not None and not fits([nodes, edges], max_chars):
        if json_size(nodes) > json_size(edges):
            nodes = nodes[: len(nodes) // 2]
            ids = {node["id"] for node in nodes}
            edges = [edge for edge in edges if edge["from"] in ids and edge["to"] in ids]
        else:
            edges = edges[: len(edges) // 2]
    is_cut = len(nodes) < len(graph["nodes"]) or len(edges) < len(graph["edges"])
    return CitationGraph(nodes=nodes, edges=edges, truncated=graph["truncated"] or is_cut)


def _shorten_field(field: FieldHighlights, limits: SizeLimits) -> FieldHighlights:
    return FieldHighlights(
        field=field["field"],
        snippets=[shorten_highlight(snippet, limits.characters) for snippet in field["snippets"][: limits.highlights]],
        locations=field["locations"][: limits.highlights],
    )


def truncate_citations(hits: Sequence[ArchiveHit], max_chars: int | None) -> bool:
    """Shorten the citations of the hits in place until they fit; return whether anything was dropped."""
    if max_chars is None or json_size(list(hits)) <= max_chars:
        return False
    for count, characters in _CITATION_LIMITS:
        for hit in hits:
            if "citations" in hit:
                hit["citations"] = _limit_citations(hit["citations"], count, characters)
        if json_size(list(hits)) <= max_chars:
            break
    return True


def _limit_citations(citations: Citations, count: int, characters: int) -> Citations:
    limited = Citations(
        citing=[_shorten_citation(citation, characters) for citation in citations["citing"][:count]],
        cited=[_shorten_citation(citation, characters) for citation in citations["cited"][:count]],
    )
    if citations.get("truncated") or max(len(citations["citing"]), len(citations["cited"])) > count:
        limited["truncated"] = True
    return limited


def _shorten_citation(citation: Citation, characters: int) -> Citation:
    return Citation(**{**citation, "context": shorten_text(citation["context"], characters)})
