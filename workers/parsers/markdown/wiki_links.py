"""`[[Title]]`, `[[Title#Part]]`, `[[Title|shown]]`: a rule for markdown-it, which knows none of them."""

import re
from typing import Final

from markdown_it.rules_inline import StateInline

from workers.parsers.cleaning import one_line

_WIKI: Final = re.compile(r"!?\[\[([^\[\]|#\n]*)(#[^\[\]|\n]*)?(?:\|([^\[\]\n]*))?\]\]")
_IMAGES: Final = (".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".bmp", ".avif")


def rule(state: StateInline, silent: bool) -> bool:
    """Take a wiki link at this place; its token has the text to show, and the title in its meta."""
    position = state.pos
    if not state.src.startswith(("[[", "![["), position):
        return False
    found = _WIKI.match(state.src, position, state.posMax)
    if found is None:
        return False
    title = one_line(found[1])
    part = (found[2] or "").lstrip("#")
    if not title and not part:
        return False
    if not silent:
        token = state.push("wiki", "", 0)
        token.content = (found[3] or "").strip() or title or part.strip()
        embedded_image = found[0].startswith("!") and title.lower().endswith(_IMAGES)
        token.meta = {"target": "" if embedded_image else title}
    state.pos = found.end()
    return True
