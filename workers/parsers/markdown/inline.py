"""The inside of a Markdown paragraph: its plain text, and the spans of it that are links."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from markdown_it.token import Token

from workers.parsers.builder import Span
from workers.parsers.markdown import markup

LINE_BREAK: Final = re.compile(r"[ \t]*\n[ \t]*")


class Inline(NamedTuple):
    """Text with the links in it; offsets are into this text."""

    text: str
    spans: Sequence[Span]

    def after(self, prefix: str) -> "Inline":
        """Put something in front."""
        by = len(prefix)
        moved = [span._replace(start=span.start + by, end=span.end + by) for span in self.spans]
        return Inline(prefix + self.text, moved)


class _Rendering:
    def __init__(self, environment: Mapping[str, Any]) -> None:
        self._environment = environment
        self.pieces: list[str] = []
        self.spans: list[Span] = []
        self._length = 0
        self._open: list[tuple[str, int]] = []

    def add(self, text: str) -> None:
        self.pieces.append(text)
        self._length += len(text)

    def tokens(self, tokens: Sequence[Token]) -> None:
        for token in tokens:
            if token.type == "text":
                content = token.content
                self.add(LINE_BREAK.sub("\n", content) if "\n" in content else content)
            else:
                self._other(token)

    def _other(self, token: Token) -> None:
        match token.type:
            case "text_special" | "code_inline":
                self.add(token.content)
            case "link_open":
                self._open.append((str(token.attrs.get("href", "")), self._length))
            case "link_close":
                self._close()
            case "hardbreak":
                self.add("\n")
            case "wiki":
                self._wiki(token)
            case "image":
                self.tokens(token.children or ())
            case "html_inline":
                self._tag(token.content)
            case "footnote_ref":
                self._footnote(token)
            case _:  # emphasis: only its text is wanted
                pass

    def _wiki(self, token: Token) -> None:
        start = self._length
        self.add(token.content)
        if token.meta["target"]:
            self.spans.append(Span(token.meta["target"], start, self._length, "wiki"))

    def _close(self) -> None:
        if self._open:
            target, start = self._open.pop()
            self.spans.append(Span(target, start, self._length))

    def _tag(self, tag: str) -> None:
        target = markup.anchor(tag)
        if target is not None:
            self._open.append((target, self._length))
        elif tag.lower().startswith("</a"):
            self._close()
        elif markup.is_break(tag):
            self.add("\n")

    def _footnote(self, token: Token) -> None:
        if "label" in token.meta:
            self.add(f"[{token.meta['label']}]")
            return
        self.add(" (")
        self.tokens(self._environment["footnotes"]["list"][token.meta["id"]]["tokens"])
        self.add(")")

    def finish(self) -> Inline:
        while self._open:
            self._close()
        return Inline("".join(self.pieces), self.spans)


def rendered(tokens: Sequence[Token], environment: Mapping[str, Any]) -> Inline:
    """Return the text that a reader sees; the environment holds the inline footnotes that markdown-it put aside."""
    rendering = _Rendering(environment)
    rendering.tokens(tokens)
    return rendering.finish()
