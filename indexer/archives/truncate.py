"""Cutting an archive's hits down to the room there is."""

from collections.abc import Sequence
from typing import Final

from indexer.archives.results import ArchiveDocument, ArchiveHit, Citation, Citations, FieldHighlights
from indexer.text.truncate import Room, json_size, shorten_highlight, shorten_text

_STEPS: Final = ((50, 80), (20, 80), (10, 60), (5, 40), (2, 20), (0, 0))
"""How many citations each way and how much of each context may stay, tried in turn."""


def shorten_archive_hit(hit: ArchiveHit, room: Room) -> ArchiveHit:
    """Cut titles and snippets; a snippet that goes takes its location along."""
    document = ArchiveDocument(**hit["document"])
    document["title"] = shorten_text(document["title"], max(room.characters, 40))
    return ArchiveHit(document=document, highlights=[_field(field, room) for field in hit["highlights"]])


def _field(field: FieldHighlights, room: Room) -> FieldHighlights:
    return FieldHighlights(
        field=field["field"],
        snippets=[shorten_highlight(snippet, room.characters) for snippet in field["snippets"][: room.highlights]],
        locations=field["locations"][: room.highlights],
    )


def fit_citations(hits: Sequence[ArchiveHit], max_chars: int | None) -> bool:
    """Shorten the citations of hits in place until they fit; return whether anything had to go."""
    if max_chars is None or json_size(list(hits)) <= max_chars:
        return False
    for most, characters in _STEPS:
        for hit in hits:
            if "citations" in hit:
                hit["citations"] = _fewer(hit["citations"], most, characters)
        if json_size(list(hits)) <= max_chars:
            break
    return True


def _fewer(citations: Citations, most: int, characters: int) -> Citations:
    fewer = Citations(
        citing=[_shorter(citation, characters) for citation in citations["citing"][:most]],
        cited=[_shorter(citation, characters) for citation in citations["cited"][:most]],
    )
    if citations.get("truncated") or max(len(citations["citing"]), len(citations["cited"])) > most:
        fewer["truncated"] = True
    return fewer


def _shorter(citation: Citation, characters: int) -> Citation:
    return Citation(**{**citation, "context": shorten_text(citation["context"], characters)})
