"""The records, and the requests, queries, guide parts and failures in the document on OSDU, by its lines."""

from typing import Any
from unittest.mock import ANY

from tests.upstreams.osdu_records import PARTITION, SECRET_VIEWERS, record

PARAMETER = "osdu:wks:reference-data--ProcessingParameterType:1.0.0"
REFERENCE = "opendes:reference-data:12345"
ACTIVE, CLOSED, BORE = "opendes:well:1", "opendes:well:2", "opendes:wellbore:1"
HIDDEN = "opendes:well:hidden"
CREATED = "2023-06-02T18:05:47.428Z"
EXAMPLE = 'data.ID:("qatest")'
QATEST = {"ID": "qatest", "Name": "QA Test Parameter", "Description": "Test processing parameter for QA"}


def records() -> list[dict[str, Any]]:
    """Return the record of the document's example, wells for all its queries, and one that the account may not see."""
    changes = {"version": 123456789, "createUser": "user@example.com", "modifyTime": CREATED}
    active = {"UWI": "8690", "Name": "north test well", "Type": "well", "Status": "active", "SpudDate": "2021-05-01"}
    active |= {"Depth": 2500, "Value": 150, "Code": "100", "Description": "an offshore platform", "Field": "value1"}
    closed = {"UWI": "9999", "Name": "wellington", "Type": "well", "Status": "closed", "SpudDate": "2024-01-01"}
    closed |= {"Depth": 6000, "Value": 100, "Code": "200", "Description": "ashore", "Field": "excluded"}
    bore = {"Name": "bore", "WellID": ACTIVE, "SpudDate": "2020-01-01", "Depth": 1000, "Value": 200, "Field": "value2"}
    return [
        record(REFERENCE, PARAMETER, dict(QATEST)) | changes,
        record(ACTIVE, "opendes:osdu:well:1.0.0", active | {"A": "value1", "B": "value2"}, place=(58.0, 2.0)),
        record(CLOSED, "opendes:osdu:well:1.1.0", closed | {"A": "value1", "B": "log"}, place=(62.0, 6.0)),
        record(BORE, "opendes:osdu:wellbore:1.0.0", bore | {"A": "value3"}),
        record(HIDDEN, "opendes:osdu:well:1.0.0", {"UWI": "8690"}, viewers=SECRET_VIEWERS, owners=SECRET_VIEWERS),
    ]


def point(latitude: float, longitude: float) -> dict[str, float]:
    return {"latitude": latitude, "longitude": longitude}


def ids(result: dict[str, Any]) -> set[str]:
    assert result["success"], result
    return {found["id"] for found in result["results"]}


TOOLS = {"search_query", "search_by_id", "search_by_kind", "osdu_discover_fields", "osdu_build_query"}
CALLS: list[tuple[str, dict[str, Any]]] = [
    ("search_query", {"query": "well*"}),
    ("search_by_id", {"id": ACTIVE}),
    ("search_by_kind", {"kind": "*:osdu:well:*"}),
]
RESPONSE: dict[str, Any] = {
    "success": True,
    "results": [{"id": REFERENCE, "kind": PARAMETER, "data": QATEST, "createTime": CREATED, "version": 123456789}],
    "totalCount": 1,
    "searchMeta": {"query_executed": EXAMPLE, "execution_time_ms": ANY},
    "partition": PARTITION,
    "next_cursor": None,
    "truncated": False,
}
"""What the document's example is answered with."""
QUERIES: list[tuple[str, str, str, set[str]]] = [
    ("55,157", "Text search: well*", "well*", {ACTIVE, CLOSED}),
    ("56", "Text search: (well AND log)", "(well AND log)", {CLOSED}),
    ("61,160", 'Field search: data.UWI:"8690"', 'data.UWI:"8690"', {ACTIVE}),
    ("62,605-611", "Field search: data.Name:*test*", "data.Name:*test*", {ACTIVE, REFERENCE}),
    ("63,91", "Date range of data.SpudDate", "data.SpudDate:[2020-01-01 TO 2023-12-31]", {ACTIVE, BORE}),
    ("80", "AND of two fields", '(data.A:"value1") AND (data.B:"value2")', {ACTIVE}),
    ("81", "OR of two values", 'data.Field:("value1" OR "value2")', {ACTIVE, BORE}),
    ("82", "NOT a value", 'data.Field:* AND NOT data.Field:"excluded"', {ACTIVE, BORE}),
    ("85", "Wildcard for one character", "data.Code:?00", {ACTIVE, CLOSED}),
    ("86", "Wildcard for several characters", "data.Name:well*", {ACTIVE, CLOSED}),
    ("87", "Wildcard on both sides", "data.Description:*offshore*", {ACTIVE}),
    ("90", "Numeric range", "data.Depth:[1000 TO 5000]", {ACTIVE, BORE}),
    ("92", "Range without its limits", "data.Value:{100 TO 200}", {ACTIVE}),
    ("95", "Field data.UWI", "data.UWI:9999", {CLOSED}),
    ("96", "Field data.WellID", f'data.WellID:"{ACTIVE}"', {BORE}),
    ("97", "Field data.Name", "data.Name:bore", {BORE}),
    ("98", "Field data.SpudDate", "data.SpudDate:2024-01-01", {CLOSED}),
    ("99", "Field id", f'id:"{BORE}"', {BORE}),
    ("163", "Boolean query", '(data.Type:"well") AND (data.Status:"active")', {ACTIVE}),
]
GUIDE: list[tuple[str, str, str]] = [
    ("47", "The guide names search_query", "`search_query`"),
    ("48", "The guide names search_by_id", "`search_by_id`"),
    ("49", "The guide names search_by_kind", "`search_by_kind`"),
    ("55,509", "Guide: text search", 'search_query(query="well*")'),
    ("56,510", "Guide: words with AND", 'search_query(query="(well AND log)")'),
    ("61,515", "Guide: a field's value", "search_query(query='data.UWI:\"8690\"')"),
    ("62,516", "Guide: a part of a field", 'search_query(query="data.Name:*test*")'),
    ("63,517", "Guide: a field's range", 'search_query(query="data.SpudDate:[2020-01-01 TO 2023-12-31]")'),
    ("68,522", "Guide: ID search", f'search_by_id(id="{REFERENCE}")'),
    ("73,527", "Guide: kind search by pattern", 'search_by_kind(kind="*:osdu:well:*")'),
    ("74,528", "Guide: kind search by version", 'search_by_kind(kind="opendes:osdu:wellbore:1.0.0")'),
    ("80,534", "Guide: AND", '`(data.A:"value1") AND (data.B:"value2")`'),
    ("81,535", "Guide: OR", '`data.Field:("value1" OR "value2")`'),
    ("82,536", "Guide: NOT", '`data.Field:* AND NOT data.Field:"excluded"`'),
    ("85,539", "Guide: wildcard for one character", "`data.Code:?00`"),
    ("86,540", "Guide: wildcard for several characters", "`data.Name:well*`"),
    ("87,541", "Guide: partial match", "`data.Description:*offshore*`"),
    ("90,544", "Guide: numeric range", "`data.Depth:[1000 TO 5000]`"),
    ("91,545", "Guide: date range", "`data.SpudDate:[2020-01-01 TO 2023-12-31]`"),
    ("92,546", "Guide: exclusive range", "`data.Value:{100 TO 200}`"),
    ("95,549", "Guide: data.UWI is the unique well identifier", "`data.UWI`: unique well identifier"),
    ("96,550", "Guide: data.WellID", "`data.WellID`: the well"),
    ("97,551", "Guide: data.Name", "`data.Name`"),
    ("98,552", "Guide: data.SpudDate", "`data.SpudDate`: when drilling began"),
    ("99,553", "Guide: id", "`id`: the record's identifier"),
    ("103,557", "Step 1: explore", '**Look around**: `search_by_kind(kind="*:*:*:*", limit=5)`'),
    ("104,558", "Step 2: focus on the kinds found", "**Focus**: search within the kinds"),
    ("105,559", "Step 3: discover fields", "**Discover fields**:"),
    ("106,560", "Step 4: refine the query", "**Refine**: write a query on those fields"),
    ("702", "Guide: spatial forms", "byBoundingBox"),
    ("703", "Guide: aggregation form", "aggregate_by"),
    ("708", "Guide: the order of results, and boosts", "data.FacilityName:A34^3"),
]
ERRORS: list[tuple[str, str, int, str, str]] = [
    ("651", "400: Invalid query syntax", 400, "Invalid Elasticsearch query: it is bad", "validation"),
    ("653", "403: Search not authorized", 403, "Insufficient permissions for search", "authorization"),
    ("654", "401: Authentication required", 401, "Authentication required", "authentication"),
    ("655", "413: Query too complex", 413, "Query exceeds complexity limits", "validation"),
    ("656,664", "503: Elasticsearch unavailable", 503, "Search service temporarily unavailable", "unavailable"),
    ("657", "500: Internal search error", 500, "Search service error", "provider"),
]
_MALFORMED = ("662,677,685", "A malformed query is refused before the call, with the place", "search_query")
REFUSED: list[tuple[str, str, str, dict[str, Any], str]] = [
    (*_MALFORMED, {"query": 'data.Name:"abc'}, "unbalanced quote at position 10"),
    (*_MALFORMED, {"query": "(well AND log"}, "unbalanced parenthesis at position 0"),
    (*_MALFORMED, {"query": "data.Depth:[1000 5000]"}, "a range is written [low TO high] at position 17"),
    (*_MALFORMED, {"query": "well AND"}, "something is missing at the end at position 8"),
    (
        *("665", "A result set beyond the system's limits is refused", "search_query"),
        *({"query": "*", "offset": 9_951}, "offset and limit reach beyond 10,000"),
    ),
    (
        *("667", "A kind of wrong syntax is refused", "search_by_kind"),
        *({"kind": "osdu:well"}, "a kind has four parts, authority:source:type:version"),
    ),
]
INJECTIONS = ['x" OR id:* OR "', "x\\", 'x") OR (id:*', "nothing* OR id:*", "/.*/", "[* TO *]"]
PARAMETERS: list[tuple[str, str, str, str, dict[str, Any]]] = [
    (
        *("118-121,382-383,673-674,683", "search_query: query; kind *:*:*:*, limit 50 up to 1000, offset 0"),
        *("search_query", "query", {"kind": "*:*:*:*", "limit": 50, "offset": 0}),
    ),
    ("237-238,405", "search_by_id: id; limit 10", "search_by_id", "id", {"limit": 10}),
    (
        *("293-295,425-426,683", "search_by_kind: kind; limit 100 up to 1000, offset 0"),
        *("search_by_kind", "kind", {"limit": 100, "offset": 0}),
    ),
]
REQUESTS: list[tuple[str, str, str, dict[str, Any], dict[str, Any]]] = [
    (
        *("123-136,385-390,696", "POST /api/search/v2/query as in the HTTP example", "search_query"),
        {"query": EXAMPLE, "kind": PARAMETER},
        {"kind": PARAMETER, "query": EXAMPLE, "limit": 50, "offset": 0},
    ),
    (
        *("165-170", "Example with a kind and limit 1", "search_query"),
        {"query": EXAMPLE, "kind": PARAMETER, "limit": 1},
        {"kind": PARAMETER, "query": EXAMPLE, "limit": 1, "offset": 0},
    ),
    (
        *("138-151", "returnedFields, sort and trackTotalCount can be sent", "search_query"),
        {"query": "well*", "returned_fields": ["id", "kind"], "sort": {"field": ["id"], "order": ["DESC"]}},
        {"returnedFields": ["id", "kind"], "sort": {"field": ["id"], "order": ["DESC"]}, "trackTotalCount": True},
    ),
    (
        *("240-252,257,407-412,613-624", 'search_by_id sends id:("…") over all kinds', "search_by_id"),
        {"id": REFERENCE},
        {"kind": "*:*:*:*", "query": f'id:("{REFERENCE}")', "limit": 10},
    ),
    (
        *("259-261", "search_by_id with a wildcard and limit 5", "search_by_id"),
        {"id": "*:reference-data:12345", "limit": 5},
        {"query": r"id:(*\:reference\-data\:12345)", "limit": 5},
    ),
    (
        *("297-310,315,428-433", "search_by_kind sends an empty query", "search_by_kind"),
        {"kind": "*:osdu:well:*"},
        {"kind": "*:osdu:well:*", "query": "", "limit": 100, "offset": 0},
    ),
    (
        *("318", "search_by_kind with a version", "search_by_kind"),
        {"kind": "opendes:osdu:wellbore:1.0.0"},
        {"kind": "opendes:osdu:wellbore:1.0.0", "query": "", "limit": 100, "offset": 0},
    ),
    (
        *("321", "search_by_kind over all kinds, limit 10", "search_by_kind"),
        {"kind": "*:*:*:*", "limit": 10},
        {"kind": "*:*:*:*", "query": "", "limit": 10, "offset": 0},
    ),
    (
        *("120-121,294-295", "The largest limit and an offset are sent as they are", "search_by_kind"),
        {"kind": "*:*:*:*", "limit": 1_000, "offset": 3},
        {"limit": 1_000, "offset": 3},
    ),
]
ANSWERS: list[tuple[str, str, str, dict[str, Any], str, set[str]]] = [
    (
        *("223,469,611", "query_executed is the query", "search_query"),
        *({"query": "data.Name:bore"}, "data.Name:bore", {BORE}),
    ),
    (
        *("263-284", "search_by_id answers in the same shape", "search_by_id"),
        *({"id": REFERENCE}, f'id:("{REFERENCE}")', {REFERENCE}),
    ),
    (
        *("324-336,445", "search_by_kind: query_executed is kind:<kind>", "search_by_kind"),
        *({"kind": "*:osdu:well:*"}, "kind:*:osdu:well:*", {ACTIVE, CLOSED}),
    ),
]
SHAPES: list[tuple[str, str, dict[str, Any], set[str]]] = [
    (
        *("702", "Spatial search: bounding box"),
        {"byBoundingBox": {"topLeft": point(59, 1), "bottomRight": point(57, 3)}},
        {ACTIVE},
    ),
    ("702", "Spatial search: distance", {"byDistance": {"point": point(62, 6), "distance": 5_000}}, {CLOSED}),
    (
        *("702", "Spatial search: polygon"),
        {"byGeoPolygon": {"points": [point(57, 1), point(59, 1), point(59, 3), point(57, 3)]}},
        {ACTIVE},
    ),
]
