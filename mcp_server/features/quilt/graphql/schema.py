"""What a stack's GraphQL knows, by its own word."""

from dataclasses import dataclass
from typing import Any, Final

from mcp_server.features.quilt.results import Kind

SEARCHES: Final[dict[Kind, str]] = {"package": "searchPackages", "object": "searchObjects"}
MORE: Final[dict[Kind, str]] = {"package": "searchMorePackages", "object": "searchMoreObjects"}

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
    """A field: the name of what it returns, and the types of its arguments as a query declares them."""

    returns: str
    arguments: dict[str, str]


@dataclass(frozen=True, slots=True)
class Stack:
    """Types by name. Two stacks are equal if the same queries can be asked of both."""

    query: str
    fields: dict[str, dict[str, Field]]
    inputs: dict[str, frozenset[str]]
    members: dict[str, tuple[str, ...]]

    @property
    def searches(self) -> bool:
        """Say whether packages and objects can be searched here."""
        return all(name in self.fields.get(self.query, {}) for name in SEARCHES.values())

    @property
    def lists_buckets(self) -> bool:
        return "bucketConfigs" in self.fields.get(self.query, {})

    def asked(self, field: str) -> Field:
        """Return a field of the query."""
        return self.fields[self.query][field]

    def options(self, name: str) -> tuple[str, ...]:
        """Return what a value of this type can be: the members of a union, or the type itself."""
        return self.members.get(name) or (name,)

    def option_with(self, name: str, *fields: str) -> str | None:
        """Return the one that has these fields."""
        return next((each for each in self.options(name) if set(fields) <= self.fields.get(each, {}).keys()), None)


def stack_of(data: dict[str, Any]) -> Stack | None:
    """Read an introspection; None where it is none."""
    schema = data.get("__schema")
    if not isinstance(schema, dict) or not isinstance(schema.get("types"), list):
        return None
    types = [each for each in schema["types"] if isinstance(each, dict) and not str(each.get("name")).startswith("__")]
    return Stack(
        query=str((schema.get("queryType") or {}).get("name", "Query")),
        fields={each["name"]: _fields(each["fields"]) for each in types if each.get("fields")},
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


def _fields(given: list[dict[str, Any]]) -> dict[str, Field]:
    return {
        field["name"]: Field(
            returns=_bare(field["type"]),
            arguments={argument["name"]: _written(argument["type"]) for argument in field.get("args") or ()},
        )
        for field in given
    }


def _bare(reference: dict[str, Any]) -> str:
    while reference.get("ofType"):
        reference = reference["ofType"]
    return str(reference.get("name"))


def _written(reference: dict[str, Any]) -> str:
    match reference.get("kind"):
        case "NON_NULL":
            return f"{_written(reference['ofType'])}!"
        case "LIST":
            return f"[{_written(reference['ofType'])}]"
        case _:
            return str(reference.get("name"))
