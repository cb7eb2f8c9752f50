"""Plain text: paragraphs between blank lines, each with its first line."""

import re
from collections.abc import Sequence
from typing import Final

from indexer.archives.parsed import ParsedDocument
from workers.parsers import decoding
from workers.parsers.builder import TEXT_LIMIT, TOO_MUCH_TEXT, Builder, DeclaredMetadata
from workers.parsers.cleaning import clean
from workers.parsers.failures import ParseError
from workers.parsers.linked_text import LinkSpan

_BLANK_LINES: Final = re.compile(r"\n[ \t]*(?:\n[ \t]*)+")


def parse(data: bytes) -> ParsedDocument:
    """Parse a text file in any common encoding; it has no title of its own."""
    source = clean(decoding.decode(data))
    if len(source) > 2 * TEXT_LIMIT:
        raise ParseError(TOO_MUCH_TEXT)
    builder = Builder()
    add_blocks(builder, source, first_line=1)
    return builder.finish(DeclaredMetadata())


def add_blocks(builder: Builder, source: str, *, first_line: int, spans: Sequence[LinkSpan] = ()) -> None:
    """Add each paragraph as a block, with its indentation and the links that begin in it."""
    remaining = sorted(spans, key=_start, reverse=True)
    position = 0
    line = first_line
    for gap in [*_BLANK_LINES.finditer(source), None]:
        # Spaces after the last newline of the gap are the indentation of the next paragraph.
        following = gap.start() + gap[0].rindex("\n") + 1 if gap else len(source)
        inside = []
        while remaining and (remaining[-1].start < following or gap is None):
            span = remaining.pop()
            inside.append(span._replace(start=span.start - position, end=span.end - position))
        builder.add_block(source[position : gap.start() if gap else None], inside, line=line, indented=True)
        line += source.count("\n", position, following)
        position = following


def _start(span: LinkSpan) -> int:
    return span.start
