"""Where in the original the engine's snippets stand: each is a part of the stored text, so it can be looked up."""

import re
from html import unescape
from typing import Final

from indexer.archives.results import FieldHighlights, Location
from indexer.archives.stored import StoredFields, place_at

_MARKS: Final = re.compile(r"</?mark>")
_CUT: Final = "…"
NOWHERE: Final = Location(page=None, heading=None, line=None)


def field_highlights(snippets: tuple[str, ...], text: str, fields: StoredFields) -> list[FieldHighlights]:
    """Sort snippets into those of the title and those of the content, the latter with their places."""
    title, content = _empty("title"), _empty("content")
    for snippet in snippets:
        offset = _offset(snippet, text)
        if offset is not None and offset < len(fields["title"]) and text.startswith(fields["title"]):
            _add(title, snippet, NOWHERE)
        else:
            _add(content, snippet, NOWHERE if offset is None else _location(fields, text, offset))
    return [field for field in (title, content) if field["snippets"]]


def _empty(name: str) -> FieldHighlights:
    return FieldHighlights(field="title" if name == "title" else "content", snippets=[], locations=[])


def _add(field: FieldHighlights, snippet: str, location: Location) -> None:
    field["snippets"].append(snippet)
    field["locations"].append(location)


def _offset(snippet: str, text: str) -> int | None:
    """Return where in the text the snippet's first mark stands."""
    before, _, _ = snippet.partition("<mark>")
    written = unescape(_MARKS.sub("", snippet)).strip(_CUT)
    found = text.find(written)
    return None if found < 0 else found + len(unescape(before).lstrip(_CUT))


def _location(fields: StoredFields, text: str, offset: int) -> Location:
    place = place_at(fields, offset)
    if place is None:
        return NOWHERE
    start, page, heading, line = place
    return Location(page=page, heading=heading, line=line and line + text.count("\n", start, offset))
