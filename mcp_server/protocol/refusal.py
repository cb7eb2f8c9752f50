"""The error message for invalid arguments of a tool: names and allowed values, never the values that were sent."""

import re
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from indexer.errors import closest
from mcp_server.protocol.schema import Schema, property_names, tags

_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}\Z")
_MAX_PROBLEMS = 10
# pydantic's own message for an unknown tag repeats the value.
_PROBLEM_TEXTS = {"missing": "is required", "union_tag_invalid": "has a type that is unknown"}


def refusal(tool: str, schema: Schema, error: ValidationError) -> str:
    """Build the message that names each invalid argument and what it may be."""
    problems = error.errors(include_url=False, include_context=False, include_input=False)
    lines = [f"- {_describe_problem(problem, schema)}" for problem in problems[:_MAX_PROBLEMS]]
    if len(problems) > _MAX_PROBLEMS:
        lines.append(f"- and {len(problems) - _MAX_PROBLEMS} more")
    return "\n".join([f"Invalid arguments for {tool}:", *lines])


def _describe_problem(problem: ErrorDetails, schema: Schema) -> str:
    location = problem["loc"]
    argument = str(location[0]) if location else ""
    properties: Schema = schema["properties"]
    if argument not in properties:
        return describe_unknown(argument, list(properties))
    schema_names = property_names(schema) | tags(schema)
    # Any other part is a key that the caller chose, which must not be repeated.
    path = ".".join(str(part) if isinstance(part, int) or part in schema_names else "*" for part in location)
    if problem["type"] == "extra_forbidden":
        return f"{path}: unknown; allowed here: {', '.join(_property_names(properties[argument]))}"
    message = _PROBLEM_TEXTS.get(problem["type"], problem["msg"])
    return f"{path}: {message}. Allowed: {allowed(properties[argument])}"


def describe_unknown(argument: str, names: list[str]) -> str:
    """Describe an argument that does not exist, with the ones that do."""
    # Only a plain identifier is repeated: anything else may be text of the caller's.
    message = f"{argument}: unknown argument" if _IDENTIFIER.match(argument) else "unknown argument"
    suggestions = closest(argument, names, count=1)
    hint = f"; did you mean {suggestions[0]}?" if suggestions else ""
    return f"{message}{hint}. Allowed: {', '.join(names) or 'no arguments'}"


def _property_names(schema: Schema) -> list[str]:
    return sorted(property_names(schema))


def allowed(schema: Schema) -> str:
    """Describe the values that an argument may have."""
    parts = [_describe_type(schema)]
    if "default" in schema and schema["default"] is not None and not isinstance(schema["default"], dict):
        parts.append(f"default {schema['default']}")
    if description := schema.get("description"):
        parts.append(f"({description})")
    return " ".join(parts)


def _describe_type(schema: Schema) -> str:
    if options := schema.get("anyOf") or schema.get("oneOf"):
        return " or ".join(dict.fromkeys(_describe_type(option) for option in options))
    if values := schema.get("enum"):
        return "one of " + ", ".join(str(value) for value in values)
    if "const" in schema:
        return str(schema["const"])
    kind = str(schema.get("type", "any value"))
    if named := schema.get("properties", {}).get("type", {}).get("const"):
        return f"{kind} of type {named}"
    return kind + _describe_range(schema)


def _describe_range(schema: Schema) -> str:
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
