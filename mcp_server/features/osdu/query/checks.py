"""Checks a search before it is sent. Only searches that cannot work are rejected, with the position and a fix."""

import re
from typing import Final

from indexer.errors import Invalid
from mcp_server.features.osdu.arguments import Point, Polygon, Sort, SpatialFilter
from mcp_server.lucene.syntax import MAX_CHARACTERS, fields_of
from mcp_server.lucene.tokens import SyntaxProblem

_KIND: Final = re.compile(r"[\w.*-]+:[\w.*-]+:[\w.*-]+:[\w.*-]+\Z")
_MAX_KIND_LENGTH: Final = 3_840
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
MAX_RESULT_WINDOW: Final = 10_000
"""Largest sum of offset and limit that the service accepts; cursors have no such limit."""
_ALTERNATIVES: Final = {
    "osdu_build_query": "Build a query from field, operator and value",
    "osdu_discover_fields": "See which fields a kind has",
}


def invalid(problem: str, *, action: str, position: int | None = None) -> Invalid:
    """Return the failure of an invalid search."""
    where = "" if position is None else f" at position {position}"
    return Invalid(
        f"Invalid Elasticsearch query: {problem}{where}",
        action=action,
        details={} if position is None else {"position": position},
        alternatives=_ALTERNATIVES,
    )


def check_query(query: str) -> list[str]:
    """Check a query in Lucene syntax; return the fields that it names."""
    if len(query) > MAX_CHARACTERS:
        raise invalid(f"longer than {MAX_CHARACTERS:,} characters", action="Shorten the query", position=MAX_CHARACTERS)
    if broken := _SURROGATE.search(query):
        raise invalid("half a surrogate pair", action="Send whole characters", position=broken.start())
    try:
        return fields_of(query)
    except SyntaxProblem as problem:
        raise invalid(
            problem.what,
            action="Correct the query there (positions count characters from 0), or escape the character with \\",
            position=problem.position,
        ) from None


def check_kind(kind: str | list[str]) -> None:
    """Check one kind or several: four parts, each of letters, digits, `_`, `.`, `-` and `*`."""
    kinds = [part for one in ([kind] if isinstance(kind, str) else kind) for part in one.split(",")]
    if not kinds or not all(_KIND.match(part) for part in kinds):
        raise invalid(
            "a kind has four parts, authority:source:type:version",
            action="Write the kind like osdu:wks:master-data--Well:1.0.0, with * for what may be anything",
        )
    if sum(len(part) for part in kinds) > _MAX_KIND_LENGTH:
        raise invalid(f"kinds of more than {_MAX_KIND_LENGTH:,} characters", action="Name fewer kinds, or use *")


def check_page(offset: int, limit: int) -> None:
    """Check that the page is within the result window."""
    if offset + limit > MAX_RESULT_WINDOW:
        raise invalid(
            f"offset and limit reach beyond {MAX_RESULT_WINDOW:,}",
            action="Start without an offset and go on with next_cursor: cursors reach any depth",
        )


def check_sort(sort: Sort | None) -> None:
    """Check that each sort order has a field."""
    if sort is not None and len(sort.order or ()) > len(sort.field):
        raise invalid("more sort orders than fields", action="Give one of ASC and DESC for each field")


def check_spatial(spatial: SpatialFilter | None) -> None:
    """Check a spatial filter by the rules of the service."""
    if spatial is None:
        return
    others = (spatial.byBoundingBox, spatial.byDistance, spatial.byIntersection)
    polygon = spatial.byGeoPolygon or spatial.byWithinPolygon
    shapes = [shape for shape in (*others, spatial.byGeoPolygon, spatial.byWithinPolygon) if shape is not None]
    if len(shapes) != 1:
        raise invalid(f"{len(shapes)} shapes in spatial_filter", action="Give exactly one by… shape")
    if spatial.byBoundingBox is not None:
        _check_box(spatial.byBoundingBox.topLeft, spatial.byBoundingBox.bottomRight)
    if polygon is not None and len(polygon.points) < 3:
        raise invalid("a polygon of fewer than 3 points", action="Give at least 3 points")
    if spatial.byIntersection is not None:
        polygons = spatial.byIntersection.polygons
        if not polygons or not all(_is_closed(each) for each in polygons):
            raise invalid(
                "a polygon to intersect with that is not closed",
                action="Give each polygon at least 4 points, the last one equal to the first",
            )


def _check_box(top_left: Point, bottom_right: Point) -> None:
    if top_left.latitude <= bottom_right.latitude or top_left.longitude >= bottom_right.longitude:
        raise invalid(
            "a bounding box whose top left is not above and left of its bottom right",
            action="Give topLeft the higher latitude and the lower longitude",
        )


def _is_closed(polygon: Polygon) -> bool:
    return len(polygon.points) >= 4 and polygon.points[0] == polygon.points[-1]
