"""What a caller is told whose arguments break a tool's schema: names and what is allowed, never what was given."""

import re
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from indexer.errors import closest
from mcp_server.protocol.schema import Schema, property_names, tags

_PLAIN_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}\Z")
_SHOWN = 10
# The library's own words for the second one repeat what was given.
_PLAIN = {"missing": "is required", "union_tag_invalid": "has a type that is unknown"}


def refusal(tool: str, schema: Schema, error: ValidationError) -> str:
    """Say which arguments are wrong and what each may be."""
    problems = error.errors(include_url=False, include_context=False, include_input=False)
    lines = [f"- {_problem(problem, schema)}" for problem in problems[:_SHOWN]]
    if len(problems) > _SHOWN:
        lines.append(f"- and {len(problems) - _SHOWN} more")
    return "\n".join([f"Invalid arguments for {tool}:", *lines])


def _problem(problem: ErrorDetails, schema: Schema) -> str:
    location = problem["loc"]
    argument = str(location[0]) if location else ""
    properties: Schema = schema["properties"]
    if argument not in properties:
        return _unknown(argument, list(properties))
    known = property_names(schema) | tags(schema)
    # A part that is no name of ours is a key of the caller's.
    path = ".".join(str(part) if isinstance(part, int) or part in known else "*" for part in location)
    if problem["type"] == "extra_forbidden":
        return f"{path}: unknown; allowed here: {', '.join(_children(properties[argument]))}"
    said = _PLAIN.get(problem["type"], problem["msg"])
    return f"{path}: {said}. Allowed: {allowed(properties[argument])}"


def _unknown(argument: str, names: list[str]) -> str:
    # A name is shown only where it can be nothing but a name.
    said = f"{argument}: unknown argument" if _PLAIN_NAME.match(argument) else "unknown argument"
    near = closest(argument, names, count=1)
    hint = f"; did you mean {near[0]}?" if near else ""
    return f"{said}{hint}. Allowed: {', '.join(names) or 'no arguments'}"


def _children(schema: Schema) -> list[str]:
    return sorted(property_names(schema))


def allowed(schema: Schema) -> str:
    """Say in words what an argument may be."""
    said = [_kind(schema)]
    if "default" in schema and schema["default"] is not None and not isinstance(schema["default"], dict):
        said.append(f"default {schema['default']}")
    if description := schema.get("description"):
        said.append(f"({description})")
    return " ".join(said)


def _kind(schema: Schema) -> str:
    if options := schema.get("anyOf") or schema.get("oneOf"):
        return " or ".join(dict.fromkeys(_kind(option) for option in options))
    if values := schema.get("enum"):
        return "one of " + ", ".join(str(value) for value in values)
    if "const" in schema:
        return str(schema["const"])
    kind = str(schema.get("type", "any value"))
    if named := schema.get("properties", {}).get("type", {}).get("const"):
        return f"{kind} of type {named}"
    return kind + _range(schema)


def _range(schema: Schema) -> str:
    bounds: tuple[Any, Any] = (schema.get("minimum"), schema.get("maximum"))
    match bounds:
        case None, None:
            return f" of at most {schema['maxItems']} items" if "maxItems" in schema else ""
        case low, None:
            return f" from {low}"
        case None, high:
            return f" up to {high}"
        case low, high:
            return f" from {low} to {high}"
