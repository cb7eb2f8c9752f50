"""Requests of OSDU's search API as requests to the engine."""

import re
from collections.abc import Sequence
from typing import Any, Final

from app.sandbox.engine.port import Body
from app.sandbox.osdu.nested_queries import text_query

_NESTED_FIELD: Final = re.compile(r"nested\(\s*([\w.]+)\s*,\s*([\w.]+)\s*,\s*(min|max)\s*\)\Z")
_TIE_BREAKER: Final = "id"


def engine_request(body: Body, groups: Sequence[str], *, counts_all: bool, sorts_by_score: bool = True) -> Body:
    """Return the request for the records that a user with these groups may see.

    Records that compare equal are sorted by id, so that pages and cursors have the same order. Old releases of the
    service send options with `_score` that the engine refuses: these do not sort by score.
    """
    request: Body = {
        "size": min(body.get("limit") or 10, 1_000),
        "from": body.get("offset", 0),
        "query": {"bool": {"must": [text_query(body.get("query", ""))], "filter": _filters(body, groups)}},
        "track_total_hits": True if counts_all or body.get("trackTotalCount") else 10_000,
        "sort": _sort(body, sorts_by_score=sorts_by_score),
        "track_scores": True,
    }
    if "returnedFields" in body:
        request["_source"] = {"includes": body["returnedFields"]}
    if "highlightedFields" in body:
        request["highlight"] = {"fields": {field: {} for field in body["highlightedFields"]}}
    if "aggregateBy" in body:
        request["aggs"] = {"by": {"terms": {"field": body["aggregateBy"], "size": 1_000}}}
    return request


def _sort(body: Body, *, sorts_by_score: bool) -> list[Body]:
    if "sort" not in body:
        return [{"_score": {"order": "desc"}}, {_TIE_BREAKER: {"order": "asc"}}]
    pairs = zip(body["sort"]["field"], body["sort"]["order"], strict=True)
    keys = [_sort_key(field, order.lower(), sorts_by_score=sorts_by_score) for field, order in pairs]
    return keys if _TIE_BREAKER in body["sort"]["field"] else [*keys, {_TIE_BREAKER: {"order": "asc"}}]


def _sort_key(field: str, order: str, *, sorts_by_score: bool) -> Body:
    if field == "_score" and sorts_by_score:
        return {field: {"order": order}}
    options: dict[str, Any] = {"order": order, "missing": "_last", "unmapped_type": "keyword"}
    if (nested := _NESTED_FIELD.match(field)) is not None:
        path, name, mode = nested.groups()
        return {f"{path}.{name}": {**options, "mode": mode, "nested": {"path": path}}}
    return {field: options}


def _filters(body: Body, groups: Sequence[str]) -> list[Body]:
    kinds = body["kind"].split(",") if isinstance(body["kind"], str) else body["kind"]
    mine: Body = {"terms": {"acl.owners": list(groups)}}
    if not body.get("queryAsOwner"):
        mine = {"bool": {"should": [mine, {"terms": {"acl.viewers": list(groups)}}]}}
    filters = [mine, {"bool": {"should": [{"wildcard": {"kind": kind}} for kind in kinds]}}]
    return filters + (_spatial(body["spatialFilter"]) if "spatialFilter" in body else [])


def _spatial(spatial: Body) -> list[Body]:
    field = spatial["field"]
    match spatial:
        case {"byBoundingBox": {"topLeft": top_left, "bottomRight": bottom_right}}:
            return [_shape(field, "envelope", [_place(top_left), _place(bottom_right)], "within")]
        case {"byDistance": {"point": point, "distance": metres}}:
            longitude, latitude = _place(point)
            return [{"geo_distance": {"distance": f"{metres}m", field: {"lat": latitude, "lon": longitude}}}]
        case {"byGeoPolygon": {"points": points}}:
            ring = [_place(point) for point in points]
            closed = ring if ring[0] == ring[-1] else [*ring, ring[0]]
            return [_shape(field, "polygon", [closed], "within")]
        case {"byIntersection": {"polygons": polygons}}:
            rings = [[[_place(point) for point in polygon["points"]]] for polygon in polygons]
            return [_shape(field, "multipolygon", rings, "intersects")]
        case _:
            return []  # byWithinPolygon is accepted and not applied, as by the real service


def _shape(field: str, kind: str, coordinates: list[Any], relation: str) -> Body:
    return {"geo_shape": {field: {"shape": {"type": kind, "coordinates": coordinates}, "relation": relation}}}


def _place(point: dict[str, float]) -> list[float]:
    return [point["longitude"], point["latitude"]]
