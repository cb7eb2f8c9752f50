"""A registry's filters in the engine's language."""

from typing import Any, Final

_META_TYPES: Final = {
    "datetime": "date",
    "number": "double",
    "text": "text",
    "keyword": "keyword",
    "boolean": "boolean",
}


def filters(given: dict[str, Any]) -> list[dict[str, Any]]:
    """Translate the fields of an ObjectsSearchFilter or a PackagesSearchFilter."""
    return [_predicate(name, predicate) for name, predicate in given.items() if predicate]


def user_meta(given: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Translate PackageUserMetaPredicates: a JSON pointer and exactly one predicate each."""
    made = []
    for each in given:
        path, predicates = each["path"], [name for name in _META_TYPES if each.get(name)]
        if not path.startswith("/"):
            raise ValueError(f"not a JSON pointer: {path!r}")
        if len(predicates) != 1:
            raise ValueError("exactly one predicate must be given")
        value = _predicate(f"fields.{_META_TYPES[predicates[0]]}", each[predicates[0]])
        both = {"bool": {"filter": [{"term": {"fields.json_pointer": path}}, value]}}
        made.append({"nested": {"path": "fields", "query": both}})
    return made


def _predicate(field: str, given: dict[str, Any]) -> dict[str, Any]:
    given = {name: value for name, value in given.items() if value is not None}
    if "queryString" in given:
        return {"query_string": {"query": given["queryString"], "fields": [field]}}
    if "wildcard" in given:
        return {"wildcard": {field: {"value": given["wildcard"]}}}
    if "terms" in given:
        return {"terms": {field: given["terms"]}}
    if "true" in given or "false" in given:
        return {"terms": {field: [name == "true" for name, wanted in given.items() if wanted]}}
    if not given:
        raise ValueError(f"an empty predicate for {field}")
    bounds = {name: value.isoformat() if hasattr(value, "isoformat") else value for name, value in given.items()}
    return {"range": {field: bounds}}
