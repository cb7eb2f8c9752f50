"""The parts of the sandboxes' engine: tokens, dates, shapes and patterns."""

import pytest

from app.sandbox.engine.analysis import terms
from app.sandbox.engine.dates import is_date, milliseconds
from app.sandbox.engine.geometry import arc_distance, distance, intersects, is_within, read_shape
from app.sandbox.engine.patterns import UnsupportedPattern, regular_expression, wildcard
from app.sandbox.engine.source_filter import filtered_response, filtered_source

SQUARE = read_shape({"type": "Polygon", "coordinates": [[[0, 0], [4, 0], [4, 4], [0, 4], [0, 0]]]})


@pytest.mark.parametrize(
    ("text", "standard", "words"),
    [
        ("Well A-1", ["well", "a", "1"], ["well", "a", "1"]),
        (
            "o'neil data.Name 1.5 a_b",
            ["o'neil", "data.name", "1.5", "a_b"],
            ["o", "neil", "data", "name", "1", "5", "a", "b"],
        ),
        ("a1.b 2,5 __", ["a1", "b", "2,5"], ["a1", "b", "2", "5"]),
        ("井戸 éü", ["井", "戸", "éü"], ["井戸", "éü"]),
        ("-", [], []),
    ],
)
def test_text_becomes_the_tokens_of_its_analyzer(text: str, standard: list[str], words: list[str]) -> None:
    assert terms(text, "standard") == standard
    assert terms(text, "words") == words


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("2020-02-01", "2020-02-01T23:59:59.999Z"),
        ("2020-02", "2020-02-01T23:59:59.999Z"),
        ("2020-02-01T10:30", "2020-02-01T10:30:59.999Z"),
        ("2020-02-01T10:30:00.5+01:00", "2020-02-01T09:30:00.500Z"),
        ("2020-02-10||/M", "2020-02-29T23:59:59.999Z"),
        ("2020-01-31||+1M", "2020-02-29"),
        ("2020-02-05||/w", "2020-02-09T23:59:59.999Z"),
    ],
)
def test_the_end_of_a_range_is_the_last_moment(text: str, last: str) -> None:
    assert milliseconds(text, round_up=True) == milliseconds(last)


def test_what_is_no_date_is_refused_and_plain_numbers_are_text() -> None:
    assert milliseconds("86400000") == milliseconds("1970-01-02")
    assert milliseconds("now-1d") < milliseconds("now")
    for text in ("soon", "2020-13-01", "soon||/d", "2020-01-01T25"):
        with pytest.raises(ValueError, match="date"):
            milliseconds(text)
    assert (is_date("2020-01-01"), is_date("2020"), is_date("A34")) == (True, False, False)


def test_shapes_lie_in_areas_touch_them_or_do_not() -> None:
    inside = read_shape({"type": "Polygon", "coordinates": [[[1, 1], [2, 1], [2, 2], [1, 1]]]})
    across = read_shape({"type": "LineString", "coordinates": [[-1, 2], [5, 2]]})
    outside = read_shape({"type": "MultiPoint", "coordinates": [[9, 9], [5, 5]]})
    both = read_shape({"type": "GeometryCollection", "geometries": [{"type": "Point", "coordinates": [1, 1]}]})
    assert [is_within(shape, SQUARE) for shape in (inside, across, outside, both)] == [True, False, False, True]
    assert [intersects(shape, SQUARE) for shape in (inside, across, outside, both)] == [True, True, False, True]
    assert intersects(SQUARE, inside)
    for wrong in ({"type": "Blob", "coordinates": []}, {"type": "Point"}, {"type": "Polygon", "coordinates": [1]}, 5):
        with pytest.raises(ValueError, match="geometry"):
            read_shape(wrong)


def test_distances_are_metres_to_the_nearest_place() -> None:
    assert arc_distance((0, 0), (0, 1)) == pytest.approx(111_195, rel=1e-3)
    assert distance((2, 2), SQUARE) == 0
    assert distance((5, 2), SQUARE) == pytest.approx(111_195, rel=1e-2)


@pytest.mark.parametrize(
    ("pattern", "text", "matches"),
    [("w?ll*", "wells", True), (r"a\*", "a*", True), (r"a\*", "ab", False), ("*", "", True), ("a.c", "abc", False)],
)
def test_wildcards_match_whole_texts(pattern: str, text: str, *, matches: bool) -> None:
    assert (wildcard(pattern).fullmatch(text) is not None) == matches


@pytest.mark.parametrize(
    ("pattern", "text", "matches"),
    [
        ("a(b|c)+", "abcb", True),
        ("a{2,3}", "aaaa", False),
        ("[^a-c]x", "dx", True),
        (r"\d\.\d", "1.5", True),
        ('"a+"b', "a+b", True),
        ("a@", "anything", True),
        ("a#", "a", False),
        ("a$", "a$", True),
    ],
)
def test_regular_expressions_are_lucenes(pattern: str, text: str, *, matches: bool) -> None:
    assert (regular_expression(pattern).fullmatch(text) is not None) == matches


@pytest.mark.parametrize("pattern", ["a&b", "<1-5>", "~a", "*a", "a|", "(", "a{", '"a', "[a"])
def test_what_these_cannot_do_is_said(pattern: str) -> None:
    with pytest.raises(UnsupportedPattern):
        regular_expression(pattern)


def test_parts_of_documents_and_responses_are_chosen_by_path() -> None:
    source = {"a": {"b": 1, "c": [{"d": 2, "e": 3}]}, "f": 4}
    assert filtered_source(source, ["a.b", "a.c.d"]) == {"a": {"b": 1, "c": [{"d": 2}]}}
    assert filtered_source(source, {"includes": ["a"], "excludes": ["a.c.*"]}) == {"a": {"b": 1, "c": [{}]}}
    assert filtered_source(source, wanted=False) == {}
    assert filtered_response({"hits": {"hits": [{"_index": "x", "_id": "y"}]}}, "hits.hits._index") == {
        "hits": {"hits": [{"_index": "x"}]}
    }
