"""JSON Schemas of tools, flat: some clients follow no references, and titles only cost a model's attention."""

from typing import Any

from pydantic import BaseModel, TypeAdapter
from pydantic.json_schema import GenerateJsonSchema
from pydantic_core import CoreSchema

from indexer.errors import Failure

Schema = dict[str, Any]


class _Untitled(GenerateJsonSchema):
    """Leaves out the titles that repeat each field's name."""

    def field_title_should_be_set(self, schema: CoreSchema | Any) -> bool:  # noqa: ARG002 - the answer is always no
        return False


def input_schema(arguments: type[BaseModel]) -> Schema:
    """Describe a tool's arguments as one object."""
    schema = _flat(arguments.model_json_schema(schema_generator=_Untitled))
    schema.pop("description", None)
    return {"type": "object", "properties": {}, **schema}


def output_schema(result: type[Any]) -> Schema:
    """Describe a tool's result as one object: what it returns, or a failure; `success` tells them apart."""
    return {
        "type": "object",
        "properties": {"success": {"type": "boolean"}},
        "required": ["success"],
        "oneOf": [_described(result), _described(Failure)],
    }


def property_names(schema: Schema) -> frozenset[str]:
    """Return every name that a schema gives to a property, at any depth."""
    names = set(schema.get("properties", {}))
    for part in _parts(schema):
        names |= property_names(part)
    return frozenset(names)


def tags(schema: Schema) -> frozenset[str]:
    """Return every fixed value that tells alternatives apart, at any depth."""
    own = {schema["const"]} if isinstance(schema.get("const"), str) else set()
    return frozenset(own.union(*(tags(part) for part in _parts(schema))))


def _described(result: type[Any]) -> Schema:
    return _flat(TypeAdapter(result).json_schema(schema_generator=_Untitled))


def _flat(schema: Schema) -> Schema:
    definitions = schema.pop("$defs", {})
    flat = _resolved(schema, definitions)
    flat.pop("title", None)
    return flat


def _resolved(schema: Schema, definitions: Schema) -> Schema:
    """Put each definition where it is referred to; what stands beside a reference wins over it."""
    if "$ref" in schema:
        name = schema["$ref"].removeprefix("#/$defs/")
        schema = {**definitions[name], **{key: value for key, value in schema.items() if key != "$ref"}}
        schema.pop("title", None)
    resolved: Schema = {}
    for key, value in schema.items():
        match key, value:
            case "properties", dict():
                resolved[key] = {name: _resolved(part, definitions) for name, part in value.items()}
            case (("items" | "additionalProperties"), dict()):
                resolved[key] = _resolved(value, definitions)
            case (("anyOf" | "oneOf" | "allOf" | "prefixItems"), list()):
                resolved[key] = [_resolved(part, definitions) for part in value]
            case "discriminator", _:
                pass
            case _:
                resolved[key] = value
    return resolved


def _parts(schema: Schema) -> list[Schema]:
    parts = list(schema.get("properties", {}).values())
    parts += [schema[key] for key in ("items", "additionalProperties") if isinstance(schema.get(key), dict)]
    for key in ("anyOf", "oneOf", "allOf", "prefixItems"):
        parts += schema.get(key, [])
    return parts
