"""Argument models of the OSDU operations, shared by MCP tools and HTTP routes."""

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from indexer.arguments import Arguments, Cursor, Detail, MaxChars

MAX_LIMIT = 1_000

Kind = Annotated[str | list[str], Field(description="Like osdu:wks:master-data--Well:*")]
"""authority:source:type:version, with * for any part or piece of one."""
Limit = Annotated[int, Field(ge=1, le=MAX_LIMIT)]
Offset = Annotated[int, Field(ge=0)]
"""Records to skip; with the limit at most 10,000, beyond that only a cursor goes on."""
Names = Annotated[list[str], Field(max_length=200)]
ReturnedFields = Annotated[Names | None, Field(description="Like data.FacilityName")]
"""The fields of each record to return; id and kind always are."""


def _upper(value: object) -> object:
    return value.upper() if isinstance(value, str) else value


class Sort(Arguments):
    """Fields to sort by, and the direction of each; without it the most relevant come first."""

    field: Annotated[
        list[str],
        Field(min_length=1, max_length=16, description="Text needs .keyword"),
    ]
    order: Annotated[
        list[Annotated[Literal["ASC", "DESC"], BeforeValidator(_upper)]] | None,
        Field(max_length=16, description="ASC or DESC for each"),
    ] = None


class Point(Arguments):
    """A place on earth, in degrees."""

    latitude: Annotated[float, Field(ge=-90, le=90, allow_inf_nan=False)]
    longitude: Annotated[float, Field(ge=-180, le=180, allow_inf_nan=False)]


class BoundingBox(Arguments):
    """A box between its upper left and its lower right corner."""

    topLeft: Point  # noqa: N815 - the OSDU API's name
    bottomRight: Point  # noqa: N815 - as above


class Distance(Arguments):
    """All that is near a point."""

    point: Point
    distance: Annotated[float, Field(gt=0, allow_inf_nan=False, description="Metres")]


class Polygon(Arguments):
    """A polygon by its corners."""

    points: Annotated[list[Point], Field(max_length=10_000)]


class Intersection(Arguments):
    """All that touches one of these polygons; each is closed: its last point is its first."""

    polygons: Annotated[list[Polygon], Field(max_length=1_000)]


class SpatialFilter(Arguments):
    """A field and one shape."""

    field: Annotated[str, Field(description="Like data.SpatialLocation.Wgs84Coordinates")]
    byBoundingBox: Annotated[  # noqa: N815 - the OSDU API's name
        BoundingBox | None, Field(description="{topLeft, bottomRight}: {latitude, longitude}")
    ] = None
    byDistance: Annotated[Distance | None, Field(description="{point, distance} in metres")] = None  # noqa: N815
    byGeoPolygon: Annotated[Polygon | None, Field(description="{points}")] = None  # noqa: N815 - as above
    byIntersection: Annotated[Intersection | None, Field(description="{polygons}")] = None  # noqa: N815 - as above
    byWithinPolygon: Polygon | None = None  # noqa: N815 - as above
    """Sent as byGeoPolygon, which the service applies."""


class SearchQuery(Arguments):
    """A search in Lucene syntax."""

    query: Annotated[str, Field(description="* for all")]
    kind: Kind = "*:*:*:*"
    limit: Limit = 50
    offset: Offset = 0
    returned_fields: ReturnedFields = None
    sort: Sort | None = None
    aggregate_by: Annotated[str | None, Field(description="Like kind or data.Name.keyword")] = None
    spatial_filter: SpatialFilter | None = None
    highlighted_fields: Annotated[Names | None, Field(description="Show where they matched")] = None
    track_total_count: Annotated[bool, Field(description="Count beyond 10,000")] = True
    as_owner: Annotated[bool, Field(description="Only what the account owns")] = False
    cursor: Cursor = None
    max_chars: MaxChars = None
    detail: Detail = "full"


class SearchById(Arguments):
    """A search by a record's id."""

    id: str
    limit: Limit = 10
    returned_fields: ReturnedFields = None
    cursor: Cursor = None
    max_chars: MaxChars = None


class SearchByKind(Arguments):
    """All records of a kind."""

    kind: Kind
    limit: Limit = 100
    offset: Offset = 0
    sort: Sort | None = None
    returned_fields: ReturnedFields = None
    cursor: Cursor = None
    max_chars: MaxChars = None
    detail: Detail = "full"


class DiscoverFields(Arguments):
    """Which fields a kind has."""

    kind: Kind
    sample: Annotated[int, Field(ge=1, le=MAX_LIMIT, description="Records to look at")] = 50


class Clause(Arguments):
    """One condition."""

    field: Annotated[str, Field(description="Like data.FacilityName")]
    op: Literal["eq", "ne", "in", "gte", "lte", "between", "prefix", "contains", "exists"]
    value: Annotated[Any, Field(description="A list for in and between")] = None
    """None for exists."""
    boost: Annotated[float | None, Field(ge=0.01, le=100, allow_inf_nan=False)] = None
    """How many times it counts in the relevance; 1 by default."""


class BuildQuery(Arguments):
    """Conditions to write as a query."""

    clauses: Annotated[list[Clause], Field(min_length=1, max_length=200)]
    combine: Literal["and", "or"] = "and"
