"""OSDU's requests on a real OpenSearch: a wrong request shows as a wrong result."""

import json
from collections.abc import Sequence
from typing import Any

import aiohttp

from tests.upstreams.osdu_records import GEO
from tests.upstreams.osdu_rules import Refused

SCROLL = "5m"


class Engine:
    """Runs the queries of one partition's index."""

    def __init__(self, session: aiohttp.ClientSession, url: str, index: str) -> None:
        self._session = session
        self._url = url
        self._index = index
        self.sorts_by_score = True
        """Whether `_score` may be sorted by; old releases send the engine options with it that it refuses."""

    async def search(self, body: dict[str, Any], groups: Sequence[str], *, scroll: bool) -> dict[str, Any]:
        """Return a page, with the engine's scroll id where asked for."""
        request: dict[str, Any] = {
            "size": min(body.get("limit") or 10, 1_000),
            "query": {"bool": {"must": [_text(body)], "filter": _filters(body, groups)}},
            "track_total_hits": True if scroll or body.get("trackTotalCount") else 10_000,
            "_source": {"excludes": [GEO]},
        }
        if not scroll:
            request["from"] = body.get("offset", 0)
        if "returnedFields" in body:
            request["_source"]["includes"] = body["returnedFields"]
        if "sort" in body:
            pairs = zip(body["sort"]["field"], body["sort"]["order"], strict=True)
            request["sort"] = [{field: self._sort_options(field, order)} for field, order in pairs]
        elif scroll:
            request["sort"] = [{"_score": "desc"}, {"_doc": "asc"}]
        if "highlightedFields" in body:
            request["highlight"] = {"fields": {field: {} for field in body["highlightedFields"]}}
        if "aggregateBy" in body:
            request["aggs"] = {"by": {"terms": {"field": body["aggregateBy"], "size": 1_000}}}
        address = f"/{self._index}/_search" + (f"?scroll={SCROLL}" if scroll else "")
        return await self._ask(address, request)

    def _sort_options(self, field: str, order: str) -> dict[str, str]:
        if field == "_score" and self.sorts_by_score:
            return {"order": order.lower()}
        return {"order": order.lower(), "missing": "_last", "unmapped_type": "keyword"}

    async def scroll(self, scroll_id: str) -> dict[str, Any]:
        return await self._ask("/_search/scroll", {"scroll": SCROLL, "scroll_id": scroll_id})

    async def drop(self, scroll_id: str) -> None:
        async with self._session.delete(self._url + "/_search/scroll", json={"scroll_id": scroll_id}):
            return

    async def _ask(self, address: str, request: dict[str, Any]) -> dict[str, Any]:
        async with self._session.post(self._url + address, json=request) as reply:
            answer: dict[str, Any] = await reply.json()
            if reply.status >= 400:
                # The real service repeats what it was given, too.
                told = json.dumps(answer["error"]["root_cause"][0].get("reason", ""), ensure_ascii=False)
                raise Refused(400, "Bad Request", f"Invalid parameters were given on search request: {told}")
            return answer


def _text(body: dict[str, Any]) -> dict[str, Any]:
    query = body.get("query", "").strip()
    return {"query_string": {"query": query}} if query else {"match_all": {}}


def _filters(body: dict[str, Any], groups: Sequence[str]) -> list[dict[str, Any]]:
    kinds = body["kind"].split(",") if isinstance(body["kind"], str) else body["kind"]
    mine: dict[str, Any] = {"terms": {"acl.owners": list(groups)}}
    if not body.get("queryAsOwner"):
        mine = {"bool": {"should": [mine, {"terms": {"acl.viewers": list(groups)}}]}}
    filters = [mine, {"bool": {"should": [{"wildcard": {"kind": kind}} for kind in kinds]}}]
    if "spatialFilter" in body:
        filters += _spatial(body["spatialFilter"])
    return filters


def _spatial(spatial: dict[str, Any]) -> list[dict[str, Any]]:
    match spatial:
        case {"byBoundingBox": box}:
            corners = {"top_left": _place(box["topLeft"]), "bottom_right": _place(box["bottomRight"])}
            return [{"geo_bounding_box": {GEO: corners}}]
        case {"byDistance": near}:
            return [{"geo_distance": {"distance": f"{near['distance']}m", GEO: _place(near["point"])}}]
        case {"byGeoPolygon": polygon}:
            return [{"geo_polygon": {GEO: {"points": [_place(point) for point in polygon["points"]]}}}]
        case {"byIntersection": several}:
            polygons = [[[[p["longitude"], p["latitude"]] for p in each["points"]]] for each in several["polygons"]]
            shape = {"type": "multipolygon", "coordinates": polygons}
            return [{"geo_shape": {GEO: {"shape": shape, "relation": "intersects"}}}]
        case _:
            return []  # byWithinPolygon: accepted and not applied, as the service does


def _place(point: dict[str, float]) -> dict[str, float]:
    return {"lat": point["latitude"], "lon": point["longitude"]}
