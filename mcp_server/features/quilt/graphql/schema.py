"""A stack's GraphQL schema, from introspection."""

from dataclasses import dataclass
from typing import Any, Final

from mcp_server.features.quilt.results import Kind

SEARCH_FIELDS: Final[dict[Kind, str]] = {"package": "searchPackages", "object": "searchObjects"}
NEXT_PAGE_FIELDS: Final[dict[Kind, str]] = {"package": "searchMorePackages", "object": "searchMoreObjects"}

INTROSPECTION: Final = """\
query Introspection {
  __schema {
    queryType { name }
    types {
      kind name
      fields(includeDeprecated: true) { name args { name type { ...Reference } } type { ...Reference } }
      inputFields { name }
      possibleTypes { name }
    }
  }
}
fragment Reference on __Type {
  kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name } } } }
}"""


@dataclass(frozen=True, slots=True)
class Field:
    """A field: the name of the type that it returns, and its argument types as a query declares them."""

    returned_type: str
    arguments: dict[str, str]


@dataclass(frozen=True, slots=True)
class Stack:
    """The types of a schema by name. Two stacks are equal if both accept the same queries."""

    query: str
    fields: dict[str, dict[str, Field]]
    inputs: dict[str, frozenset[str]]
    members: dict[str, tuple[str, ...]]

    @property
    def has_search(self) -> bool:
        """Whether packages and objects can be searched."""
        return all(name in self.fields.get(self.query, {}) for name in SEARCH_FIELDS.values())

    def query_field(self, field: str) -> Field:
        """Return a field of the query type."""
        return self.fields[self.query][field]

    def possible_types(self, name: str) -> tuple[str, ...]:
        """Return the member types of a union, or the type itself."""
        return self.members.get(name) or (name,)

    def type_with_fields(self, name: str, *fields: str) -> str | None:
        """Return the first possible type that has these fields."""
        return next(
            (each for each in self.possible_types(name) if set(fields) <= self.fields.get(each, {}).keys()), None
        )


def parse_introspection(data: dict[str, Any]) -> Stack | None:
    """Parse an introspection response; None where it is not one."""
    schema = data.get("__schema")
    if not isinstance(schema, dict) or not isinstance(schema.get("types"), list):
        return None
    types = [each for each in schema["types"] if isinstance(each, dict) and not str(each.get("name")).startswith("__")]
    return Stack(
        query=str((schema.get("queryType") or {}).get("name", "Query")),
        fields={each["name"]: _parse_fields(each["fields"]) for each in types if each.get("fields")},
        inputs={
            each["name"]: frozenset(field["name"] for field in each["inputFields"])
            for each in types
            if each.get("inputFields")
        },
        members={
            each["name"]: tuple(sorted(member["name"] for member in each["possibleTypes"]))
            for each in types
            if each.get("possibleTypes")
        },
    )


def _parse_fields(fields: list[dict[str, Any]]) -> dict[str, Field]:
    return {
        field["name"]: Field(
            returned_type=_type_name(field["type"]),
            arguments={argument["name"]: _render_type(argument["type"]) for argument in field.get("args") or ()},
        )
        for field in fields
    }


def _type_name(reference: dict[str, Any]) -> str:
    while reference.get("ofType"):
        reference = reference["ofType"]
    return str(reference.get("name"))


def _render_type(reference: dict[str, Any]) -> str:
    match reference.get("kind"):
        case "NON_NULL":
            return f"{_render_type(reference['ofType'])}!"
        case "LIST":
            return f"[{_render_type(reference['ofType'])}]"
        case _:
            return str(reference.get("name"))
