"""The engine in memory finds, ranks, marks, counts and refuses what a real OpenSearch does."""

import os
from itertools import islice
from typing import Any

import pytest

from app.sandbox.engine.port import Body
from app.sandbox.osdu.nested_queries import text_query
from app.sandbox.osdu.records import INDEX
from app.sandbox.osdu.requests import engine_request
from app.sandbox.quilt.indices import HITS
from mcp_server.features.quilt.arguments import SearchCatalog
from mcp_server.features.quilt.elasticsearch.query import search_body
from mcp_server.features.quilt.query.catalog_query import build_catalog_query
from tests.integration.sandbox.conftest import Engines
from tests.upstreams.lucene_queries import lucene_queries

QUERIES = 5_000 if os.environ.get("TRAWL_THOROUGH") else 500
ORDER = [{"_score": "desc"}, {"id": "asc"}]
GROUPS = ["data.default.viewers@sandbox.dataservices.energy"]
COORDINATES = "data.SpatialLocation.Wgs84Coordinates"


def scores(response: Body) -> dict[str, float]:
    return {hit["_id"]: pytest.approx(hit["_score"], rel=1e-4) for hit in response["hits"]["hits"]}


def ids(response: Body) -> list[str]:
    return [hit["_id"] for hit in response["hits"]["hits"]]


async def assert_equal(engines: Engines, indices: list[str], body: Body) -> Body:
    """Compare hits and their order, scores, highlights, sources, totals and counts."""
    memory, opensearch = await engines.search(indices, body)
    assert memory is not None, body
    assert opensearch is not None, body
    assert ids(memory) == ids(opensearch), body
    assert scores(memory) == scores(opensearch), body
    for ours, theirs in zip(memory["hits"]["hits"], opensearch["hits"]["hits"], strict=True):
        assert ours.get("highlight") == theirs.get("highlight"), body
        assert ours.get("_source") == theirs.get("_source"), body
    assert memory["hits"]["total"] == opensearch["hits"]["total"], body
    assert memory.get("aggregations") == opensearch.get("aggregations"), body
    return memory


async def test_queries_in_lucene_syntax_find_and_rank_alike(engines: Engines) -> None:
    compared = found = 0
    for query in islice(lucene_queries(seed=16), QUERIES):
        # Lucene's regular expressions can more than ours, and its scores of fuzzy words are estimates.
        body = {"query": {"query_string": {"query": query}}, "size": 1_000, "_source": False, "sort": ORDER}
        memory, opensearch = await engines.search([INDEX], body)
        if memory is None or opensearch is None:
            assert (memory is None) == (opensearch is None) or "/" in query or "_exists_" in query, query
            continue
        compared += 1
        found += bool(ids(memory))
        assert set(ids(memory)) == set(ids(opensearch)), query
        if "~" not in query:
            assert scores(memory) == scores(opensearch), query
    assert compared > QUERIES / 4
    assert found > QUERIES / 10


@pytest.mark.parametrize(
    "query",
    [
        "",
        "amber",
        "amber bank",
        '"amber bank 1"',
        "data.FacilityName:(amber AND NOT 1)",
        "data.Depth:[3000 TO 3400]",
        "data.Depth:{3175 TO *}",
        "data.Depth:>=3300",
        "data.SpudDate:[2020-01-01 TO 2020-06]",
        "data.SpudDate:2020",
        "data.SpudDate:[2010||+2y TO 2020-03-15||/M]",
        "data.SpudDate:<2016-05-01",
        "data.Active:true",
        "_exists_:data.UWI",
        "data.UWI:869?",
        "data.FacilityName.keyword:Amber*",
        "data.FacilityName:ambr~",
        '"gamma resistivity"~2',
        "data.Description:chalk^3 OR wireline",
        "data.\\*:gamma",
        'nested(data.NameAliases, (AliasName:"A03"))',
        "nested(data.NameAliases, (AliasName:prospect AND AliasNameTypeID:project))",
        "nested(data.VerticalMeasurements, (VerticalMeasurement:(>3300))) AND data.Active:false",
        'amber AND NOT nested(data.Markers, (MarkerName:"Plover Shale"))',
        "(nested(data.Markers,(MarkerName:chalk)) AND 5) OR data.UWI:8690",
        "nested(data.VerticalMeasurements, (_exists_:V))",
    ],
)
async def test_requests_of_osdu_are_answered_alike(engines: Engines, query: str) -> None:
    asked: dict[str, Any] = {"kind": "*:*:*:*", "query": query, "limit": 100, "trackTotalCount": True}
    asked |= {"aggregateBy": "kind", "highlightedFields": ["data.Description", "data.FacilityName"]}
    response = await assert_equal(engines, [INDEX], engine_request(asked, GROUPS, counts_all=False))
    assert response["hits"]["total"]["value"] > 0


async def test_objects_of_arrays_are_not_searched_with_their_records(engines: Engines) -> None:
    for query in ("_exists_:data.NameAliases.AliasName", 'data.NameAliases.AliasName:"A03"', "prospect"):
        asked = {"kind": "*:*:*:*", "query": query, "limit": 100}
        response = await assert_equal(engines, [INDEX], engine_request(asked, GROUPS, counts_all=True))
        assert response["hits"]["total"]["value"] == 0


@pytest.mark.parametrize(
    "changes",
    [
        {"sort": {"field": ["data.Depth"], "order": ["DESC"]}},
        {"sort": {"field": ["data.SpudDate", "id"], "order": ["ASC", "DESC"]}},
        {"sort": {"field": ["nested(data.VerticalMeasurements, VerticalMeasurement, min)"], "order": ["ASC"]}},
        {"sort": {"field": ["nested(data.VerticalMeasurements, VerticalMeasurement, max)"], "order": ["DESC"]}},
        {"sort": {"field": ["data.NoSuchField"], "order": ["ASC"]}},
        {"aggregateBy": "data.OperatingEnvironment.keyword"},
        {"aggregateBy": "data.Depth"},
        {"aggregateBy": "data.Active"},
        {"aggregateBy": "data.SpudDate"},
        {"aggregateBy": "data.NoSuchField"},
        {"returnedFields": ["id", "data.FacilityName", "data.NameAliases.AliasName"]},
        {"returnedFields": ["data.*Name", "acl"]},
        {"kind": "osdu:wks:*:1.2.0,*:*:master-data--Field:*"},
        {"limit": 0, "offset": 7},
        {"queryAsOwner": True},
    ],
)
async def test_orders_counts_and_fields_are_alike(engines: Engines, changes: dict[str, Any]) -> None:
    asked = {"kind": "*:*:*:*", "query": "", "limit": 200, **changes}
    await assert_equal(engines, [INDEX], engine_request(asked, GROUPS, counts_all=True))


def corners(west: float, south: float, east: float, north: float) -> list[dict[str, float]]:
    places = [(south, west), (south, east), (north, east), (north, west), (south, west)]
    return [{"latitude": latitude, "longitude": longitude} for latitude, longitude in places]


@pytest.mark.parametrize(
    ("shape", "some"),
    [
        ({"byDistance": {"point": {"latitude": 58.4, "longitude": 1.9}, "distance": 15_000}}, True),
        ({"byDistance": {"point": {"latitude": 50.0, "longitude": 3.0}, "distance": 1}}, True),
        ({"byDistance": {"point": {"latitude": 20.0, "longitude": 3.0}, "distance": 5_000}}, False),
        ({"byGeoPolygon": {"points": corners(1.6, 58.1, 2.2, 58.7)}}, True),
        ({"byGeoPolygon": {"points": corners(1.9, 58.4, 2.1, 58.6)[2:]}}, True),
        ({"byIntersection": {"polygons": [{"points": corners(2.1, 58.6, 9.0, 58.65)}]}}, True),
        (
            {
                "byBoundingBox": {
                    "topLeft": {"latitude": 62, "longitude": 1},
                    "bottomRight": {"latitude": 58.2, "longitude": 8},
                }
            },
            True,
        ),
    ],
)
async def test_shapes_are_found_alike(engines: Engines, shape: dict[str, Any], *, some: bool) -> None:
    asked = {"kind": "*:*:*:*", "limit": 200, "spatialFilter": {"field": COORDINATES, **shape}}
    response = await assert_equal(engines, [INDEX], engine_request(asked, GROUPS, counts_all=True))
    assert bool(response["hits"]["total"]["value"]) == some


@pytest.mark.parametrize(
    "body",
    [
        {"query": {"query_string": {"query": "a b c", "fields": ["id"], "unknown": 1}}},
        {"query": {"query_string": {"query": 'data.Name:"open'}}},
        {"query": {"query_string": {"query": "data.Depth:deep", "fields": ["id"]}}},
        {"query": {"query_string": {"query": " ".join(f"id:{number}" for number in range(1_030))}}},
        {"query": {"no_such_query": {}}},
        {"query": {"term": {"id": {"value": "x", "unknown": 1}}}},
        {"query": {"nested": {"path": "data", "query": {"match_all": {}}}}},
        {"query": {"geo_distance": {"distance": "5m", "data.Name": {"lat": 1, "lon": 2}}}},
        {"query": text_query("nested(data.NoSuchArray, (A:1))")},
        {"sort": [{"data.Description": "asc"}]},
        {"sort": [{"data.NoSuchField": "asc"}]},
        {"sort": [{"_score": {"order": "asc", "missing": "_last"}}]},
        {"aggs": {"by": {"terms": {"field": "data.Description"}}}},
        {"query": {"match_none": {}}, "aggs": {"by": {"terms": {"field": "data.Description"}}}},
        {"from": 9_999, "size": 2},
        {"size": -5},
        {"highlight": {"fields": 5}},
        {"aggs": []},
        {"query": {"bool": 5}},
        {"query": {"range": {"data.Depth": 5}}},
        {"sort": [{"id": {"order": "up"}}]},
        {"unknown": 1},
    ],
)
async def test_what_cannot_be_answered_is_refused_alike(engines: Engines, body: Body) -> None:
    assert await engines.search([INDEX], body) == (None, None)


@pytest.mark.parametrize("scope", ["object", "package"])
@pytest.mark.parametrize("order", ["best", "newest", "name"])
async def test_requests_to_quilts_elasticsearch_are_answered_alike(engines: Engines, scope: str, order: str) -> None:
    names = ("objects",) if scope == "object" else ("joined", "flat")
    for name in names:
        indices = [f"{name}-sandbox-surveys", f"{name}-sandbox-sensors"]
        for text in ("trawl", "cod -beam", '"otter trawl"', "station AND ctd", "haul*", "*", "+reviewed true"):
            arguments = SearchCatalog.model_validate({"query": text, "scope": scope, "order": order})
            body = search_body(build_catalog_query(arguments), with_hits=True)
            memory, opensearch = await engines.search(indices, {**body, "size": 100})
            assert memory is not None, text
            assert opensearch is not None, text
            # Each index of OpenSearch has statistics of its own, and so it is here; equal scores come in any order.
            assert scores(memory) == scores(opensearch), text
            assert [hit["_source"] for hit in memory["hits"]["hits"]] == [
                hit["_source"] for hit in opensearch["hits"]["hits"]
            ]
            assert [_inner_source(hit) for hit in memory["hits"]["hits"]] == [
                _inner_source(hit) for hit in opensearch["hits"]["hits"]
            ]


async def test_filters_of_graphql_are_answered_alike(engines: Engines) -> None:
    fields = "fields.keyword", "fields.double", "fields.boolean", "fields.date"
    values: list[Body] = [
        {"terms": {fields[0]: ["cod", "plaice"]}},
        {"range": {fields[1]: {"gte": 7, "lt": 9}}},
        {"terms": {fields[2]: [True]}},
        {"range": {fields[3]: {"gte": "2024-03-02", "lte": "2024-03-04"}}},
        {"wildcard": {fields[0]: {"value": "h*k"}}},
        {"query_string": {"query": "cod", "fields": ["fields.text"]}},
    ]
    for value in values:
        query = {"nested": {"path": "fields", "query": {"bool": {"filter": [value]}}}}
        body: Body = {"query": query, "size": 100, "sort": [{"modified": "desc"}, {"hit_id": "asc"}], "_source": False}
        memory, opensearch = await engines.search([HITS], body)
        assert memory is not None
        assert opensearch is not None
        assert ids(memory) == ids(opensearch) != [], value


def _inner_source(hit: Body) -> Any:
    return [each["_source"] for inner in hit.get("inner_hits", {}).values() for each in inner["hits"]["hits"]]
