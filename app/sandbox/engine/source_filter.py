"""Which parts of a document, or of a response, are returned: by paths and patterns."""

from collections.abc import Sequence
from typing import Any

from app.sandbox.engine.patterns import Pattern, glob
from app.sandbox.engine.port import BadRequest


def filtered_source(source: dict[str, Any], wanted: Any) -> dict[str, Any]:
    """Return the parts of a document that `_source` names: a list of paths, or includes and excludes."""
    match wanted:
        case bool():
            return source if wanted else {}
        case str() | list():
            includes, excludes = _paths(wanted), []
        case dict() if wanted.keys() <= {"includes", "excludes"}:
            includes, excludes = _paths(wanted.get("includes", [])), _paths(wanted.get("excludes", []))
        case _:
            raise BadRequest("[_source] malformed")
    kept = _kept(source, "", [glob(each) for each in includes]) if includes else source
    dropped = [glob(each) for each in excludes]
    return _without(kept, "", dropped) if dropped else kept


def filtered_response(response: dict[str, Any], paths: str) -> dict[str, Any]:
    """Return the parts of a response that `filter_path` names, separated by commas."""
    return _kept(response, "", [glob(path) for path in paths.split(",")])


def _paths(given: Any) -> list[str]:
    return [given] if isinstance(given, str) else list(given)


def _kept(value: dict[str, Any], path: str, wanted: Sequence[Pattern]) -> dict[str, Any]:
    """Return the parts whose paths match, with all that is below them."""
    kept: dict[str, Any] = {}
    for name, part in value.items():
        here = f"{path}.{name}" if path else name
        if any(each.fullmatch(here) for each in wanted):
            kept[name] = part
        elif found := _kept_part(part, here, wanted):
            kept[name] = found
    return kept


def _kept_part(part: Any, path: str, wanted: Sequence[Pattern]) -> Any:
    if isinstance(part, dict):
        return _kept(part, path, wanted)
    if isinstance(part, list):
        return [found for each in part if isinstance(each, dict) and (found := _kept(each, path, wanted))]
    return None


def _without(value: Any, path: str, dropped: Sequence[Pattern]) -> Any:
    if isinstance(value, list):
        return [_without(each, path, dropped) for each in value]
    if not isinstance(value, dict):
        return value
    kept = {}
    for name, part in value.items():
        here = f"{path}.{name}" if path else name
        if not any(each.fullmatch(here) for each in dropped):
            kept[name] = _without(part, here, dropped)
    return kept
