"""Highlights a hit: its title, and passages of its body with page, heading and line of the original."""

import re
from collections.abc import Iterator
from html import unescape
from itertools import islice
from typing import Final, Literal

from indexer.archives.locations import NO_LOCATION, locate
from indexer.archives.results import FieldHighlights, Location
from indexer.archives.stored import StoredFields, place_at
from indexer.archives.titles import is_line
from indexer.engines.analyzers import stemmer
from indexer.engines.highlighter import Highlighter
from indexer.engines.port import Hit
from indexer.engines.windows import Window, opening_window
from indexer.query.ast import Query
from indexer.schema.definition import Analysis
from indexer.text.marks import ELLIPSIS, MARK, plain_text, skip_characters

MAX_PASSAGES: Final = 3
FRAGMENTS: Final = MAX_PASSAGES + 1
"""How many to request of the engine: one may show nothing but the title."""
_BLANKS: Final = re.compile(r"\s*")


class HitHighlighter:
    """Highlights the hits of one search.

    The text of a document begins with its title, and an engine returns fragments of the whole text. So the title is
    marked here, and the fragments are cut where the body begins.
    """

    def __init__(self, query: Query, analysis: Analysis) -> None:
        self._highlighter = Highlighter(query, analysis, stemmer(analysis))

    def highlight(self, hit: Hit, fields: StoredFields) -> list[FieldHighlights]:
        """Return an entry for the title, if it matches, and one for the content.

        If nothing but the title matches, the content is the first passage of the body, without marks.
        """
        title, content = _entry("title"), _entry("content")
        if (marked := self._highlighter.mark(fields["title"])) is not None:
            _add(title, marked, _locate_title(fields, hit.text))
        for passage, offset in islice(_passages(hit, fields), MAX_PASSAGES):
            _add(content, passage, NO_LOCATION if offset is None else locate(fields, hit.text, offset))
        if title["snippets"] and not content["snippets"] and (opening := _opening(hit.text, fields)) is not None:
            _add(content, opening.marked, locate(fields, hit.text, opening.start))
        return [entry for entry in (title, content) if entry["snippets"]]


def _entry(field: Literal["title", "content"]) -> FieldHighlights:
    return FieldHighlights(field=field, snippets=[], locations=[])


def _add(entry: FieldHighlights, snippet: str, location: Location) -> None:
    entry["snippets"].append(snippet)
    entry["locations"].append(location)


def _passages(hit: Hit, fields: StoredFields) -> Iterator[tuple[str, int | None]]:
    """Yield the fragments without what they show of the title, and the offset of the first match of each."""
    body = _body_start(hit.text, fields)
    search_from: dict[str, int] = {}
    for fragment in hit.highlights:
        bare = fragment.removeprefix(ELLIPSIS)
        plain = plain_text(bare).removesuffix(ELLIPSIS)
        # Of equal fragments, the first is the one that occurs first.
        start = hit.text.find(plain, search_from.get(plain, 0))
        if start < 0:
            yield fragment, None
            continue
        search_from[plain] = start + len(plain)
        passage = bare if start >= body else skip_characters(bare, body - start)
        before, mark, _ = passage.partition(MARK)
        if mark:
            yield fragment if passage is bare else passage, max(start, body) + len(unescape(before))


def _opening(text: str, fields: StoredFields) -> Window | None:
    """Return the first passage of the body that is no heading; None if there is none."""
    body = _body_start(text, fields)
    starts = (
        start for start, _, heading, _ in fields["places"] if start >= body and not is_line(heading or "", text, start)
    )
    return opening_window(text, next(starts, body))


def _body_start(text: str, fields: StoredFields) -> int:
    """Return where the text below the title begins; a first line that only serves as the title is part of the body."""
    title = fields["title"]
    gap = _BLANKS.match(text, len(title)) if is_line(title, text, 0) else None
    place = place_at(fields, 0)
    is_first_line = place is not None and place[2] != title
    return gap.end() if gap and not is_first_line else 0


def _locate_title(fields: StoredFields, text: str) -> Location:
    """Return where the original shows its title; nowhere if it only declares it."""
    starts = (place[0] for place in fields["places"])
    start = next((start for start in starts if is_line(fields["title"], text, start)), None)
    return NO_LOCATION if start is None else locate(fields, text, start)
