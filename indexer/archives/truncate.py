"""Truncates an archive's hits and their citations to `max_chars`."""

from collections.abc import Sequence
from typing import Final

from indexer.archives.results import ArchiveDocument, ArchiveHit, Citation, Citations, FieldHighlights
from indexer.text.truncate import SizeLimits, json_size, shorten_highlight, shorten_text

_CITATION_LIMITS: Final = ((50, 80), (20, 80), (10, 60), (5, 40), (2, 20), (0, 0))
"""Citations per direction, and characters of each context; tried in turn."""


def shorten_archive_hit(hit: ArchiveHit, limits: SizeLimits) -> ArchiveHit:
    """Shorten the title and the snippets; a dropped snippet drops its location too."""
    document = ArchiveDocument(**hit["document"])
    document["title"] = shorten_text(document["title"], max(limits.characters, 40))
    fields = hit["highlights"] if limits.highlights else []
    highlights = [_shorten_field(field, limits) for field in fields]
    return ArchiveHit(document=document, matched=hit["matched"], highlights=highlights)


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
