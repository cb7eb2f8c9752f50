"""A search as it goes over the wire."""

from dataclasses import dataclass
from typing import Any, Final

from mcp_server.features.osdu.arguments import Sort, SpatialFilter

QUERY: Final = "query"
QUERY_WITH_CURSOR: Final = "query_with_cursor"
_ALWAYS: Final = ("id", "kind")


@dataclass(frozen=True, slots=True)
class Search:
    """What is asked of the service, without where a page begins."""

    query: str
    kind: str | list[str]
    executed: str
    """The query as callers are told."""
    returned_fields: list[str] | None = None
    sort: Sort | None = None
    aggregate_by: str | None = None
    spatial: SpatialFilter | None = None
    highlighted_fields: list[str] | None = None
    track_total_count: bool = True
    as_owner: bool = False

    def page(self, limit: int, offset: int) -> dict[str, Any]:
        """Return the body for one page by its offset."""
        body = self._common(limit) | {"offset": offset}
        if self.aggregate_by is not None:
            body["aggregateBy"] = self.aggregate_by
        return body

    def pages(self, limit: int, cursor: str | None) -> dict[str, Any]:
        """Return the body for reading on by cursor: always whole, without offset and aggregation."""
        body = self._common(limit)
        if cursor is not None:
            body["cursor"] = cursor
        return body

    def _common(self, limit: int) -> dict[str, Any]:
        body: dict[str, Any] = {"kind": self.kind, "query": self.query, "limit": limit}
        if self.returned_fields is not None:
            body["returnedFields"] = list(dict.fromkeys([*self.returned_fields, *_ALWAYS]))
        if self.sort is not None:
            given = self.sort.order or []
            orders = [*given, *["ASC"] * (len(self.sort.field) - len(given))]
            body["sort"] = {"field": self.sort.field, "order": orders}
        if self.spatial is not None:
            body["spatialFilter"] = _shape(self.spatial)
        if self.highlighted_fields:
            body["highlightedFields"] = self.highlighted_fields
        if self.track_total_count:
            body["trackTotalCount"] = True
        if self.as_owner:
            body["queryAsOwner"] = True
        return body


def _shape(spatial: SpatialFilter) -> dict[str, Any]:
    """Write the shape; the service takes byWithinPolygon and does not apply it, so that goes as byGeoPolygon."""
    shape: dict[str, Any] = spatial.model_dump(mode="json", exclude_none=True)
    if "byWithinPolygon" in shape:
        shape["byGeoPolygon"] = shape.pop("byWithinPolygon")
    return shape
