"""HTML inside Markdown: tags are dropped, anchors become links, the text between stays."""

import html
import re
from typing import Final

from workers.parsers.builder import Span

_TAG: Final = re.compile(
    r"<!--.*?(?:-->|\Z)|<(?:!\[CDATA\[|[!?])[^>]*>|<(?P<close>/?)(?P<name>[a-z][a-z0-9:-]*)"
    r"(?P<attributes>(?:[^<>\"']|\"[^\"]*\"|'[^']*')*)>",
    re.DOTALL | re.IGNORECASE,
)
_HREF: Final = re.compile(r"\shref\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>]+))", re.IGNORECASE)
_UNSEEN: Final = re.compile(r"<(script|style|template)\b.*?(?:</\1\s*>|\Z)", re.DOTALL | re.IGNORECASE)
_BREAKING: Final = frozenset(
    {
        "br",
        "p",
        "div",
        "li",
        "tr",
        "table",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "ul",
        "ol",
        "dd",
        "dt",
        "details",
        "summary",
        "section",
    }
)
_BLANK_LINES: Final = re.compile(r"[ \t]*\n\s*")


def anchor(tag: str) -> str | None:
    """Return where an opening `<a …>` points."""
    if tag[:2].lower() != "<a" or (found := _HREF.search(tag)) is None:
        return None
    return html.unescape(found[1] or found[2] or found[3] or "")


def is_break(tag: str) -> bool:
    """Say whether a tag is `<br>` in any of its forms."""
    return tag[:3].lower() == "<br" and not tag[3:4].isalpha()


def fragment(source: str) -> tuple[str, list[Span]]:
    """Return the text of a block of HTML and the links in it."""
    source = _UNSEEN.sub(" ", source)
    pieces: list[str] = []
    spans: list[Span] = []
    opened: tuple[str, int] | None = None
    length = position = 0

    def add(text: str) -> None:
        nonlocal length
        shown = _BLANK_LINES.sub("\n", html.unescape(text))
        if shown.startswith("\n") and pieces and pieces[-1].endswith("\n"):
            shown = shown[1:]
        if shown:
            pieces.append(shown)
            length += len(shown)

    for tag in _TAG.finditer(source):
        add(source[position : tag.start()])
        position = tag.end()
        name = (tag["name"] or "").lower()
        if name == "a":
            if opened:
                spans.append(Span(opened[0], opened[1], length))
            target = None if tag["close"] else anchor(tag[0])
            opened = (target, length) if target else None
        elif name in _BREAKING:
            add("\n")
    add(source[position:])
    if opened:
        spans.append(Span(opened[0], opened[1], length))
    return "".join(pieces), spans
