"""Request bodies of the OSDU search API."""

from dataclasses import dataclass
from typing import Any, Final

from mcp_server.features.osdu.arguments import Sort, SpatialFilter

QUERY: Final = "query"
QUERY_WITH_CURSOR: Final = "query_with_cursor"
_REQUIRED_FIELDS: Final = ("id", "kind")
_RELEVANCE: Final = "_score"


@dataclass(frozen=True, slots=True)
class Search:
    """A search without its page: the parts that all its requests share."""

    query: str
    kind: str | list[str]
    executed: str
    """The query as the result reports it."""
    returned_fields: list[str] | None = None
    sort: Sort | None = None
    aggregate_by: str | None = None
    spatial: SpatialFilter | None = None
    highlighted_fields: list[str] | None = None
    track_total_count: bool = True
    as_owner: bool = False

    def offset_body(self, limit: int, offset: int) -> dict[str, Any]:
        """Return the body that requests one page by its offset."""
        body = self._common_body(limit) | {"offset": offset}
        if self.aggregate_by is not None:
            body["aggregateBy"] = self.aggregate_by
        return body

    def cursor_body(self, limit: int, cursor: str | None) -> dict[str, Any]:
        """Return the body that opens a cursor or requests its next page, without offset and aggregation."""
        body = self._common_body(limit)
        if cursor is not None:
            body["cursor"] = cursor
        return body

    def _common_body(self, limit: int) -> dict[str, Any]:
        body: dict[str, Any] = {"kind": self.kind, "query": self.query, "limit": limit}
        if self.returned_fields is not None:
            body["returnedFields"] = list(dict.fromkeys([*self.returned_fields, *_REQUIRED_FIELDS]))
        if self.sort is not None:
            body["sort"] = {"field": self.sort.field, "order": _orders(self.sort)}
        if self.spatial is not None:
            body["spatialFilter"] = _spatial_body(self.spatial)
        if self.highlighted_fields:
            body["highlightedFields"] = self.highlighted_fields
        if self.track_total_count:
            body["trackTotalCount"] = True
        if self.as_owner:
            body["queryAsOwner"] = True
        return body


def _orders(sort: Sort) -> list[str]:
    """Return the order of each field; the service requires them all."""
    given = sort.order or []
    return [*given, *("DESC" if field == _RELEVANCE else "ASC" for field in sort.field[len(given) :])]


def _spatial_body(spatial: SpatialFilter) -> dict[str, Any]:
    """Return the spatial filter. The service accepts byWithinPolygon but ignores it, so it is sent as byGeoPolygon."""
    shape: dict[str, Any] = spatial.model_dump(mode="json", exclude_none=True)
    if "byWithinPolygon" in shape:
        shape["byGeoPolygon"] = shape.pop("byWithinPolygon")
    return shape
