"""Searching by place: every shape that the service knows."""

import pytest

from tests.upstreams.osdu import OsduServer
from tests.upstreams.osdu_caller import Caller
from tests.upstreams.osdu_records import WELL

NORTH_SEA = {"topLeft": {"latitude": 59.5, "longitude": 1.0}, "bottomRight": {"latitude": 56.5, "longitude": 4.5}}
FIELD = "data.SpatialLocation.Wgs84Coordinates"


def numbers(result: dict) -> list[str]:
    assert result["success"], result
    return sorted(record["id"].rpartition(":")[2] for record in result["results"])


@pytest.mark.parametrize(
    ("shape", "found"),
    [
        ({"byBoundingBox": NORTH_SEA}, ["1", "2", "3"]),
        ({"byDistance": {"point": {"latitude": 57, "longitude": 2}, "distance": 1500}}, ["1"]),
        (
            {
                "byGeoPolygon": {
                    "points": [
                        {"latitude": 56.5, "longitude": 1.5},
                        {"latitude": 56.5, "longitude": 3.5},
                        {"latitude": 58.5, "longitude": 3.5},
                        {"latitude": 58.5, "longitude": 1.5},
                    ]
                }
            },
            ["1", "2"],
        ),
        (
            {
                "byIntersection": {
                    "polygons": [
                        {
                            "points": [
                                {"latitude": 60.5, "longitude": 5.5},
                                {"latitude": 60.5, "longitude": 6.5},
                                {"latitude": 61.5, "longitude": 6.5},
                                {"latitude": 61.5, "longitude": 5.5},
                                {"latitude": 60.5, "longitude": 5.5},
                            ]
                        }
                    ]
                }
            },
            ["5"],
        ),
    ],
)
async def test_places_are_searched_by_every_shape(call: Caller, shape: dict, found: list[str]) -> None:
    result = await call("search_query", query="*", kind=WELL, spatial_filter={"field": FIELD, **shape})
    assert numbers(result) == found


async def test_within_a_polygon_is_sent_so_that_the_service_applies_it(call: Caller, osdu: OsduServer) -> None:
    points = [
        {"latitude": 56.5, "longitude": 1.5},
        {"latitude": 56.5, "longitude": 2.5},
        {"latitude": 58.0, "longitude": 2.0},
    ]
    spatial = {"field": FIELD, "byWithinPolygon": {"points": points}}
    result = await call("search_query", query="*", kind=WELL, spatial_filter=spatial)
    assert numbers(result) == ["1"]
    assert osdu.requests[0].body["spatialFilter"] == {"field": FIELD, "byGeoPolygon": {"points": points}}
