"""Removes characters that hide or reorder text.

Documents are cleaned when they are written, and queries and filters when they are parsed, so that they match.
"""

import re
from typing import Any, Final

HIDDEN: Final = (
    "\u061c"  # Arabic letter mark
    "\u180e"  # Mongolian vowel separator
    "\u200b-\u200f"  # zero-width space and joiners, direction marks
    "\u202a-\u202e"  # direction embeddings and overrides
    "\u2060-\u2064"  # word joiner and invisible operators
    "\u2066-\u206f"  # direction isolates and deprecated format characters
    "\ufeff"  # zero-width no-break space
    "\ufff9-\ufffb"  # interlinear annotation
    "\U000e0000-\U000e007f"  # tags: invisible letters
)
_MAX_DEPTH: Final = 100
_HIDDEN_PATTERN: Final = re.compile(f"[{HIDDEN}]")


def clean_text(text: str) -> str:
    """Remove zero-width and bidirectional control characters."""
    return text if text.isascii() else _HIDDEN_PATTERN.sub("", text)


def clean(value: Any, levels: int = _MAX_DEPTH) -> Any:
    """Clean every string in a JSON value, keys included, to this depth; documents that deep are rejected anyway."""
    if isinstance(value, str):
        return clean_text(value)
    if levels == 0:
        return value
    if isinstance(value, list):
        return [clean(item, levels - 1) for item in value]
    if isinstance(value, dict):
        return {clean_text(key): clean(item, levels - 1) for key, item in value.items()}
    return value
