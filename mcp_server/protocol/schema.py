"""The schemas that `tools/list` shows: what models and clients need, in few characters."""

from typing import Any, Final, get_type_hints

from indexer.arguments import Unlisted
from indexer.errors import Failure
from mcp_server.json_schema import Schema, argument_schema, result_schema
from mcp_server.operation import Operation

_LENGTHS: Final = frozenset({"minLength", "maxLength", "minItems", "maxItems"})
"""Limits that are far from what callers send; a call beyond one is refused with it."""
_BOUNDS: Final = frozenset({"minimum", "maximum"})
"""Not shown where an agent has a default of its own, which is seldom changed."""

BRIEF_OUTPUT_SCHEMA: Final[Schema] = {"type": "object", "required": ["success"]}
"""Satisfied by every result and every failure."""


def input_schema(operation: Operation[Any, Any]) -> Schema:
    """Return the schema of a tool's arguments, with the defaults for agents; objects inside objects are not opened."""
    schema = _open(_listed_arguments(operation), levels=2)
    defaults = operation.agent_defaults
    for name in defaults.keys() & schema["properties"]:
        listed = {key: part for key, part in schema["properties"][name].items() if key not in _BOUNDS}
        schema["properties"][name] = {**listed, "default": defaults[name]}
    return schema


def brief_input_schema(operation: Operation[Any, Any]) -> Schema:
    """Return the names and types of a tool's arguments."""
    schema = _listed_arguments(operation)
    return {**schema, "properties": {name: _brief(part) for name, part in schema["properties"].items()}}


def output_schema(result: Any) -> Schema:
    """Return the schema of a tool's result as one flat object: the fields of the result and those of every failure.

    Some clients build their result type from the properties of the root, and look into no alternatives.
    """
    failure = result_schema(Failure)
    unlisted = _unlisted_fields(result)
    listed = {name: part for name, part in result_schema(result)["properties"].items() if name not in unlisted}
    fields = listed | {name: failure["properties"][name] for name in failure["required"]}
    return {**BRIEF_OUTPUT_SCHEMA, "properties": {name: _type_of(part) for name, part in fields.items()}}


def _listed_arguments(operation: Operation[Any, Any]) -> Schema:
    schema = argument_schema(operation.arguments)
    unlisted = operation.arguments.unlisted()
    return {**schema, "properties": {name: part for name, part in schema["properties"].items() if name not in unlisted}}


def _unlisted_fields(result: Any) -> frozenset[str]:
    hints = get_type_hints(result, include_extras=True)
    return frozenset(
        name
        for name, hint in hints.items()
        if any(isinstance(mark, Unlisted) for mark in getattr(hint, "__metadata__", ()))
    )


def _open(schema: Schema, levels: int) -> Schema:
    opened: Schema = {}
    for key, value in schema.items():
        match key, value:
            case "items", dict():
                opened[key] = _open(value, levels)
            case "properties", dict() if levels:
                opened[key] = {name: _open(part, levels - 1) for name, part in value.items()}
            case (("properties" | "required"), _) if not levels:
                pass
            case _ if key in _LENGTHS:
                pass
            case _:
                opened[key] = value
    return opened


def _brief(schema: Schema) -> Schema:
    # Some clients refuse a list of arguments without the type of its items.
    items = {"items": _type_of(schema["items"])} if "items" in schema else {}
    return _type_of(schema) | items


def _type_of(schema: Schema) -> Schema:
    match schema:
        case {"anyOf": options}:
            return {"type": [_type_of(option)["type"] for option in options]}
        case {"type": kind}:
            return {"type": kind}
        case _:
            return {}
