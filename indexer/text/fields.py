"""Texts among the fields of a JSON object."""

from collections.abc import Mapping
from typing import Any


def text_of(fields: Mapping[str, Any], names: tuple[str, ...]) -> str | None:
    """Return the first non-blank text of these fields; names are case-insensitive."""
    texts = {
        name.casefold(): value.strip() for name, value in fields.items() if isinstance(value, str) and value.strip()
    }
    return next((texts[name] for name in names if name in texts), None)
