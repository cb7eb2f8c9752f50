"""Shapes on the map: whether they lie in an area, touch it, or are near a point. A place is (longitude, latitude)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from math import asin, cos, hypot, radians, sin, sqrt
from typing import Any, Final

Place = tuple[float, float]
Ring = tuple[Place, ...]
"""The border of an area; its first place is its last."""
_EARTH_RADIUS: Final = 6_371_008.7714


@dataclass(frozen=True, slots=True)
class Shape:
    """Points, lines and areas; holes of areas are left out."""

    lines: tuple[Ring, ...] = ()
    """A point is a line of one place."""
    areas: tuple[Ring, ...] = ()

    @property
    def borders(self) -> tuple[Ring, ...]:
        return self.lines + self.areas


def read_shape(value: Any) -> Shape:
    """Read a geometry of GeoJSON, or an envelope; `ValueError` where it is neither."""
    try:
        match value:
            case {"type": str(kind), "geometries": list(parts)} if kind.lower() == "geometrycollection":
                shapes = [read_shape(part) for part in parts]
                return Shape(sum((each.lines for each in shapes), ()), sum((each.areas for each in shapes), ()))
            case {"type": str(kind), "coordinates": list(coordinates)}:
                return _SHAPES[kind.lower()](coordinates)
            case _:
                raise ValueError("not a geometry")
    except (TypeError, KeyError, IndexError):
        raise ValueError("not a geometry") from None


def is_within(shape: Shape, area: Shape) -> bool:
    """Whether the shape lies in one part of the area."""
    return any(
        all(_contains(ring, place) for border in shape.borders for place in border)
        and not any(_crosses(ring, border) for border in shape.borders)
        for ring in area.areas
    )


def intersects(shape: Shape, other: Shape) -> bool:
    """Whether two shapes have a place in common."""
    return any(
        _crosses(one, two)
        or (one in shape.areas and _contains(one, two[0]))
        or (two in other.areas and _contains(two, one[0]))
        or one[0] == two[0]
        for one in shape.borders
        for two in other.borders
    )


def distance(place: Place, shape: Shape) -> float:
    """Return the metres from a place to the nearest place of a shape."""
    if any(_contains(ring, place) for ring in shape.areas):
        return 0.0
    return min(
        arc_distance(place, border[0])
        if len(border) == 1
        else min(_segment_distance(place, start, end) for start, end in pairwise(border))
        for border in shape.borders
    )


def arc_distance(one: Place, other: Place) -> float:
    """Return the metres between two places, along the surface."""
    (longitude, latitude), (other_longitude, other_latitude) = one, other
    height, width = radians(other_latitude - latitude) / 2, radians(other_longitude - longitude) / 2
    part = sin(height) ** 2 + cos(radians(latitude)) * cos(radians(other_latitude)) * sin(width) ** 2
    return 2 * _EARTH_RADIUS * asin(min(1.0, sqrt(part)))


def _envelope(corners: Any) -> Shape:
    (left, top), (right, bottom) = corners
    return Shape(areas=(_places([(left, top), (right, top), (right, bottom), (left, bottom), (left, top)]),))


def _places(coordinates: Any) -> Ring:
    return tuple((float(longitude), float(latitude)) for longitude, latitude, *_ in coordinates)


_SHAPES: Final[Mapping[str, Callable[[Any], Shape]]] = {
    "point": lambda place: Shape(lines=(_places([place]),)),
    "multipoint": lambda places: Shape(lines=tuple(_places([each]) for each in places)),
    "linestring": lambda line: Shape(lines=(_places(line),)),
    "multilinestring": lambda lines: Shape(lines=tuple(_places(each) for each in lines)),
    "polygon": lambda rings: Shape(areas=(_places(rings[0]),)),
    "multipolygon": lambda polygons: Shape(areas=tuple(_places(rings[0]) for rings in polygons)),
    "envelope": _envelope,
}


def _contains(ring: Ring, place: Place) -> bool:
    """Whether a place lies in the ring or on its border."""
    inside = False
    for start, end in pairwise(ring):
        if _turn(start, end, place) == 0 and _is_between(start, end, place):
            return True
        (left, low), (right, high) = start, end
        if (low > place[1]) != (high > place[1]):
            crossing = left + (place[1] - low) / (high - low) * (right - left)
            inside ^= place[0] < crossing
    return inside


def _crosses(one: Ring, other: Ring) -> bool:
    """Whether two lines cross; those that only touch do not."""
    return any(
        _turn(a, b, c) * _turn(a, b, d) < 0 and _turn(c, d, a) * _turn(c, d, b) < 0
        for a, b in pairwise(one)
        for c, d in pairwise(other)
    )


def _turn(start: Place, end: Place, place: Place) -> float:
    """Positive where the place lies to the left of the line, negative to its right."""
    return (end[0] - start[0]) * (place[1] - start[1]) - (end[1] - start[1]) * (place[0] - start[0])


def _is_between(start: Place, end: Place, place: Place) -> bool:
    return all(min(one, other) <= at <= max(one, other) for one, other, at in zip(start, end, place, strict=True))


def _segment_distance(place: Place, start: Place, end: Place) -> float:
    """Return the metres to a segment, on a plane around the place."""
    scale = radians(1) * _EARTH_RADIUS
    width = scale * cos(radians(place[1]))
    x, y = (start[0] - place[0]) * width, (start[1] - place[1]) * scale
    dx, dy = (end[0] - start[0]) * width, (end[1] - start[1]) * scale
    length = dx * dx + dy * dy
    share = 0.0 if length == 0 else max(0.0, min(1.0, -(x * dx + y * dy) / length))
    return hypot(x + share * dx, y + share * dy)
