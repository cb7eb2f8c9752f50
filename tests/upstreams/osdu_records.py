"""Sample wells and wellbores in a real index, mapped as OSDU's indexer maps them."""

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any
from uuid import uuid4

import httpx

WELL = "osdu:wks:master-data--Well:1.0.0"
WELLBORE = "osdu:wks:master-data--Wellbore:1.1.0"
VIEWERS = "data.default.viewers@opendes.dataservices.energy"
OWNERS = "data.default.owners@opendes.dataservices.energy"
SECRET_VIEWERS = "data.secret.viewers@opendes.dataservices.energy"
GEO = "geo"
"""A field of this server's own, in which places are searched; no answer shows it."""

_NAMES = ("Alpha", "Beta North", "Gamma", "Delta", "Epsilon South", "Zeta")
_MAPPINGS = {
    "properties": {
        "id": {"type": "keyword"},
        "kind": {"type": "keyword"},
        "version": {"type": "long"},
        "createTime": {"type": "date"},
        "acl": {"properties": {"viewers": {"type": "keyword"}, "owners": {"type": "keyword"}}},
        "data": {"properties": {"SpatialLocation": {"properties": {"Wgs84Coordinates": {"enabled": False}}}}},
        GEO: {"type": "geo_point"},
    }
}


def record(
    id_: str,
    kind: str,
    data: dict[str, Any],
    *,
    place: tuple[float, float] | None = None,
    viewers: str = VIEWERS,
    owners: str = OWNERS,
) -> dict[str, Any]:
    """Return a record as it is indexed; a place is (latitude, longitude)."""
    made: dict[str, Any] = {
        "id": id_,
        "kind": kind,
        "version": 1_685_729_147_428_000,
        "acl": {"viewers": [viewers], "owners": [owners]},
        "legal": {"legaltags": ["opendes-Public-USA-EHC"], "otherRelevantDataCountries": ["US"]},
        "createTime": "2023-06-02T18:05:47.428Z",
        "data": data,
    }
    if place is not None:
        latitude, longitude = place
        point = {"type": "Point", "coordinates": [longitude, latitude]}
        made["data"]["SpatialLocation"] = {"Wgs84Coordinates": point}
        made[GEO] = [longitude, latitude]
    return made


def sample_records() -> list[dict[str, Any]]:
    """Return six wells with two wellbores each, one with words that hide and mark, and one that few may see."""
    made = []
    for number, name in enumerate(_NAMES, start=1):
        data = {
            "FacilityName": f"Well {name}",
            "UWI": f"86{number:02}",
            "SpudDate": f"20{10 + number}-03-01",
            "Depth": 1000.0 * number,
            "Active": number % 2 == 0,
        }
        made.append(record(f"opendes:master-data--Well:{number}", WELL, data, place=(56.0 + number, 1.0 + number)))
        for side in ("A", "B"):
            bore = {
                "FacilityName": f"{name} bore {side}",
                "WellID": f"opendes:master-data--Well:{number}:",
                "NameAliases": [{"AliasName": f"{number}/{side}-1"}],
            }
            made.append(record(f"opendes:master-data--Wellbore:{number}{side}", WELLBORE, bore))
    hostile = {"FacilityName": "Odd \u202eWell\u200b <b>name</b>", "Remark": 'quote " and \\ backslash'}
    made.append(record('opendes:master-data--Well:odd"name\\(1)', WELL, hostile))
    hidden = {"FacilityName": "Well Hidden"}
    made.append(record("opendes:master-data--Well:hidden", WELL, hidden, viewers=SECRET_VIEWERS, owners=SECRET_VIEWERS))
    return made


@contextmanager
def indexed(opensearch_url: str, records: Iterable[dict[str, Any]]) -> Iterator[str]:
    """Hold the records in an index of their own while inside."""
    name = f"osdu-{uuid4().hex}"
    with httpx.Client(base_url=opensearch_url, timeout=120, trust_env=False) as client:
        client.put(f"/{name}", json={"settings": {"number_of_replicas": 0}, "mappings": _MAPPINGS}).raise_for_status()
        try:
            lines: list[str] = []
            for each in records:
                lines += (json.dumps({"index": {}}), json.dumps(each))
            for start in range(0, len(lines), 10_000):
                body = "\n".join(lines[start : start + 10_000]) + "\n"
                reply = client.post(f"/{name}/_bulk", content=body, headers={"content-type": "application/x-ndjson"})
                assert not reply.raise_for_status().json()["errors"]
            client.post(f"/{name}/_refresh").raise_for_status()
            yield name
        finally:
            client.delete(f"/{name}")
