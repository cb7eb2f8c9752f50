"""A short cut for the inline markup that most paragraphs have; what it is not sure of is left to markdown-it.

Each form is so strict that nothing else in the paragraph can change its meaning; a test compares the two.
"""

import re
from typing import Final

from workers.parsers.builder import Span
from workers.parsers.markdown.inline import LINE_BREAK, Inline

SPECIAL: Final = re.compile(
    r"\\|`|\*|\[|\]|!(?=\[)|\^(?=\[)|<(?=[A-Za-z/!?])|&(?=[#A-Za-z])|~(?=~)|_(?:(?<![A-Za-z0-9]_)|(?![A-Za-z0-9]))"
)
"""Where inline markup can begin; markdown-it passes over anything else in one step.

Each branch begins with a literal: so `re` searches eight times as fast as with classes.
"""
_FORM: Final = re.compile(
    r"`(?P<code>[^`]+)`(?!`)"
    r"|\[(?:(?P<label>[^\[\]\\`*_<&~^]+)|`(?P<coded>[^\[\]`]+)`)\]\((?P<target>[^\s()<>\\`&*_\[\]]+)\)"
    r"|\*\*(?P<strong>(?:[A-Za-z0-9]|(?<!\S\*\*)[.(#/-])"
    r"(?:[^\[\]\\`*_<&~^]*(?:[A-Za-z0-9]|[:.?!)](?=\*\*(?:\s|\Z))))?)\*\*(?!\*)"
    r"|\*(?P<emphasis>[A-Za-z0-9](?:[^\[\]\\`*_<&~^]*[A-Za-z0-9])?)\*(?!\*)"
    r"|<(?P<address>[A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>\x00-\x1f`]*)>"
)


def read(content: str) -> Inline | None:
    """Return the text and links of a paragraph, or None where markdown-it must be asked."""
    found = SPECIAL.search(content)
    if found is None:
        return Inline(_text(content), ())
    pieces: list[str] = []
    spans: list[Span] = []
    length = position = 0
    while found is not None:
        form = _FORM.match(content, found.start())
        if form is None:
            return None
        before = _text(content[position : found.start()])
        target = form["target"] or form["address"]
        shown = _shown(form)
        length += len(before) + len(shown)
        if target:
            spans.append(Span(target, length - len(shown), length))
        pieces += (before, shown)
        position = form.end()
        found = SPECIAL.search(content, position)
    pieces.append(_text(content[position:]))
    return Inline("".join(pieces), spans)


def _text(written: str) -> str:
    return LINE_BREAK.sub("\n", written) if "\n" in written else written


def _shown(form: re.Match[str]) -> str:
    code = form["code"] or form["coded"]
    if code is None:
        return _text(form["label"] or form["strong"] or form["emphasis"] or form["address"])
    code = code.replace("\n", " ")
    return code[1:-1] if code[0] == code[-1] == " " and code.strip() else code
