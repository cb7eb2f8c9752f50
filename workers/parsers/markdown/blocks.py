"""Markdown: the plain text of CommonMark with tables, footnotes, front matter and wiki links."""

from functools import cache
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.footnote import footnote_plugin

from indexer.archives.parsed import ParsedDocument
from workers.parsers import decoding, text
from workers.parsers.builder import TEXT_LIMIT, TOO_MUCH_TEXT, Builder, DeclaredMetadata
from workers.parsers.cleaning import clean
from workers.parsers.failures import NO_TEXT, ParseError
from workers.parsers.linked_text import LinkedText, LinkSpan
from workers.parsers.markdown import front_matter, markup, quick_inline, wiki_links
from workers.parsers.markdown.inline import render_inline

_MAX_NESTING: Final = 100


def parse(data: bytes) -> ParsedDocument:
    """Parse a Markdown file; one that is nested too deeply for markdown-it is parsed as plain text."""
    source = clean(decoding.decode(data))
    if len(source) > 2 * TEXT_LIMIT:
        raise ParseError(TOO_MUCH_TEXT)
    head = front_matter.split(source)
    declared = front_matter.read_metadata(head.fields)
    body = source[head.end :]
    builder = Builder()
    if not _BlockReader(builder, head.lines + 1).read(body):
        builder = Builder()
        text.add_blocks(builder, body, first_line=head.lines + 1)
    return _finish(builder, declared)


def _finish(builder: Builder, declared: DeclaredMetadata) -> ParsedDocument:
    try:
        return builder.finish(declared)
    except ParseError as failure:
        # A file with front matter only, such as a redirect or a stub, is still found by its title.
        if failure.reason != NO_TEXT or not declared.title:
            raise
        builder.add_block(declared.title, line=1)
        return builder.finish(declared)


class _Markdown(MarkdownIt):
    """Keeps link targets as written; `links.py` decides later which count."""

    def validateLink(self, url: str) -> bool:  # noqa: ARG002, N802 (markdown-it's name)
        return True

    def normalizeLink(self, url: str) -> str:  # noqa: N802 (as above)
        return url

    def normalizeLinkText(self, link: str) -> str:  # noqa: N802 (as above)
        return link


@cache
def _markdown_it() -> MarkdownIt:
    markdown = _Markdown("commonmark", {"maxNesting": _MAX_NESTING}).enable(["table", "strikethrough"])
    markdown.use(footnote_plugin, move_to_end=False)
    markdown.inline.ruler.before("link", "wiki", wiki_links.rule)
    markdown.inline.ruler.disable(["newline"])
    markdown.inline.ruler2.disable(["fragments_join"])
    markdown.inline.terminator_re = quick_inline.SPECIAL
    markdown.core.ruler.enableOnly(["block"])
    return markdown


class _BlockReader:
    """Reads the block tokens of one file."""

    def __init__(self, builder: Builder, first_line: int) -> None:
        self._builder = builder
        self._first_line = first_line
        self._environment: dict[str, object] = {}
        self._footnote_label = ""
        self._cells: list[LinkedText] | None = None
        self._container = Token("", "", 0)
        self._at_list_start = False

    def read(self, body: str) -> bool:
        """Add the blocks of a Markdown text; return False if it is nested too deeply."""
        line = self._first_line
        for token in _markdown_it().parse(body, self._environment):
            if token.level >= _MAX_NESTING - 1:
                return False
            if token.map:
                line = self._first_line + token.map[0]
            if token.nesting >= 0 or token.type == "tr_close":
                self._read_token(token, line)
        return True

    def _read_token(self, token: Token, line: int) -> None:
        match token.type:
            case "inline":
                self._add_inline(self._parse_inline(token.content), line)
            case "heading_open" | "paragraph_open":
                self._container = token
            case "fence":
                self._builder.add_block(token.content, line=line + 1, code=True)
            case "code_block":
                self._builder.add_block(token.content, line=line, code=True)
            case "html_block":
                content, spans = markup.html_block_text(token.content)
                self._builder.add_block(content, spans, line=line)
            case "tr_open":
                self._cells = []
            case "tr_close":
                self._end_row(line)
            case "bullet_list_open" | "ordered_list_open" | "table_open":
                self._at_list_start = self._at_list_start or token.level == 0
            case "footnote_reference_open":
                self._footnote_label = f"[{token.meta['label']}] "
            case _:  # quotes, items, cells: the tokens inside them hold the text
                pass

    def _parse_inline(self, content: str) -> LinkedText:
        if (inline := quick_inline.parse_inline(content)) is not None:
            return inline
        parser = _markdown_it()
        return render_inline(parser.inline.parse(content, parser, self._environment, []), self._environment)

    def _add_inline(self, inline: LinkedText, line: int) -> None:
        if self._cells is not None:
            self._cells.append(inline)
            return
        if self._footnote_label:
            inline, self._footnote_label = inline.prefixed(self._footnote_label), ""
        tight = False
        if self._container.type == "heading_open":
            self._builder.set_heading(inline.text, int(self._container.tag[1]))
        elif self._container.hidden:
            tight = not self._at_list_start
            self._at_list_start = False
        self._builder.add_block(inline.text, inline.spans, line=line, tight=tight)

    def _end_row(self, line: int) -> None:
        row = ""
        spans: list[LinkSpan] = []
        for cell in self._cells or ():
            appended = cell.prefixed(f"{row} | " if row else "")
            row = appended.text
            spans.extend(appended.spans)
        self._cells = None
        self._builder.add_block(row, spans, line=line, tight=not self._at_list_start)
        self._at_list_start = False
