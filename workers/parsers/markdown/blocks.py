"""Markdown: CommonMark with tables, footnotes, front matter and wiki links; the text comes without its markup."""

from functools import cache
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.footnote import footnote_plugin

from indexer.archives.parsed import ParsedDocument
from workers.parsers import decoding, text
from workers.parsers.builder import TEXT_LIMIT, TOO_MUCH_TEXT, Builder, Declared, Span
from workers.parsers.cleaning import clean
from workers.parsers.failures import NO_TEXT, ParseError
from workers.parsers.markdown import front_matter, markup, quick_inline, wiki_links
from workers.parsers.markdown.inline import Inline, rendered

_MAX_NESTING: Final = 100


def parse(data: bytes) -> ParsedDocument:
    """Read a Markdown file; one that nests deeper than markdown-it follows is read as plain text."""
    source = clean(decoding.decode(data))
    if len(source) > 2 * TEXT_LIMIT:
        raise ParseError(TOO_MUCH_TEXT)
    head = front_matter.split(source)
    declared = front_matter.declared(head.fields)
    body = source[head.end :]
    builder = Builder()
    reading = _Reading(builder, head.lines + 1)
    if not reading.read(body):
        builder = Builder()
        text.add_blocks(builder, body, first_line=head.lines + 1)
    return _finished(builder, declared)


def _finished(builder: Builder, declared: Declared) -> ParsedDocument:
    try:
        return builder.finish(declared)
    except ParseError as failure:
        # A page that is all front matter, as redirects and stubs are, is still found by its title.
        if failure.reason != NO_TEXT or not declared.title:
            raise
        builder.block(declared.title, line=1)
        return builder.finish(declared)


class _Markdown(MarkdownIt):
    """Leaves targets as they are written; what may be a link is decided later (`links.py`)."""

    def validateLink(self, url: str) -> bool:  # noqa: ARG002, N802 (markdown-it's name)
        return True

    def normalizeLink(self, url: str) -> str:  # noqa: N802 (as above)
        return url

    def normalizeLinkText(self, link: str) -> str:  # noqa: N802 (as above)
        return link


@cache
def _parser() -> MarkdownIt:
    markdown = _Markdown("commonmark", {"maxNesting": _MAX_NESTING}).enable(["table", "strikethrough"])
    markdown.use(footnote_plugin, move_to_end=False)
    markdown.inline.ruler.before("link", "wiki", wiki_links.rule)
    markdown.inline.ruler.disable(["newline"])
    markdown.inline.ruler2.disable(["fragments_join"])
    markdown.inline.terminator_re = quick_inline.SPECIAL
    markdown.core.ruler.enableOnly(["block"])
    return markdown


class _Reading:
    """One walk over the block tokens of a file."""

    def __init__(self, builder: Builder, first_line: int) -> None:
        self._builder = builder
        self._first_line = first_line
        self._environment: dict[str, object] = {}
        self._footnote = ""
        self._row: list[Inline] | None = None
        self._opened = Token("", "", 0)
        self._list_begins = False

    def read(self, body: str) -> bool:
        """Add the blocks of a Markdown text; False where it nests too deeply to be read so."""
        line = self._first_line
        for token in _parser().parse(body, self._environment):
            if token.level >= _MAX_NESTING - 1:
                return False
            if token.map:
                line = self._first_line + token.map[0]
            if token.nesting >= 0 or token.type == "tr_close":
                self._token(token, line)
        return True

    def _token(self, token: Token, line: int) -> None:
        match token.type:
            case "inline":
                self._inline(self._rendered(token.content), line)
            case "heading_open" | "paragraph_open":
                self._opened = token
            case "fence":
                self._builder.block(token.content, line=line + 1, code=True)
            case "code_block":
                self._builder.block(token.content, line=line, code=True)
            case "html_block":
                content, spans = markup.fragment(token.content)
                self._builder.block(content, spans, line=line)
            case "tr_open":
                self._row = []
            case "tr_close":
                self._end_row(line)
            case "bullet_list_open" | "ordered_list_open" | "table_open":
                self._list_begins = self._list_begins or token.level == 0
            case "footnote_reference_open":
                self._footnote = f"[{token.meta['label']}] "
            case _:  # quotes, items, cells: their inner tokens bring the text
                pass

    def _rendered(self, content: str) -> Inline:
        if (inline := quick_inline.read(content)) is not None:
            return inline
        parser = _parser()
        return rendered(parser.inline.parse(content, parser, self._environment, []), self._environment)

    def _inline(self, inline: Inline, line: int) -> None:
        if self._row is not None:
            self._row.append(inline)
            return
        if self._footnote:
            inline, self._footnote = inline.after(self._footnote), ""
        close = False
        if self._opened.type == "heading_open":
            self._builder.head(inline.text, int(self._opened.tag[1]))
        elif self._opened.hidden:
            close = not self._list_begins
            self._list_begins = False
        self._builder.block(inline.text, inline.spans, line=line, close=close)

    def _end_row(self, line: int) -> None:
        text_of_row = ""
        spans: list[Span] = []
        for cell in self._row or ():
            placed = cell.after(f"{text_of_row} | " if text_of_row else "")
            text_of_row = placed.text
            spans.extend(placed.spans)
        self._row = None
        self._builder.block(text_of_row, spans, line=line, close=not self._list_begins)
        self._list_begins = False
