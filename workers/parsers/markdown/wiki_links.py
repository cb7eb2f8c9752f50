"""A rule for markdown-it that parses wiki links: `[[Title]]`, `[[Title#Part]]`, `[[Title|label]]`."""

import re
from typing import Final

from markdown_it.rules_inline import StateInline

from workers.parsers.cleaning import one_line

_WIKI: Final = re.compile(r"!?\[\[([^\[\]|#\n]*)(#[^\[\]|\n]*)?(?:\|([^\[\]\n]*))?\]\]")
_IMAGE_EXTENSIONS: Final = (".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".bmp", ".avif")


def rule(state: StateInline, silent: bool) -> bool:
    """Parse a wiki link at this position; its token holds the visible text, and the title in its meta."""
    position = state.pos
    if not state.src.startswith(("[[", "![["), position):
        return False
    match = _WIKI.match(state.src, position, state.posMax)
    if match is None:
        return False
    title = one_line(match[1])
    part = (match[2] or "").lstrip("#")
    if not title and not part:
        return False
    if not silent:
        token = state.push("wiki", "", 0)
        token.content = (match[3] or "").strip() or title or part.strip()
        embedded_image = match[0].startswith("!") and title.lower().endswith(_IMAGE_EXTENSIONS)
        token.meta = {"target": "" if embedded_image else title}
    state.pos = match.end()
    return True
