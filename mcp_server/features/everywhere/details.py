"""What a result in full shows of a document besides its passages."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from indexer.engines.port import Hit
from indexer.text.clean import clean_text
from indexer.text.truncate import shorten_text
from mcp_server.search_source import ExplanationPart

_MAX_FIELDS: Final = 12
_MAX_ITEMS: Final = 10
_MAX_LENGTH: Final = 200


def shown_fields(fields: Mapping[str, Any], *, without: Iterable[str | None] = ()) -> dict[str, Any]:
    """Return the first fields with scalars or lists of them, shortened, but not those with a value that is shown."""
    hidden = {"", *without}
    shown: dict[str, Any] = {}
    for name, value in fields.items():
        if len(shown) == _MAX_FIELDS:
            break
        items = [_shown(item) for item in (value if isinstance(value, list | tuple) else [value])]
        present = [item for item in items if item is not None and item not in hidden][:_MAX_ITEMS]
        if present:
            shown[shorten_text(name, _MAX_LENGTH)] = present if isinstance(value, list | tuple) else present[0]
    return shown


def explanation(hit: Hit) -> list[ExplanationPart]:
    """Return what a hit owes its score to."""
    return [ExplanationPart(what=part.what, kind=part.kind, score=round(part.score, 4)) for part in hit.parts]


def _shown(value: object) -> str | float | bool | None:
    if isinstance(value, str):
        return shorten_text(" ".join(clean_text(value).split()), _MAX_LENGTH)
    return value if isinstance(value, bool | int | float) else None
