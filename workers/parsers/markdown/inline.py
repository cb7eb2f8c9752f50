"""Renders the inline tokens of markdown-it as plain text with links."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from markdown_it.token import Token

from workers.parsers.linked_text import LinkedText, LinkSpan
from workers.parsers.markdown import markup

LINE_BREAK: Final = re.compile(r"[ \t]*\n[ \t]*")


class _Renderer:
    def __init__(self, environment: Mapping[str, Any]) -> None:
        self._environment = environment
        self.pieces: list[str] = []
        self.spans: list[LinkSpan] = []
        self._length = 0
        self._open_links: list[tuple[str, int]] = []

    def add(self, text: str) -> None:
        self.pieces.append(text)
        self._length += len(text)

    def add_tokens(self, tokens: Sequence[Token]) -> None:
        for token in tokens:
            if token.type == "text":
                content = token.content
                self.add(LINE_BREAK.sub("\n", content) if "\n" in content else content)
            else:
                self._add_markup(token)

    def _add_markup(self, token: Token) -> None:
        match token.type:
            case "text_special" | "code_inline":
                self.add(token.content)
            case "link_open":
                self._open_links.append((str(token.attrs.get("href", "")), self._length))
            case "link_close":
                self._close_link()
            case "hardbreak":
                self.add("\n")
            case "wiki":
                self._add_wiki_link(token)
            case "image":
                self.add_tokens(token.children or ())
            case "html_inline":
                self._add_html_tag(token.content)
            case "footnote_ref":
                self._add_footnote(token)
            case _:  # emphasis: only its text is kept
                pass

    def _add_wiki_link(self, token: Token) -> None:
        start = self._length
        self.add(token.content)
        if token.meta["target"]:
            self.spans.append(LinkSpan(token.meta["target"], start, self._length, "wiki"))

    def _close_link(self) -> None:
        if self._open_links:
            target, start = self._open_links.pop()
            self.spans.append(LinkSpan(target, start, self._length))

    def _add_html_tag(self, tag: str) -> None:
        target = markup.anchor_target(tag)
        if target is not None:
            self._open_links.append((target, self._length))
        elif tag.lower().startswith("</a"):
            self._close_link()
        elif markup.is_break(tag):
            self.add("\n")

    def _add_footnote(self, token: Token) -> None:
        if "label" in token.meta:
            self.add(f"[{token.meta['label']}]")
            return
        self.add(" (")
        self.add_tokens(self._environment["footnotes"]["list"][token.meta["id"]]["tokens"])
        self.add(")")

    def finish(self) -> LinkedText:
        while self._open_links:
            self._close_link()
        return LinkedText("".join(self.pieces), self.spans)


def render_inline(tokens: Sequence[Token], environment: Mapping[str, Any]) -> LinkedText:
    """Return the visible text and its links; the environment holds the inline footnotes that markdown-it collected."""
    renderer = _Renderer(environment)
    renderer.add_tokens(tokens)
    return renderer.finish()
