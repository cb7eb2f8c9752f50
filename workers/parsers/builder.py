"""Builds a document from blocks: its text, the page, heading and line of each block, and its links."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from indexer.archives.parsed import Link, ParsedDocument, Place
from workers.parsers import identifiers
from workers.parsers.cleaning import clean, is_clean, one_line
from workers.parsers.failures import NO_TEXT, ParseError
from workers.parsers.language import detect_language
from workers.parsers.linked_text import LinkSpan
from workers.parsers.links import classify_target

TEXT_LIMIT: Final = 10_000_000
TOO_MUCH_TEXT: Final = "holds more than 10 MB of text"
_MAX_PLACES: Final = 50_000
_MAX_LINKS: Final = 10_000


@dataclass(slots=True)
class DeclaredMetadata:
    """Metadata that the document itself declares, cleaned and normalised by its parser."""

    title: str = ""
    date: str | None = None
    authors: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    language: str | None = None
    canonical_url: str | None = None
    doi: str | None = None


@dataclass(slots=True)
class Builder:
    """Collects blocks; `finish` adds identifiers and the language found in the text.

    A parser sets `page` and the heading before it adds the blocks below them.
    """

    page: int | None = None
    heading: str | None = None
    title: str = ""
    """The first heading of level 1, else the first heading; used if the document declares no title."""
    _title_level: int = 99
    _parts: list[str] = field(default_factory=list)
    _length: int = 0
    _places: list[Place] = field(default_factory=list)
    _spans: list[LinkSpan] = field(default_factory=list)
    _code_ranges: list[tuple[int, int]] = field(default_factory=list)

    def set_heading(self, text: str, level: int) -> None:
        """Set the heading of the following blocks. The first becomes the title, until one of level 1 replaces it."""
        heading = one_line(text)
        if heading:
            self.heading = heading
            if level < self._title_level and (level == 1 or not self.title):
                self.title, self._title_level = heading, level

    def add_block(
        self,
        text: str,
        spans: Sequence[LinkSpan] = (),
        *,
        line: int | None = None,
        code: bool = False,
        indented: bool = False,
        tight: bool = False,
    ) -> None:
        """Add a block and its links; the offsets of `spans` refer to `text`.

        `line` is the line of the original on which `text` begins. `code` and `indented` keep the indentation of the
        first line. `tight` leaves out the blank line before the block.
        """
        content = text.rstrip()
        lead = len(content) - len(content.strip("\n" if code or indented else None))
        if lead:
            line = line if line is None else line + content.count("\n", 0, lead)
            content = content[lead:]
        if not content:
            self._spans.extend(span._replace(start=self._length, end=self._length) for span in spans)
            return
        if self._length:
            separator = "\n" if tight else "\n\n"
            self._parts.append(separator)
            self._length += len(separator)
        start = self._length
        self._parts.append(content)
        self._length += len(content)
        if self._length > TEXT_LIMIT:
            raise ParseError(TOO_MUCH_TEXT)
        self._places.append(Place(start, self.page, self.heading, line))
        for span in spans:
            self._spans.append(
                span._replace(start=start + max(span.start - lead, 0), end=start + max(span.end - lead, 0))
            )
        if code:
            self._code_ranges.append((start, self._length))

    def finish(self, declared: DeclaredMetadata) -> ParsedDocument:
        """Return the document; `ParseError` if its text is empty or too long."""
        text = "".join(self._parts)
        if not text:
            raise ParseError(NO_TEXT)
        if not is_clean(text):
            text = self._clean_text(text)
        if len(text) * 4 > TEXT_LIMIT and len(text.encode()) > TEXT_LIMIT:
            raise ParseError(TOO_MUCH_TEXT)
        step = len(self._places) // _MAX_PLACES + 1
        return ParsedDocument(
            title=declared.title or self.title,
            text=text,
            date=declared.date,
            authors=declared.authors,
            tags=declared.tags,
            language=declared.language or detect_language(text),
            canonical_url=declared.canonical_url,
            doi=declared.doi,
            links=self._collect_links(text),
            places=tuple(self._places[::step]),
        )

    def _clean_text(self, text: str) -> str:
        """Clean the text between the known offsets, so that places and links keep their position."""
        offsets = {0, len(text)}
        offsets.update(place.start for place in self._places)
        offsets.update(offset for span in self._spans for offset in (span.start, span.end))
        offsets.update(offset for pair in self._code_ranges for offset in pair)
        parts: list[str] = []
        moved = {0: 0}
        length = 0
        for start, end in pairwise(sorted(offsets)):
            part = clean(text[start:end])
            parts.append(part)
            length += len(part)
            moved[end] = length
        self._places = [Place(moved[place.start], place.page, place.heading, place.line) for place in self._places]
        self._spans = [span._replace(start=moved[span.start], end=moved[span.end]) for span in self._spans]
        self._code_ranges = [(moved[start], moved[end]) for start, end in self._code_ranges]
        # A piece may begin with a combining mark, which composes with the piece before: later offsets are off by one.
        return clean("".join(parts))

    def _collect_links(self, text: str) -> tuple[Link, ...]:
        linked = sorted((span.start, span.end) for span in self._spans)
        links = []
        for span in self._spans:
            link = (span.target, span.kind) if span.kind else classify_target(span.target)
            if link:
                links.append(Link(link[0], link[1], min(span.start, len(text))))
        for identifier in identifiers.find_identifiers(text):
            in_code = identifier.kind == "link" and _within(identifier.start, self._code_ranges)
            if not in_code and not _overlaps(identifier.start, identifier.end, linked):
                links.append(Link(identifier.target, identifier.kind, identifier.start))
            if len(links) > _MAX_LINKS:
                break
        return tuple(sorted(links[:_MAX_LINKS], key=_start))


def _start(link: Link) -> int:
    return link.start


def _within(offset: int, ranges: Sequence[tuple[int, int]]) -> bool:
    """Return whether the offset lies in one of the sorted, disjoint ranges."""
    index = bisect_right(ranges, (offset, TEXT_LIMIT)) - 1
    return index >= 0 and offset < ranges[index][1]


def _overlaps(start: int, end: int, ranges: Sequence[tuple[int, int]]) -> bool:
    """Return whether a range begins or ends in one of the sorted, disjoint ranges."""
    return _within(start, ranges) or _within(end - 1, ranges)
