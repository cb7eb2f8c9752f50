"""Locates snippets in the original: finds each snippet in the stored text, then its page, heading and line."""

import re
from html import unescape
from typing import Final

from indexer.archives.results import FieldHighlights, Location
from indexer.archives.stored import StoredFields, place_at

_MARK_TAGS: Final = re.compile(r"</?mark>")
_ELLIPSIS: Final = "…"
_NO_LOCATION: Final = Location(page=None, heading=None, line=None)


def field_highlights(snippets: tuple[str, ...], text: str, fields: StoredFields) -> list[FieldHighlights]:
    """Group snippets by title and content; those of the content get their location."""
    title, content = _empty_field("title"), _empty_field("content")
    for snippet in snippets:
        offset = _find_offset(snippet, text)
        if offset is not None and offset < len(fields["title"]) and text.startswith(fields["title"]):
            _add(title, snippet, _NO_LOCATION)
        else:
            _add(content, snippet, _NO_LOCATION if offset is None else _locate(fields, text, offset))
    return [field for field in (title, content) if field["snippets"]]


def _empty_field(name: str) -> FieldHighlights:
    return FieldHighlights(field="title" if name == "title" else "content", snippets=[], locations=[])


def _add(field: FieldHighlights, snippet: str, location: Location) -> None:
    field["snippets"].append(snippet)
    field["locations"].append(location)


def _find_offset(snippet: str, text: str) -> int | None:
    """Return the offset of the snippet's first mark in the text."""
    before, _, _ = snippet.partition("<mark>")
    plain = unescape(_MARK_TAGS.sub("", snippet)).strip(_ELLIPSIS)
    start = text.find(plain)
    return None if start < 0 else start + len(unescape(before).lstrip(_ELLIPSIS))


def _locate(fields: StoredFields, text: str, offset: int) -> Location:
    place = place_at(fields, offset)
    if place is None:
        return _NO_LOCATION
    place_start, page, heading, line = place
    return Location(page=page, heading=heading, line=line and line + text.count("\n", place_start, offset))
