"""What OSDU's search service refuses, with the shapes of its errors."""

import re
from typing import Any, Final

from aiohttp import web

_KIND: Final = re.compile(r"[\w\-.*]+:[\w\-.*]+:[\w\-.*]+:[\w\-.*]+\Z")
_COMMON: Final[dict[str, tuple[type, ...]]] = {
    "kind": (str, list),
    "query": (str,),
    "limit": (int,),
    "sort": (dict,),
    "returnedFields": (list,),
    "highlightedFields": (list,),
    "trackTotalCount": (bool,),
    "queryAsOwner": (bool,),
    "spatialFilter": (dict,),
}
_PAGE_ONLY: Final[dict[str, tuple[type, ...]]] = {"offset": (int,), "aggregateBy": (str,)}
_CURSOR_ONLY: Final[dict[str, tuple[type, ...]]] = {"cursor": (str,)}
_SHAPES: Final = ("byBoundingBox", "byDistance", "byGeoPolygon", "byIntersection", "byWithinPolygon")


class Refused(Exception):
    """The service refuses a request with this status and these texts."""

    def __init__(self, code: int, reason: str, message: str, errors: list[str] | None = None) -> None:
        super().__init__(message)
        self.body: dict[str, Any] = {"code": code, "reason": reason, "message": message}
        if errors:
            self.body["errors"] = errors

    def response(self) -> web.Response:
        return web.json_response(self.body, status=self.body["code"])


def bad(message: str) -> Refused:
    """Return the refusal of a request that breaks a rule."""
    return Refused(400, "Validation error.", '{"errors":["' + message + '"]}', [message])


def check_body(body: Any, *, with_cursor: bool) -> None:
    """Refuse a body as the service would."""
    if not isinstance(body, dict):
        raise bad("Request body must be an object")
    _check_types(body, _COMMON | (_CURSOR_ONLY if with_cursor else _PAGE_ONLY))
    _check_kind(body.get("kind"))
    _check_window(body.get("limit", 0), body.get("offset", 0))
    for name in ("returnedFields", "highlightedFields"):
        if not all(isinstance(field, str) and field for field in body.get(name, [])):
            raise bad(f"Invalid {name}")
    if body.get("aggregateBy", "").startswith("nested("):
        raise bad("this sandbox does not aggregate by nested fields")
    if "sort" in body:
        _check_sort(body["sort"])
    if "spatialFilter" in body:
        try:
            _check_spatial(body["spatialFilter"])
        except (AttributeError, KeyError, TypeError):
            raise bad("Invalid spatialFilter") from None


def _check_types(body: dict[str, Any], allowed: dict[str, tuple[type, ...]]) -> None:
    for name, value in body.items():
        if name not in allowed:
            raise bad(f'Unrecognized field "{name}"')
        if not isinstance(value, allowed[name]) or (isinstance(value, bool) and bool not in allowed[name]):
            raise bad(f"Invalid type of {name}")


def _check_window(limit: int, offset: int) -> None:
    if limit < 0 or offset < 0:
        raise bad("'limit' and 'offset' must be equal or greater than 0")
    if offset + min(limit or 10, 1000) > 10_000:
        raise bad("offset + limit must be less than or equal to 10,000")


def _check_kind(kind: Any) -> None:
    kinds = kind.split(",") if isinstance(kind, str) else kind
    if not kinds or not all(isinstance(each, str) and _KIND.match(each) for each in kinds):
        raise bad("Not a valid record kind. Found: kind")
    if sum(len(each) for each in kinds) > 3_840:
        raise bad("kind is too long")


def _check_sort(sort: dict[str, Any]) -> None:
    fields, orders = sort.get("field"), sort.get("order")
    if set(sort) != {"field", "order"} or not isinstance(fields, list) or not isinstance(orders, list):
        raise bad("'sort' needs 'field' and 'order'")
    if (
        not fields
        or len(fields) != len(orders)
        or not all(isinstance(each, str) and each for each in (*fields, *orders))
    ):
        raise bad("'sort.field' and 'sort.order' size do not match")
    if not set(orders) <= {"ASC", "DESC"}:
        raise bad("Not a valid order option. It can only be either 'ASC' or 'DESC'")


def _check_spatial(spatial: dict[str, Any]) -> None:
    given = [name for name in _SHAPES if name in spatial]
    if not spatial.get("field") or len(given) != 1 or set(spatial) != {"field", *given}:
        raise bad("spatialFilter needs 'field' and exactly one shape")
    shape = spatial[given[0]]
    match given[0]:
        case "byBoundingBox":
            top_left, bottom_right = _point(shape["topLeft"]), _point(shape["bottomRight"])
            if top_left[0] <= bottom_right[0] or top_left[1] >= bottom_right[1]:
                raise bad("top corner is below bottom corner or left is right of right")
        case "byDistance":
            _point(shape["point"])
            if not shape["distance"] > 0:
                raise bad("'distance' must be greater than 0")
        case "byGeoPolygon" | "byWithinPolygon":
            if len([_point(each) for each in shape["points"]]) < 3:
                raise bad("too few points defined for geo polygon query")
        case _:
            for polygon in shape["polygons"]:
                points = [_point(each) for each in polygon["points"]]
                if len(points) < 4 or points[0] != points[-1]:
                    raise bad("polygons must be closed and have at least 4 points")


def _point(given: dict[str, Any]) -> tuple[float, float]:
    if set(given) != {"latitude", "longitude"}:
        raise bad("Invalid point")
    latitude, longitude = given["latitude"], given["longitude"]
    if not -90 <= latitude <= 90 or not -180 <= longitude <= 180:
        raise bad("'latitude' or 'longitude' out of range")
    return latitude, longitude
