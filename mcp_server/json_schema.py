"""JSON Schemas of arguments and results: without references, which some clients do not resolve, and short."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from pydantic import BaseModel, TypeAdapter

Schema = dict[str, Any]
_NULL: Final[Schema] = {"type": "null"}


def argument_schema(arguments: type[BaseModel]) -> Schema:
    """Return the schema of arguments as one object; that null leaves an argument out is not mentioned."""
    schema = arguments.model_json_schema()
    resolved = _Resolver(schema.get("$defs", {}), names_null=False).resolve(schema)
    return {"type": "object", "properties": {}, **resolved}


def result_schema(result: Any) -> Schema:
    """Return the schema of a result."""
    schema = TypeAdapter(result).json_schema()
    return _Resolver(schema.get("$defs", {}), names_null=True).resolve(schema)


def merge_objects(schemas: Sequence[Schema]) -> Schema:
    """Return one object with the properties of all of these; required is only what all of them require."""
    properties: dict[str, Schema] = {}
    for schema in schemas:
        for name, part in schema["properties"].items():
            properties[name] = _merge_values(properties[name], part) if name in properties else part
    required = [name for name in properties if all(name in schema.get("required", ()) for schema in schemas)]
    return {"type": "object", "properties": properties, "required": required}


def property_names(schema: Schema) -> frozenset[str]:
    """Return the names of all properties, at any depth."""
    return frozenset(schema.get("properties", {})).union(*(property_names(part) for part in _parts(schema)))


def constants(schema: Schema) -> frozenset[str]:
    """Return all strings that the schema gives as values, at any depth."""
    own = {value for value in _values(schema) if isinstance(value, str)}
    return frozenset(own).union(*(constants(part) for part in _parts(schema)))


class _Resolver:
    """Replaces references by their definitions, and unions by shorter schemas where there is one."""

    def __init__(self, definitions: Mapping[str, Schema], *, names_null: bool) -> None:
        self._definitions = definitions
        self._names_null = names_null

    def resolve(self, schema: Schema) -> Schema:
        """Omit titles and docstrings of models: the first only repeat names, the second speak to programmers."""
        if "$ref" in schema:
            schema = self._definitions[schema["$ref"].removeprefix("#/$defs/")]
        resolved: Schema = {}
        for key, value in schema.items():
            match key, value:
                case "properties", dict():
                    resolved[key] = {name: self._resolve_field(part) for name, part in value.items()}
                case (("items" | "additionalProperties"), dict()):
                    resolved[key] = self.resolve(value)
                case (("anyOf" | "oneOf"), list()):
                    resolved |= self._shorten_union([self.resolve(part) for part in value])
                case (("$defs" | "title" | "description" | "discriminator" | "default" | "additionalProperties"), _):
                    pass
                case _:
                    resolved[key] = value
        return resolved

    def _resolve_field(self, schema: Schema) -> Schema:
        resolved = self.resolve(schema)
        if schema.get("default") is not None:
            resolved["default"] = schema["default"]
        if "description" in schema:
            resolved["description"] = schema["description"]
        return resolved

    def _shorten_union(self, options: list[Schema]) -> Schema:
        if not self._names_null:
            options = [option for option in options if option != _NULL]
        if len(options) == 1:
            return options[0]
        if all("properties" in option for option in options):
            return merge_objects(options)
        if all(option.keys() == {"type"} for option in options):
            return {"type": [option["type"] for option in options]}
        return {"anyOf": options}


def _merge_values(one: Schema, other: Schema) -> Schema:
    if one == other:
        return one
    same_type = {"type": one["type"]} if "type" in one and one["type"] == other.get("type") else {}
    if (ours := _values(one)) and (theirs := _values(other)):
        return {**same_type, "enum": list(dict.fromkeys(ours + theirs))}
    return same_type


def _values(schema: Schema) -> list[Any]:
    return [schema["const"]] if "const" in schema else list(schema.get("enum", ()))


def _parts(schema: Schema) -> list[Schema]:
    parts = list(schema.get("properties", {}).values())
    parts += [schema[key] for key in ("items", "additionalProperties") if isinstance(schema.get(key), dict)]
    return [*parts, *schema.get("anyOf", ())]
