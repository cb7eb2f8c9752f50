"""OSDU's tools against a server that speaks the real wire format on a real engine."""

import pytest
from mcp import Client

from tests.upstreams.osdu import TOKEN, OsduServer
from tests.upstreams.osdu_caller import Caller
from tests.upstreams.osdu_records import PARTITION, WELL, WELLBORE

FIELD = "data.SpatialLocation.Wgs84Coordinates"


def ids(result: dict) -> list[str]:
    assert result["success"], result
    return [record["id"].rpartition(":")[2] for record in result["results"]]


async def test_a_query_returns_compact_records(call: Caller, osdu: OsduServer) -> None:
    result = await call("search_query", query='data.UWI:"8601"')
    (record,) = result["results"]
    assert record == {
        "id": "opendes:master-data--Well:1",
        "kind": WELL,
        "data": record["data"],
        "createTime": "2023-06-02T18:05:47.428Z",
        "version": 1_685_729_147_428_000,
    }
    assert record["data"]["FacilityName"] == "Well Alpha"
    assert result["totalCount"] == 1
    assert result["partition"] == PARTITION
    assert result["next_cursor"] is None
    assert result["truncated"] is False
    assert result["searchMeta"]["query_executed"] == 'data.UWI:"8601"'
    assert isinstance(result["searchMeta"]["execution_time_ms"], int)
    assert "aggregations" not in result
    (request,) = osdu.requests
    assert request.path == "/api/search/v2/query"
    assert request.headers["authorization"] == f"Bearer {TOKEN}"
    assert request.headers["data-partition-id"] == PARTITION
    assert request.headers["correlation-id"]
    assert request.body == {
        "kind": "*:*:*:*",
        "query": 'data.UWI:"8601"',
        "limit": 50,
        "offset": 0,
        "trackTotalCount": True,
    }
    assert "opendes:master-data--Well:1" in call.texts[0]


async def test_an_id_is_found_exactly(call: Caller, osdu: OsduServer) -> None:
    result = await call("search_by_id", id="opendes:master-data--Well:2")
    assert ids(result) == ["2"]
    assert result["searchMeta"]["query_executed"] == 'id:("opendes:master-data--Well:2")'
    assert osdu.requests[0].body["query"] == 'id:("opendes:master-data--Well:2")'
    assert osdu.requests[0].body["limit"] == 10


async def test_wildcards_in_an_id_are_wildcards_and_nothing_else_is(call: Caller) -> None:
    result = await call("search_by_id", id="*:master-data--Wellbore:?A", limit=50)
    assert sorted(ids(result)) == ["1A", "2A", "3A", "4A", "5A", "6A"]
    assert result["searchMeta"]["query_executed"] == r"id:(*\:master\-data\-\-Wellbore\:?A)"


@pytest.mark.parametrize(
    "hostile",
    [
        'x" OR id:* OR "',
        'x") OR (id:*',
        "x\\",
        'x\\" OR *:* OR \\"',
        '") OR kind:(*:*:*:*',
        "opendes:master-data--Well:1 OR opendes:master-data--Well:2",
        "/.*/",
        "[* TO *]",
        "a?\\",
        "nothing* OR id:*",
        "nothing*) OR (id:*",
        "nothing* || _exists_:id",
        "nothing?\u3000OR\u3000*:*",
    ],
)
async def test_no_id_can_widen_a_search(call: Caller, hostile: str) -> None:
    assert ids(await call("search_by_id", id=hostile, limit=50)) == []


async def test_an_id_with_quotes_and_backslashes_is_found_as_it_is(call: Caller) -> None:
    result = await call("search_by_id", id='opendes:master-data--Well:odd"name\\(1)')
    assert result["totalCount"] == 1
    wild = await call("search_by_id", id='opendes:master-data--Well:odd"name\\(*')
    assert wild["totalCount"] == 1


async def test_a_kind_lists_its_records(call: Caller, osdu: OsduServer) -> None:
    result = await call("search_by_kind", kind="osdu:wks:master-data--Wellbore:*")
    assert result["totalCount"] == 12
    assert {record["kind"] for record in result["results"]} == {WELLBORE}
    assert result["searchMeta"]["query_executed"] == "kind:osdu:wks:master-data--Wellbore:*"
    body = osdu.requests[0].body
    assert (body["kind"], body["query"], body["limit"], body["offset"]) == (
        "osdu:wks:master-data--Wellbore:*",
        "",
        100,
        0,
    )


async def test_several_kinds_are_sent_as_given(call: Caller, osdu: OsduServer) -> None:
    result = await call("search_by_kind", kind=[WELL, WELLBORE])
    assert result["totalCount"] == 19
    assert osdu.requests[0].body["kind"] == [WELL, WELLBORE]
    assert result["searchMeta"]["query_executed"] == f"kind:{WELL},{WELLBORE}"


@pytest.mark.parametrize("kind", ["a:b:c", "a:b:c:d:e", 'a:b:c:"d', "a:b:c:d OR x", "a:b\\:c:d", "", "a::c:d", []])
@pytest.mark.parametrize("tool", ["search_by_kind", "search_query", "osdu_discover_fields"])
async def test_a_wrong_kind_is_stopped_before_the_call(
    call: Caller, osdu: OsduServer, tool: str, kind: str | list[str]
) -> None:
    more = {"query": "*"} if tool == "search_query" else {}
    result = await call(tool, kind=kind, **more)
    assert result["error_category"] == "validation"
    assert result["error"] == "Invalid Elasticsearch query: a kind has four parts, authority:source:type:version"
    assert osdu.requests == []


async def test_results_are_sorted(call: Caller, osdu: OsduServer) -> None:
    sort = {"field": ["data.Active", "data.FacilityName.keyword"], "order": ["desc", "DESC"]}
    result = await call("search_query", query="_exists_:data.Depth", sort=sort)
    assert ids(result) == ["6", "4", "2", "3", "5", "1"]
    assert osdu.requests[0].body["sort"] == {"field": sort["field"], "order": ["DESC", "DESC"]}
    ascending = await call("search_by_kind", kind=WELL, sort={"field": ["data.Depth"]}, limit=3)
    assert ids(ascending) == ["1", "2", "3"]


async def test_values_are_counted(call: Caller) -> None:
    result = await call("search_query", query="*", aggregate_by="kind", limit=1)
    assert result["aggregations"] == [{"key": WELLBORE, "count": 12}, {"key": WELL, "count": 7}]


async def test_only_the_asked_fields_come_back_with_id_and_kind(call: Caller, osdu: OsduServer) -> None:
    result = await call("search_query", query='data.UWI:"8603"', returned_fields=["data.FacilityName", "legal"])
    assert result["results"] == [
        {
            "id": "opendes:master-data--Well:3",
            "kind": WELL,
            "data": {"FacilityName": "Well Gamma"},
            "createTime": None,
            "more": {"legal": {"legaltags": ["opendes-Public-USA-EHC"], "otherRelevantDataCountries": ["US"]}},
        }
    ]
    assert osdu.requests[0].body["returnedFields"] == ["data.FacilityName", "legal", "id", "kind"]


async def test_highlights_are_escaped_but_for_marks(call: Caller) -> None:
    result = await call(
        "search_query", query="data.FacilityName:name", highlighted_fields=["data.FacilityName"], kind=WELL
    )
    (record,) = result["results"]
    assert record["highlight"] == {"data.FacilityName": ["Odd Well &lt;b&gt;<mark>name</mark>&lt;/b&gt;"]}
    assert record["data"]["FacilityName"] == "Odd Well <b>name</b>"


async def test_records_of_others_stay_hidden_and_owners_can_be_asked_for(call: Caller, osdu: OsduServer) -> None:
    hidden = await call("search_query", query='data.FacilityName:"Well Hidden"')
    assert hidden["totalCount"] == 0
    owned = await call("search_query", query="*", as_owner=True)
    assert owned["totalCount"] == 19
    assert osdu.requests[-1].body["queryAsOwner"] is True


async def test_fields_are_discovered(call: Caller) -> None:
    result = await call("osdu_discover_fields", kind=WELL, sample=6)
    assert result["sampled"] == 6
    fields = {field["path"]: field for field in result["fields"]}
    assert fields["data.Depth"]["type"] == "number"
    assert fields["data.Active"]["type"] == "boolean"
    assert fields["data.SpudDate"]["type"] == "date"
    assert fields[FIELD]["type"] == "geometry"
    assert fields["data.FacilityName"]["documents"] == 6
    assert len(fields["data.FacilityName"]["examples"]) == 3
    assert "data.Depth" in call.texts[0]


async def test_a_built_query_finds_what_it_says(call: Caller) -> None:
    built = await call("osdu_build_query", clauses=[{"field": "data.Remark", "op": "contains", "value": '" and \\'}])
    assert (await call("search_query", query=built["query"]))["totalCount"] == 1
    clauses = [
        {"field": "data.Depth", "op": "between", "value": [2000, 4000.5]},
        {"field": "data.Active", "op": "ne", "value": True},
        {"field": "data.SpudDate", "op": "gte", "value": "2013-01-01"},
    ]
    built = await call("osdu_build_query", clauses=clauses)
    assert ids(await call("search_query", query=built["query"])) == ["3"]


async def test_unknown_fields_and_kinds_come_with_the_closest_when_nothing_matched(call: Caller) -> None:
    result = await call("search_query", query='data.FacilityNam:"Well Alpha"', kind=WELL)
    assert result["totalCount"] == 0
    assert result["hints"]["unknown_fields"]["data.FacilityNam"][0] == "data.FacilityName"
    assert "data.FacilityName" in call.texts[-1]
    wrong = await call("search_query", query="*", kind="osdu:wks:master-data--Wel:1.0.0")
    assert wrong["hints"]["closest_kinds"][0] == WELL
    known = await call("search_query", query='data.FacilityName.keyword:"nothing"', kind=WELL)
    assert "hints" not in known


async def test_max_chars_bounds_a_page_and_the_cursor_goes_on_where_it_stopped(call: Caller) -> None:
    seen: list[str] = []
    cursor, pages, truncated = None, 0, False
    while pages == 0 or cursor is not None:
        more = {"cursor": cursor} if cursor else {}
        result = await call("search_by_kind", kind=WELLBORE, max_chars=1_000, sort={"field": ["id"]}, **more)
        seen += ids(result)
        truncated = truncated or result["truncated"]
        cursor, pages = result["next_cursor"], pages + 1
    assert seen == sorted(seen)
    assert len(seen) == 12
    assert truncated
    assert pages > 1


async def test_the_guide_is_one_message_that_names_every_tool(call: Caller) -> None:
    async with Client(call.server) as client:
        (prompt,) = (await client.list_prompts()).prompts
        (message,) = (await client.get_prompt("guide_search_patterns")).messages
        tools = {tool.name for tool in (await client.list_tools()).tools}
    assert prompt.name == "guide_search_patterns"
    assert not prompt.arguments
    assert message.role == "user"
    assert len(tools) == 5
    for said in (*tools, "data.UWI", "data.WellID", "data.SpudDate", "byDistance", "aggregate_by", "next_cursor", "TO"):
        assert said in message.content.text
