"""Puts a document together block by block: the text, where each block stands in the original, what it points at."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final, NamedTuple

from indexer.archives.parsed import Link, LinkKind, ParsedDocument, Place
from workers.parsers import identifiers
from workers.parsers.cleaning import clean, is_clean, one_line
from workers.parsers.failures import NO_TEXT, ParseError
from workers.parsers.language import detected
from workers.parsers.links import pointing

TEXT_LIMIT: Final = 10_000_000
TOO_MUCH_TEXT: Final = "holds more than 10 MB of text"
_MOST_PLACES: Final = 50_000
_MOST_LINKS: Final = 10_000


class Span(NamedTuple):
    """A link as written and the part of a text that carries it."""

    target: str
    start: int
    end: int
    kind: LinkKind | None = None
    """Known for wiki links; for others it follows from the target."""


@dataclass(slots=True)
class Declared:
    """What a document says about itself, cleaned and made uniform by whoever found it."""

    title: str = ""
    date: str | None = None
    authors: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    language: str | None = None
    canonical_url: str | None = None
    doi: str | None = None


@dataclass(slots=True)
class Builder:
    """Collects blocks; `finish` adds what is found in the text and checks the whole."""

    page: int | None = None
    heading: str | None = None
    title: str = ""
    """The best heading so far to call the document by."""
    _title_level: int = 99
    _parts: list[str] = field(default_factory=list)
    _length: int = 0
    _places: list[Place] = field(default_factory=list)
    _spans: list[Span] = field(default_factory=list)
    _code: list[tuple[int, int]] = field(default_factory=list)

    def head(self, text: str, level: int) -> None:
        """Make this the heading of all that follows, and the title if none of a higher rank came before."""
        name = one_line(text)
        if name:
            self.heading = name
            if level < self._title_level and (level == 1 or not self.title):
                self.title, self._title_level = name, level

    def block(
        self,
        text: str,
        spans: Sequence[Span] = (),
        *,
        line: int | None = None,
        code: bool = False,
        indented: bool = False,
        close: bool = False,
    ) -> None:
        """Add a block with the links in it.

        `code` and `indented` keep the indentation of its first line; `close` leaves out the blank line before it.
        """
        shown = text.rstrip()
        lead = len(shown) - len(shown.strip("\n" if code or indented else None))
        if lead:
            line = line if line is None else line + shown.count("\n", 0, lead)
            shown = shown[lead:]
        if not shown:
            self._spans.extend(span._replace(start=self._length, end=self._length) for span in spans)
            return
        if self._length:
            separator = "\n" if close else "\n\n"
            self._parts.append(separator)
            self._length += len(separator)
        start = self._length
        self._parts.append(shown)
        self._length += len(shown)
        if self._length > TEXT_LIMIT:
            raise ParseError(TOO_MUCH_TEXT)
        self._places.append(Place(start, self.page, self.heading, line))
        for span in spans:
            self._spans.append(
                span._replace(start=start + max(span.start - lead, 0), end=start + max(span.end - lead, 0))
            )
        if code:
            self._code.append((start, self._length))

    def finish(self, declared: Declared) -> ParsedDocument:
        """Return the document; a text that is empty or too long is refused."""
        text = "".join(self._parts)
        if not text:
            raise ParseError(NO_TEXT)
        if not is_clean(text):
            text = self._cleaned(text)
        if len(text) * 4 > TEXT_LIMIT and len(text.encode()) > TEXT_LIMIT:
            raise ParseError(TOO_MUCH_TEXT)
        step = len(self._places) // _MOST_PLACES + 1
        return ParsedDocument(
            title=declared.title or self.title,
            text=text,
            date=declared.date,
            authors=declared.authors,
            tags=declared.tags,
            language=declared.language or detected(text),
            canonical_url=declared.canonical_url,
            doi=declared.doi,
            links=self._links(text),
            places=tuple(self._places[::step]),
        )

    def _cleaned(self, text: str) -> str:
        """Clean the text piece by piece, so that places and links still point at what they pointed at."""
        marks = {0, len(text)}
        marks.update(place.start for place in self._places)
        marks.update(offset for span in self._spans for offset in (span.start, span.end))
        marks.update(offset for pair in self._code for offset in pair)
        parts: list[str] = []
        moved = {0: 0}
        length = 0
        for start, end in pairwise(sorted(marks)):
            part = clean(text[start:end])
            parts.append(part)
            length += len(part)
            moved[end] = length
        self._places = [Place(moved[place.start], place.page, place.heading, place.line) for place in self._places]
        self._spans = [span._replace(start=moved[span.start], end=moved[span.end]) for span in self._spans]
        self._code = [(moved[start], moved[end]) for start, end in self._code]
        # A piece may begin with a combining mark: then the seam itself still composes, and what follows moves by one.
        return clean("".join(parts))

    def _links(self, text: str) -> tuple[Link, ...]:
        taken = sorted((span.start, span.end) for span in self._spans)
        links = []
        for span in self._spans:
            where = (span.target, span.kind) if span.kind else pointing(span.target)
            if where:
                links.append(Link(where[0], where[1], min(span.start, len(text))))
        for found in identifiers.find(text):
            in_code = found.kind == "link" and _within(found.start, self._code)
            if not in_code and not _overlaps(found.start, found.end, taken):
                links.append(Link(found.target, found.kind, found.start))
            if len(links) > _MOST_LINKS:
                break
        return tuple(sorted(links[:_MOST_LINKS], key=_start))


def _start(link: Link) -> int:
    return link.start


def _within(offset: int, ranges: Sequence[tuple[int, int]]) -> bool:
    """Say whether the offset lies in one of the ordered, separate ranges."""
    index = bisect_right(ranges, (offset, TEXT_LIMIT)) - 1
    return index >= 0 and offset < ranges[index][1]


def _overlaps(start: int, end: int, ranges: Sequence[tuple[int, int]]) -> bool:
    """Say whether a range shares characters with one of the ordered, separate ranges."""
    return _within(start, ranges) or _within(end - 1, ranges)
