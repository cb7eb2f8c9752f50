"""JSON Schemas of tools, without references, which some clients do not resolve, and without generated titles."""

from typing import Any

from pydantic import BaseModel, TypeAdapter
from pydantic.json_schema import GenerateJsonSchema
from pydantic_core import CoreSchema

from indexer.errors import Failure

Schema = dict[str, Any]


class _UntitledSchema(GenerateJsonSchema):
    """Omits titles, since they only repeat the names of fields."""

    def field_title_should_be_set(self, schema: CoreSchema | Any) -> bool:  # noqa: ARG002 - no field gets a title
        return False


def input_schema(arguments: type[BaseModel]) -> Schema:
    """Return the schema of a tool's arguments as one object."""
    schema = _inline_definitions(arguments.model_json_schema(schema_generator=_UntitledSchema))
    schema.pop("description", None)
    return {"type": "object", "properties": {}, **schema}


def output_schema(result: type[Any]) -> Schema:
    """Return the schema of a tool's result as one object: the result or a failure, told apart by `success`."""
    return {
        "type": "object",
        "properties": {"success": {"type": "boolean"}},
        "required": ["success"],
        "oneOf": [_result_schema(result), _result_schema(Failure)],
    }


def property_names(schema: Schema) -> frozenset[str]:
    """Return the names of all properties, at any depth."""
    names = set(schema.get("properties", {}))
    for part in _subschemas(schema):
        names |= property_names(part)
    return frozenset(names)


def tags(schema: Schema) -> frozenset[str]:
    """Return all constants that discriminate between alternatives, at any depth."""
    own = {schema["const"]} if isinstance(schema.get("const"), str) else set()
    return frozenset(own.union(*(tags(part) for part in _subschemas(schema))))


def _result_schema(result: type[Any]) -> Schema:
    return _inline_definitions(TypeAdapter(result).json_schema(schema_generator=_UntitledSchema))


def _inline_definitions(schema: Schema) -> Schema:
    definitions = schema.pop("$defs", {})
    flat = _resolve_references(schema, definitions)
    flat.pop("title", None)
    return flat


def _resolve_references(schema: Schema, definitions: Schema) -> Schema:
    """Replace references by their definitions; keys beside a reference override the definition."""
    if "$ref" in schema:
        name = schema["$ref"].removeprefix("#/$defs/")
        schema = {**definitions[name], **{key: value for key, value in schema.items() if key != "$ref"}}
        schema.pop("title", None)
    resolved: Schema = {}
    for key, value in schema.items():
        match key, value:
            case "properties", dict():
                resolved[key] = {name: _resolve_references(part, definitions) for name, part in value.items()}
            case (("items" | "additionalProperties"), dict()):
                resolved[key] = _resolve_references(value, definitions)
            case (("anyOf" | "oneOf" | "allOf" | "prefixItems"), list()):
                resolved[key] = [_resolve_references(part, definitions) for part in value]
            case "discriminator", _:
                pass
            case _:
                resolved[key] = value
    return resolved


def _subschemas(schema: Schema) -> list[Schema]:
    parts = list(schema.get("properties", {}).values())
    parts += [schema[key] for key in ("items", "additionalProperties") if isinstance(schema.get(key), dict)]
    for key in ("anyOf", "oneOf", "allOf", "prefixItems"):
        parts += schema.get(key, [])
    return parts
