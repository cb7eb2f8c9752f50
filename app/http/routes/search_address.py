"""The address of a search on the page, `/?q=…&f.author=…`, as arguments of `search_everywhere`.

`app/page/views/search/state.js` reads the same address.
"""

import math
import re
from collections.abc import Iterable
from typing import Any, Final

from starlette.datastructures import Headers, QueryParams
from starlette.types import Scope

_FILTER: Final = "f."
_BOUNDS: Final = frozenset({"gte", "gt", "lte", "lt"})
_DATE: Final = "date"
_YEAR: Final = re.compile(r"[0-9]{4}")
_LISTS: Final = ("sources", "sort", "facets")
_OTHERS: Final = ("page", "limit", "explain", "detail")


def asks_for_json(scope: Scope) -> bool:
    """Say whether a request for `/` wants the results of a search as JSON instead of the page."""
    accepted = Headers(scope=scope).get("accept", "")
    return "application/json" in accepted and "text/html" not in accepted and "q" in QueryParams(scope["query_string"])


def search_arguments(query: QueryParams) -> dict[str, Any]:
    """Return the arguments that an address stands for."""
    arguments: dict[str, Any] = {"query": query["q"]}
    arguments |= {name: query[name] for name in _OTHERS if query.get(name)}
    for name in _LISTS:
        if query.get(name):
            arguments[name] = [part.strip() for part in query[name].split(",") if part.strip()]
    filters = _filters(query.multi_items())
    return {**arguments, "filters": filters} if filters else arguments


def _filters(pairs: Iterable[tuple[str, str]]) -> dict[str, Any]:
    values: dict[str, list[Any]] = {}
    ranges: dict[str, dict[str, Any]] = {}
    for name, text in pairs:
        if not name.startswith(_FILTER) or not text:
            continue
        field = name.removeprefix(_FILTER)
        stem, _, bound = field.rpartition(".")
        if stem and bound in _BOUNDS:
            ranges.setdefault(stem, {})[bound] = _end_of_range(stem, bound, text)
        else:
            values.setdefault(field, []).extend(_alternatives(text))
    return {**values, **ranges}


def _end_of_range(field: str, bound: str, text: str) -> Any:
    """Return one end of a range; a year alone stands for its first day, as the last year for its last day."""
    if field == _DATE and _YEAR.fullmatch(text):
        return f"{text}-12-31" if bound in {"lte", "gt"} else f"{text}-01-01"
    number = _number(text)
    return text if number is None else number


def _alternatives(text: str) -> list[Any]:
    """Return what a value may mean: an address does not say whether a number, true or false is text."""
    if text in {"true", "false"}:
        return [text == "true", text]
    number = _number(text)
    return [text] if number is None else [number, text]


def _number(text: str) -> float | int | None:
    try:
        number = float(text)
    except ValueError:
        return None
    if not math.isfinite(number):
        return None
    return int(text) if text.lstrip("-").isdecimal() else number
