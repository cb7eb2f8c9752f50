"""Records as OSDU's indexer keeps them, and the mapping of their index."""

from collections.abc import Iterable
from typing import Any, Final

from app.sandbox.engine.documents import Document
from app.sandbox.engine.index import IndexPlan

INDEX: Final = "records"
_NESTED: Final = ("NameAliases", "VerticalMeasurements", "FacilityEvents", "Curves", "Markers")
_SPATIAL: Final = ("SpatialLocation", "SpatialArea", "SpatialPoint")
_KEYWORD: Final = {"type": "keyword"}
PROPERTIES: Final[dict[str, Any]] = {
    "id": _KEYWORD,
    "kind": _KEYWORD,
    "version": {"type": "long"},
    "createTime": {"type": "date"},
    "acl": {"properties": {"viewers": _KEYWORD, "owners": _KEYWORD}},
    "data": {
        "properties": {
            **{name: {"properties": {"Wgs84Coordinates": {"type": "geo_shape"}}} for name in _SPATIAL},
            **{name: {"type": "nested"} for name in _NESTED},
        }
    },
}
"""The declared fields; others get their types from the first values."""


def viewers_of(partition: str, group: str = "default") -> str:
    """Return the name of a group that may see records."""
    return f"data.{group}.viewers@{partition}.dataservices.energy"


def owners_of(partition: str, group: str = "default") -> str:
    """Return the name of a group that owns records."""
    return f"data.{group}.owners@{partition}.dataservices.energy"


def record(
    id_: str,
    kind: str,
    data: dict[str, Any],
    *,
    partition: str,
    shape: dict[str, Any] | None = None,
    viewers: str | None = None,
    owners: str | None = None,
) -> dict[str, Any]:
    """Return a record; a shape is a geometry of GeoJSON."""
    located = {} if shape is None else {"SpatialLocation": {"Wgs84Coordinates": shape}}
    return {
        "id": id_,
        "kind": kind,
        "version": 1_685_729_147_428_000,
        "acl": {"viewers": [viewers or viewers_of(partition)], "owners": [owners or owners_of(partition)]},
        "legal": {"legaltags": [f"{partition}-Public-USA-EHC"], "otherRelevantDataCountries": ["US"]},
        "createTime": "2023-06-02T18:05:47.428Z",
        "data": data | located,
    }


def point(latitude: float, longitude: float) -> dict[str, Any]:
    """Return a place as a geometry."""
    return {"type": "Point", "coordinates": [longitude, latitude]}


def index_of(records: Iterable[dict[str, Any]]) -> IndexPlan:
    """Return the index of the records of a partition."""
    return IndexPlan(INDEX, PROPERTIES, [Document(each["id"], each) for each in records], dynamic=True)
