"""Extracts the blocks of an HTML tree into a builder, without recursion."""

import re
from typing import Any, Final
from urllib.parse import urljoin

from workers.parsers.builder import Builder
from workers.parsers.linked_text import LinkSpan

NEVER_SHOWN: Final = frozenset(
    {
        "script",
        "style",
        "template",
        "noscript",
        "svg",
        "math",
        "iframe",
        "object",
        "embed",
        "canvas",
        "audio",
        "video",
        "head",
        "button",
        "select",
        "option",
        "textarea",
        "input",
        "dialog",
    }
)
_BLOCKS: Final = frozenset(
    {
        "address",
        "article",
        "aside",
        "blockquote",
        "body",
        "center",
        "dd",
        "details",
        "div",
        "dl",
        "dt",
        "fieldset",
        "figcaption",
        "figure",
        "footer",
        "form",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "header",
        "hr",
        "html",
        "li",
        "main",
        "nav",
        "ol",
        "p",
        "pre",
        "section",
        "summary",
        "table",
        "tbody",
        "td",
        "tfoot",
        "th",
        "thead",
        "tr",
        "ul",
        "caption",
    }
)
_HEADINGS: Final = {"h1": 1, "h2": 2, "h3": 3, "h4": 4, "h5": 5, "h6": 6}
_CELLS: Final = frozenset({"td", "th"})
_WHITESPACE: Final = re.compile(r"[ \t\n\r\f]+")


class TextExtractor:
    """Extracts one subtree; skips elements by name, role or `hidden`, with their content."""

    def __init__(
        self, builder: Builder, base: str, skipped_tags: frozenset[str], skipped_roles: frozenset[str]
    ) -> None:
        self._builder = builder
        self._base = base
        self._skipped_tags = skipped_tags
        self._skipped_roles = skipped_roles
        self._pieces: list[str] = []
        self._length = 0
        self._spans: list[LinkSpan] = []
        self._anchor: tuple[str, int] | None = None
        self._line: int | None = None
        self._pre_depth = 0
        self._row_depth = 0
        self._tight = False

    def extract(self, root: Any) -> None:
        """Add the blocks of an element and everything below it."""
        stack: list[tuple[Any, bool]] = [(root, False)]
        while stack:
            element, leaving = stack.pop()
            if leaving:
                self._leave(element)
                if element is not root and element.tail:
                    self._add(element.tail, element)
                continue
            if self._is_skipped(element):
                if element is not root and element.tail:
                    self._add(element.tail, element)
                continue
            stack.append((element, True))
            self._enter(element)
            if element.text:
                self._add(element.text, element)
            stack.extend((child, False) for child in reversed(element))
        self._flush()

    def _is_skipped(self, element: Any) -> bool:
        name = element.tag
        return (
            not isinstance(name, str)
            or name in self._skipped_tags
            or element.get("hidden") is not None
            or element.get("role") in self._skipped_roles
        )

    def _enter(self, element: Any) -> None:
        name = element.tag
        if name == "br":
            self._append("\n")
        elif name in _CELLS and self._row_depth:
            if self._pieces:
                self._append(" | ")
        elif name in _BLOCKS:
            self._flush()
            self._line = element.sourceline
            self._pre_depth += name == "pre"
            self._row_depth += name == "tr"
        elif name == "a":
            self._end_anchor()
            if target := element.get("href"):
                self._anchor = (urljoin(self._base, target) if self._base else target, self._length)

    def _leave(self, element: Any) -> None:
        name = element.tag
        if name in _HEADINGS:
            self._builder.set_heading("".join(self._pieces), _HEADINGS[name])
        if name == "a":
            self._end_anchor()
        elif name in _BLOCKS and not (name in _CELLS and self._row_depth):
            self._flush()
            self._pre_depth -= name == "pre"
            self._row_depth -= name == "tr"
            # Rows of a table and items of a list follow each other without a blank line.
            self._tight = name in {"tr", "li", "dt", "dd"}

    def _add(self, text: str, element: Any) -> None:
        if not self._pre_depth:
            text = _WHITESPACE.sub(" ", text)
            if text.startswith(" ") and (not self._pieces or self._pieces[-1].endswith((" ", "\n"))):
                text = text[1:]
        if text:
            self._line = self._line or element.sourceline
            self._append(text)

    def _append(self, text: str) -> None:
        self._pieces.append(text)
        self._length += len(text)

    def _end_anchor(self) -> None:
        if self._anchor:
            target, start = self._anchor
            self._spans.append(LinkSpan(target, start, self._length))
            self._anchor = None

    def _flush(self) -> None:
        # An anchor around several blocks becomes one link, in the first block with text.
        carried = self._anchor if self._anchor and self._anchor[1] == self._length else None
        if carried:
            self._anchor = None
        self._end_anchor()
        if self._pieces or self._spans:
            text = "".join(self._pieces)
            self._builder.add_block(text, self._spans, line=self._line, code=self._pre_depth > 0, tight=self._tight)
            if text.strip():
                self._tight = False
        self._pieces, self._spans, self._length, self._line = [], [], 0, None
        self._anchor = (carried[0], 0) if carried else None
