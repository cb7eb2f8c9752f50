"""The OSDU sandbox refuses what the real service refuses, and finds what its sample holds."""

import asyncio
from typing import Any

import pytest

from app.sandbox.engine.memory import MemoryEngine
from app.sandbox.osdu.nested_queries import text_query
from app.sandbox.osdu.records import INDEX, index_of, viewers_of
from app.sandbox.osdu.requests import engine_request
from app.sandbox.osdu.rules import Refused, check_body
from app.sandbox.osdu.sample import sample_records

RECORDS = sample_records()
ENGINE = MemoryEngine([index_of(RECORDS)])
POINT = {"latitude": 1, "longitude": 2}


def found(query: str, **changes: Any) -> list[str]:
    body = {"kind": "*:*:*:*", "query": query, "limit": 1_000, **changes}
    check_body(body, with_cursor=False)
    request = engine_request(body, [viewers_of("sandbox")], counts_all=True)
    response = asyncio.run(ENGINE.search([INDEX], request))
    return [hit["_id"] for hit in response["hits"]["hits"]]


@pytest.mark.parametrize(
    "changes",
    [
        {"kind": None},
        {"kind": "a:b:c"},
        {"kind": ["a:b:c:d", "*" * 4_000 + ":b:c:d"]},
        {"unknown": 1},
        {"limit": True},
        {"limit": -1},
        {"limit": 500, "offset": 9_600},
        {"query": 5},
        {"returnedFields": [""]},
        {"aggregateBy": "nested(data.NameAliases, AliasName)"},
        {"sort": {"field": ["id"], "order": []}},
        {"sort": {"field": ["id"], "order": ["up"]}},
        {"sort": {"field": [5], "order": ["ASC"]}},
        {"cursor": "x"},
        {"spatialFilter": {"field": "f"}},
        {"spatialFilter": {"field": "f", "byDistance": {"point": POINT}}},
        {"spatialFilter": {"field": "f", "byDistance": {"point": POINT, "distance": 0}}},
        {"spatialFilter": {"field": "f", "byGeoPolygon": {"points": [POINT]}}},
        {"spatialFilter": {"field": "f", "byBoundingBox": {"topLeft": POINT, "bottomRight": POINT}}},
        {"spatialFilter": {"field": "f", "byDistance": {"point": {"latitude": 91, "longitude": 0}, "distance": 1}}},
        {"spatialFilter": {"field": "f", "byDistance": 5}},
    ],
)
def test_a_wrong_body_is_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(Refused) as refused:
        check_body({"kind": "*:*:*:*", **changes}, with_cursor=False)
    assert refused.value.body["code"] == 400
    assert refused.value.body["errors"]


def test_a_cursor_has_no_offset_and_no_counts() -> None:
    check_body({"kind": "*:*:*:*", "cursor": "x"}, with_cursor=True)
    for name, value in (("offset", 5), ("aggregateBy", "kind")):
        with pytest.raises(Refused):
            check_body({"kind": "*:*:*:*", name: value}, with_cursor=True)


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ('data.UWI:"8690"', ["Well:amber-bank-1"]),
        ("data.FacilityName:(juniper AND 6)", ["Well:juniper-hill-6", "Wellbore:juniper-hill-6-a"]),
        ('nested(data.NameAliases, (AliasName:"C02"))', ["Well:cobalt-reef-2"]),
        ('nested(data.FacilityEvents, (FacilityEventType:plugged)) AND "cobalt reef 6"', ["Well:cobalt-reef-6"]),
        ("data.Depth:>3790 AND data.Active:*", ["Well:amber-bank-6"]),
        ("qatest", ["ProcessingParameterType:qatest"]),
        ("nothingofthekind", []),
    ],
)
def test_queries_find_what_the_sample_holds(query: str, names: list[str]) -> None:
    assert sorted(id_.rpartition("--")[2] for id_ in found(query)) == names


def test_all_records_are_of_the_sandbox_and_found() -> None:
    assert sorted(found("")) == sorted(record["id"] for record in RECORDS)
    assert all(record["id"].startswith("sandbox:") for record in RECORDS)


def test_names_inside_nested_are_completed() -> None:
    assert text_query("nested(data.A, (B:1 AND _exists_:C AND (D:x E))) OR f:2") == {
        "bool": {
            "should": [
                {
                    "nested": {
                        "path": "data.A",
                        "query": {
                            "query_string": {"query": "(data.A.B:1 AND _exists_:data.A.C AND (data.A.D:x E))"},
                        },
                    }
                },
                {"query_string": {"query": "f:2"}},
            ]
        }
    }
    for plain in ("nested (a, (b:1))", "nested(a)", "nested", "data.nested:(a, (b))"):
        assert text_query(plain) == {"query_string": {"query": plain}}
