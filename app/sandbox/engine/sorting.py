"""The order of hits: by fields, score, id and index; missing values come last."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from app.sandbox.engine.documents import Documents
from app.sandbox.engine.index import Index
from app.sandbox.engine.port import BadRequest

_SPECIAL: Final = frozenset({"_score", "_id", "_index", "_doc"})
_FIELD_OPTIONS: Final = frozenset({"order", "missing", "unmapped_type", "mode", "nested"})
_TEXT_FIELD: Final = (
    "Text fields are not optimised for operations that require per-document field data like aggregations and sorting, "
    "so these operations are disabled by default. Please use a keyword field instead. Field: [{}]"
)


@dataclass(frozen=True, slots=True)
class Hit:
    """A document that matches."""

    index: Index
    number: int
    score: float

    @property
    def id(self) -> str:
        return self.index.stored[self.number].id


@dataclass(frozen=True, slots=True)
class SortKey:
    """What hits are sorted by."""

    name: str
    descending: bool
    mode: str | None = None
    nested: str | None = None
    is_optional: bool = False
    """Whether an index may lack the field."""

    def value(self, hit: Hit) -> Any:
        """Return the value that a hit is sorted by; None if it has none."""
        match self.name:
            case "_score":
                return hit.score
            case "_id":
                return hit.id
            case "_index":
                return hit.index.name
            case "_doc":
                return hit.number
            case _:
                return self._field_value(hit)

    def _field_value(self, hit: Hit) -> Any:
        values = self._values(hit.index.documents, hit.number)
        if not values:
            return None
        take_largest = self.descending if self.mode is None else self.mode == "max"
        return max(values) if take_largest else min(values)

    def check(self, index: Index) -> None:
        """Raise `BadRequest` where an index cannot be sorted by the field."""
        if self.name in _SPECIAL:
            return
        field = index.documents.mapping.fields.get(self.name)
        if field is None and not self.is_optional:
            raise BadRequest(f"No mapping found for [{self.name}] in order to sort on")
        if field is not None and field.type == "text":
            raise BadRequest(_TEXT_FIELD.format(self.name))
        if field is not None and field.type in {"geo_shape", "join"}:
            raise BadRequest(f"can't sort on field [{self.name}]")

    def _values(self, documents: Documents, number: int) -> Sequence[Any]:
        if self.nested is None:
            return documents.values[self.name].get(number, ())
        objects = documents.nested.get(self.nested)
        if objects is None:
            return ()
        inner = [each for each, parent in enumerate(objects.parents) if parent == number]
        return [value for each in inner for value in objects.values[self.name].get(each, ())]


def read_sort(given: Any) -> list[SortKey]:
    """Read the `sort` of a request; without one, hits are sorted by score."""
    if given is None:
        return [SortKey("_score", descending=True)]
    return [_read_key(each) for each in (given if isinstance(given, list) else [given])]


def sort_hits(hits: Sequence[Hit], keys: Sequence[SortKey], after: Sequence[Any] | None) -> list[tuple[Hit, list[Any]]]:
    """Return hits in order, with the values that they are sorted by; maybe only those after some values."""
    rows = [(hit, [key.value(hit) for key in keys]) for hit in hits]
    for place, key in reversed(list(enumerate(keys))):
        present = [row for row in rows if row[1][place] is not None]
        missing = [row for row in rows if row[1][place] is None]
        rows = sorted(present, key=lambda row: row[1][place], reverse=key.descending) + missing
    if after is None:
        return rows
    if len(after) != len(keys):
        raise BadRequest(f"search_after has {len(after)} value(s) but sort has {len(keys)}.")
    return [row for row in rows if _is_after(row[1], after, keys)]


def _is_after(values: Sequence[Any], after: Sequence[Any], keys: Sequence[SortKey]) -> bool:
    for value, limit, key in zip(values, after, keys, strict=True):
        if value == limit:
            continue
        if value is None or limit is None:
            return value is None
        return bool(value < limit if key.descending else value > limit)
    return False


def _read_key(given: Any) -> SortKey:
    match given:
        case str():
            return SortKey(given, descending=given == "_score")
        case Mapping() if len(given) == 1:
            ((name, options),) = given.items()
        case _:
            raise BadRequest("malformed sort format")
    if isinstance(options, str):
        options = {"order": options}
    allowed = frozenset({"order"}) if name in _SPECIAL else _FIELD_OPTIONS
    if unknown := sorted(options.keys() - allowed):
        raise BadRequest(f"[{name}] unknown sort options {unknown}")
    order = options.get("order", "desc" if name == "_score" else "asc")
    if order not in {"asc", "desc"} or options.get("missing", "_last") != "_last":
        raise BadRequest(f"[{name}] malformed sort options")
    nested = options.get("nested", {}).get("path")
    return SortKey(name, order == "desc", options.get("mode"), nested, "unmapped_type" in options)
