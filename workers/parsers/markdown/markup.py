"""HTML inside Markdown: removes tags, keeps the text, and turns anchors into links."""

import html
import re
from typing import Final

from workers.parsers.linked_text import LinkSpan

_TAG: Final = re.compile(
    r"<!--.*?(?:-->|\Z)|<(?:!\[CDATA\[|[!?])[^>]*>|<(?P<close>/?)(?P<name>[a-z][a-z0-9:-]*)"
    r"(?P<attributes>(?:[^<>\"']|\"[^\"]*\"|'[^']*')*)>",
    re.DOTALL | re.IGNORECASE,
)
_HREF: Final = re.compile(r"\shref\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>]+))", re.IGNORECASE)
_INVISIBLE: Final = re.compile(r"<(script|style|template)\b.*?(?:</\1\s*>|\Z)", re.DOTALL | re.IGNORECASE)
_LINE_BREAKING_TAGS: Final = frozenset(
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


def anchor_target(tag: str) -> str | None:
    """Return the target of an opening `<a …>`, or None."""
    if tag[:2].lower() != "<a" or (match := _HREF.search(tag)) is None:
        return None
    return html.unescape(match[1] or match[2] or match[3] or "")


def is_break(tag: str) -> bool:
    """Return whether a tag is a `<br>`."""
    return tag[:3].lower() == "<br" and not tag[3:4].isalpha()


def html_block_text(source: str) -> tuple[str, list[LinkSpan]]:
    """Return the text of a block of HTML and the links in it."""
    source = _INVISIBLE.sub(" ", source)
    pieces: list[str] = []
    spans: list[LinkSpan] = []
    open_link: tuple[str, int] | None = None
    length = position = 0

    def add(text: str) -> None:
        nonlocal length
        piece = _BLANK_LINES.sub("\n", html.unescape(text))
        if piece.startswith("\n") and pieces and pieces[-1].endswith("\n"):
            piece = piece[1:]
        if piece:
            pieces.append(piece)
            length += len(piece)

    for tag in _TAG.finditer(source):
        add(source[position : tag.start()])
        position = tag.end()
        name = (tag["name"] or "").lower()
        if name == "a":
            if open_link:
                spans.append(LinkSpan(open_link[0], open_link[1], length))
            target = None if tag["close"] else anchor_target(tag[0])
            open_link = (target, length) if target else None
        elif name in _LINE_BREAKING_TAGS:
            add("\n")
    add(source[position:])
    if open_link:
        spans.append(LinkSpan(open_link[0], open_link[1], length))
    return "".join(pieces), spans
