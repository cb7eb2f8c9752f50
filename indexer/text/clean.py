"""Text without the characters that hide or reorder what a reader sees.

It is cleaned when it is written, and queries and filters likewise: so what is stored, found, cut and shown agrees.
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
_DEEPEST: Final = 100
_HIDDEN: Final = re.compile(f"[{HIDDEN}]")


def clean_text(text: str) -> str:
    """Remove zero-width and bidirectional control characters."""
    return _HIDDEN.sub("", text)


def clean(value: Any, levels: int = _DEEPEST) -> Any:
    """Clean every string in a JSON value, keys too; what lies deeper than documents may is left as it is."""
    if isinstance(value, str):
        return clean_text(value)
    if levels == 0:
        return value
    if isinstance(value, list):
        return [clean(item, levels - 1) for item in value]
    if isinstance(value, dict):
        return {clean_text(key): clean(item, levels - 1) for key, item in value.items()}
    return value
