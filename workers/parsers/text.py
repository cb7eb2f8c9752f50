"""Plain text: paragraphs between blank lines, with the line that each begins on."""

import re
from collections.abc import Sequence
from typing import Final

from indexer.archives.parsed import ParsedDocument
from workers.parsers import decoding
from workers.parsers.builder import TEXT_LIMIT, TOO_MUCH_TEXT, Builder, Declared, Span
from workers.parsers.cleaning import clean
from workers.parsers.failures import ParseError

_BLANK: Final = re.compile(r"\n[ \t]*(?:\n[ \t]*)+")


def parse(data: bytes) -> ParsedDocument:
    """Read a text file of any usual encoding; it has no title of its own."""
    source = clean(decoding.decode(data))
    if len(source) > 2 * TEXT_LIMIT:
        raise ParseError(TOO_MUCH_TEXT)
    builder = Builder()
    add_blocks(builder, source, first_line=1)
    return builder.finish(Declared())


def add_blocks(builder: Builder, source: str, *, first_line: int | None, spans: Sequence[Span] = ()) -> None:
    """Add each paragraph as a block, indentation kept, with those of the links that begin in it."""
    waiting = sorted(spans, key=_start, reverse=True)
    position = 0
    line = first_line
    for gap in [*_BLANK.finditer(source), None]:
        # The blanks of the gap's last line are the next paragraph's indentation.
        following = gap.start() + gap[0].rindex("\n") + 1 if gap else len(source)
        inside = []
        while waiting and (waiting[-1].start < following or gap is None):
            span = waiting.pop()
            inside.append(span._replace(start=span.start - position, end=span.end - position))
        builder.block(source[position : gap.start() if gap else None], inside, line=line, indented=True)
        line = line if line is None else line + source.count("\n", position, following)
        position = following


def _start(span: Span) -> int:
    return span.start
