"""Cleans text for storage: NFC, no control characters but newline and tab, nothing invisible, no lone surrogates."""

import re
import unicodedata
from typing import Final

from indexer.text.clean import HIDDEN

_SPACES: Final = "\x0b\x0c\x1c-\x1f\x85\u2028\u2029"
_FORBIDDEN: Final = re.compile(
    f"[\x00-\x08\r\x0e-\x1b\x7f-\x84\x86-\x9f\u00ad\ud800-\udfff{_SPACES}{HIDDEN}]"  # U+00AD: the soft hyphen
)
_SEPARATOR: Final = re.compile(f"[{_SPACES}]")
_WHITESPACE: Final = re.compile(r"\s+")


def is_clean(text: str) -> bool:
    """Return whether `clean` would not change the text."""
    return _FORBIDDEN.search(text) is None and unicodedata.is_normalized("NFC", text)


def clean(text: str) -> str:
    """Normalise line ends and Unicode, replace other separators by spaces, and drop forbidden characters."""
    if _FORBIDDEN.search(text):
        text = text.replace("\r\n", "\n").replace("\r", "\n")
        text = _FORBIDDEN.sub("", _SEPARATOR.sub(" ", text))
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def one_line(text: str, limit: int = 500) -> str:
    """Clean a title, a name or a tag: one line, single spaces, truncated at the limit."""
    return _WHITESPACE.sub(" ", clean(text)).strip()[:limit].rstrip()
