"""The failure for invalid arguments: what is wrong with each and what it may be, never the values that were sent."""

import re
from collections.abc import Mapping
from typing import Any, Final, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from indexer.errors import Invalid, closest
from mcp_server.json_body.amount import check_amount
from mcp_server.json_schema import Schema, argument_schema, constants, property_names

M = TypeVar("M", bound=BaseModel)
_IDENTIFIER: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}\Z")
_MAX_PROBLEMS: Final = 10
# pydantic's own message for an unknown tag repeats the value.
_PROBLEM_TEXTS: Final = {"missing": "is required", "union_tag_invalid": "has a type that is unknown"}


class WrongArguments(Invalid):
    """The arguments of a call are invalid; over MCP and REST alike."""

    def __init__(self, arguments: type[BaseModel], cause: ValidationError) -> None:
        schema = argument_schema(arguments)
        problems = cause.errors(include_url=False, include_context=False, include_input=False)
        errors = [_describe_problem(problem, schema) for problem in problems[:_MAX_PROBLEMS]]
        lines = [f"{error['argument']}: {error['problem']}" for error in errors]
        if len(problems) > _MAX_PROBLEMS:
            lines.append(f"and {len(problems) - _MAX_PROBLEMS} more")
        super().__init__(
            "Wrong arguments: " + "; ".join(lines),
            action="Correct the arguments named in details.errors; /docs lists what each call takes",
            details={"errors": errors},
        )
        self.lines = lines


def read_arguments(model: type[M], values: Mapping[str, Any]) -> M:
    """Validate arguments; `Invalid` if they hold too many values, `WrongArguments` names each invalid one."""
    check_amount(model, values)
    try:
        return model.model_validate(values)
    except ValidationError as error:
        raise WrongArguments(model, error) from None


def allowed(schema: Schema) -> str:
    """Describe the values that an argument may have."""
    parts = [_describe_type(schema)]
    if "default" in schema:
        parts.append(f"default {schema['default']}")
    if description := schema.get("description"):
        parts.append(f"({description})")
    return " ".join(parts)


def _describe_problem(problem: ErrorDetails, schema: Schema) -> dict[str, str]:
    location = problem["loc"]
    argument = str(location[0]) if location else ""
    properties: Schema = schema["properties"]
    if argument not in properties:
        return describe_unknown(argument, list(properties))
    schema_names = property_names(schema) | constants(schema)
    # Any other part is a key that the caller chose, which must not be repeated.
    path = ".".join(str(part) if isinstance(part, int) or part in schema_names else "*" for part in location)
    return {"argument": path, "problem": _describe_value(problem, properties[argument])}


def _describe_value(problem: ErrorDetails, schema: Schema) -> str:
    if problem["type"] == "extra_forbidden":
        return f"unknown; allowed here: {', '.join(sorted(property_names(schema)))}"
    return f"{_PROBLEM_TEXTS.get(problem['type'], problem['msg'])}. Allowed: {allowed(schema)}"


def describe_unknown(argument: str, names: list[str]) -> dict[str, str]:
    """Describe an argument that does not exist, with the ones that do."""
    # Only a plain identifier is repeated: anything else may be text of the caller's.
    name = argument if _IDENTIFIER.match(argument) else "*"
    suggestions = closest(argument, names, count=1)
    hint = f"; did you mean {suggestions[0]}?" if suggestions else ""
    return {"argument": name, "problem": f"unknown argument{hint}. Allowed: {', '.join(names) or 'no arguments'}"}


def _describe_type(schema: Schema) -> str:
    if options := schema.get("anyOf"):
        return " or ".join(_describe_type(option) for option in options)
    if values := schema.get("enum"):
        return "one of " + ", ".join(str(value) for value in values)
    if types := schema.get("properties", {}).get("type", {}).get("enum"):
        return f"object of type {' or '.join(types)}"
    kinds = schema.get("type", "any value")
    return (kinds if isinstance(kinds, str) else " or ".join(kinds)) + _describe_range(schema)


def _describe_range(schema: Schema) -> str:
    match schema.get("minimum"), schema.get("maximum"):
        case None, None:
            return f" of at most {schema['maxItems']} items" if "maxItems" in schema else ""
        case low, None:
            return f" from {low}"
        case None, high:
            return f" up to {high}"
        case low, high:
            return f" from {low} to {high}"
