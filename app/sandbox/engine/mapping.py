"""Mappings: the fields of an index and their types, declared as for Elasticsearch, or found in documents."""

from collections.abc import Mapping as Properties
from dataclasses import dataclass
from typing import Any, Final, Literal, cast, get_args

from app.sandbox.engine.analysis import Analyzer
from app.sandbox.engine.dates import is_date
from app.sandbox.engine.patterns import glob

FieldType = Literal["text", "keyword", "long", "double", "date", "boolean", "geo_shape", "join"]
_TYPES: Final[dict[str, FieldType]] = {
    **{name: name for name in get_args(FieldType)},
    "float": "double",
}
_DYNAMIC_TEXT: Final = {"type": "text", "fields": {"keyword": {"type": "keyword", "ignore_above": 256}}}


@dataclass(frozen=True, slots=True)
class Field:
    """A field that can be searched."""

    type: FieldType
    analyzer: Analyzer = "standard"
    copy_to: str | None = None
    longest: int | None = None
    """Longer values of a keyword field are not indexed."""
    relations: Properties[str, Any] | None = None
    """Of a join field: which kinds of documents are the parents of which."""

    @property
    def is_string(self) -> bool:
        return self.type in {"text", "keyword"}


class Mapping:
    """The fields of one index by their paths."""

    def __init__(self, properties: Properties[str, Any], *, dynamic: bool) -> None:
        self.fields: dict[str, Field] = {}
        self.subfields: dict[str, list[str]] = {}
        """Fields that index the same values in another way, like `name.keyword`."""
        self.nested: set[str] = set()
        """Paths of objects that are searched one by one."""
        self._disabled: set[str] = set()
        self._dynamic = dynamic
        self._declare_all("", properties)

    def is_disabled(self, path: str) -> bool:
        return path in self._disabled

    def field_for(self, path: str, value: Any) -> Field | None:
        """Return the field of a value, which is declared if it is new; None if the value is not indexed."""
        if path not in self.fields and self._dynamic and (found := _dynamic_field(value)) is not None:
            self._declare(path, found)
        return self.fields.get(path)

    def matching(self, pattern: str) -> list[str]:
        """Return the fields that a name or a pattern with `*` stands for."""
        if "*" not in pattern:
            return [pattern] if pattern in self.fields else []
        matches = glob(pattern)
        return [name for name in self.fields if matches.fullmatch(name)]

    def searchable(self) -> list[str]:
        """Return the fields that a query without a field searches."""
        return [name for name, field in self.fields.items() if field.type not in {"geo_shape", "join"}]

    def within(self, path: str) -> list[str]:
        """Return the fields of an object."""
        return [name for name in self.fields if name.startswith(f"{path}.")]

    def _declare_all(self, path: str, properties: Properties[str, Any]) -> None:
        for name, declared in properties.items():
            self._declare(f"{path}.{name}" if path else name, declared)

    def _declare(self, path: str, declared: Properties[str, Any]) -> None:
        if declared.get("enabled") is False:
            self._disabled.add(path)
            return
        if declared.get("type") == "nested":
            self.nested.add(path)
        if "properties" in declared or path in self.nested:
            self._declare_all(path, declared.get("properties", {}))
            return
        self.fields[path] = Field(
            _TYPES[declared["type"]],
            cast("Analyzer", declared.get("analyzer", "standard")),
            declared.get("copy_to"),
            declared.get("ignore_above"),
            declared.get("relations"),
        )
        for name, subfield in declared.get("fields", {}).items():
            self.subfields.setdefault(path, []).append(f"{path}.{name}")
            self._declare(f"{path}.{name}", subfield)


def _dynamic_field(value: Any) -> Properties[str, Any] | None:
    match value:
        case bool():
            return {"type": "boolean"}
        case int():
            return {"type": "long"}
        case float():
            return {"type": "double"}
        case str() if is_date(value):
            return {"type": "date"}
        case str():
            return _DYNAMIC_TEXT
        case _:
            return None
