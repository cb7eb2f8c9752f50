"""Records that are cut to fit: each says what was cut, and the page says what to do."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from indexer.search.truncate import truncate_page
from indexer.text.truncate import SizeLimits
from mcp_server.features.osdu.results import OsduRecord
from mcp_server.features.osdu.shortening import shorten_record, size_fix

LIMITS = SizeLimits(characters=20, items=5, highlights=1)


def record(data: dict[str, Any], **more: Any) -> OsduRecord:
    return OsduRecord(id="a:b:1", kind="a:b:c:1.0.0", data=data, createTime=None, **more)


@pytest.mark.parametrize(
    ("data", "shortened"),
    [
        ({"Curve": list(range(6))}, ["data.Curve"]),
        ({"Remark": "x" * 21}, ["data.Remark"]),
        ({f"k{number}": 1 for number in range(6)}, ["data"]),
        ({"x" * 21: 1}, ["data"]),
        ({"Curves": [{"Name": "x" * 21, "Unit": "m"}, {"Name": "y" * 21}]}, ["data.Curves.Name"]),
        ({"Curves": [[1] * 6, [2] * 6]}, ["data.Curves"]),
        ({"A": {"B": {"C": "x" * 21, "D": [1]}}, "E": "y" * 30}, ["data.A.B.C", "data.E"]),
        ({"Curve": ["x" * 21] * 6}, ["data.Curve"]),
    ],
)
def test_a_cut_record_names_what_was_cut(data: dict[str, Any], shortened: list[str]) -> None:
    assert shorten_record(record(data), LIMITS).get("shortened") == shortened


def test_a_record_that_was_not_cut_names_nothing() -> None:
    whole = record({"Curve": [1, 2, 3], "Empty": {}, "None": None}, version=7, more={"legal": {}}, highlight={})
    assert shorten_record(whole, LIMITS) == whole


def test_highlights_and_other_parts_are_named_too() -> None:
    whole = record({}, highlight={"data.Name": ["one", "two"]}, more={"legal": {"legaltags": ["x"] * 6}})
    short = shorten_record(whole, LIMITS)
    assert short["shortened"] == ["highlight.data.Name", "more.legal.legaltags"]
    assert short["highlight"] == {"data.Name": ["one"]}


def test_many_cuts_are_named_by_their_parents() -> None:
    limits = SizeLimits(characters=20, items=50, highlights=1)
    data = {"A": {f"a{n}": "x" * 30 for n in range(20)}, "B": "y" * 30, "C": {"D": {"E": "z" * 30}}}
    assert shorten_record(record(data), limits)["shortened"] == ["data.A", "data.B", "data.C"]
    wide = {f"k{n}": "x" * 30 for n in range(20)}
    assert shorten_record(record(wide, more=wide), limits)["shortened"] == ["data", "more"]


VALUES = st.recursive(
    st.integers() | st.text(max_size=40).map(lambda text: text * 9),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=8,
)


@settings(derandomize=True, deadline=None, database=None, max_examples=60)
@given(st.lists(st.dictionaries(st.text(max_size=5), VALUES, max_size=4), min_size=1, max_size=6))
def test_with_the_names_of_what_was_cut_a_page_still_fits(contents: list[dict[str, Any]]) -> None:
    long = [data | {"Curve": list(range(600))} for data in contents]
    page = truncate_page([record(data) for data in long], 1_000, shorten_record)
    assert page.truncated
    assert len(json.dumps(page.hits)) <= 1_000
    for whole, shown in zip(long, page.hits, strict=False):
        assert ("shortened" in shown) == (shown["data"] != whole)
        assert len(shown.get("shortened", [])) <= 10


def test_the_fix_names_the_arguments_that_help() -> None:
    whole, cut = record({}), record({}, shortened=["data.Curve"])
    only_cut = size_fix([whole, cut], 2, 20_000)["required_action"]
    assert "max_chars=20000" in only_cut
    assert "larger max_chars" in only_cut
    assert "returned_fields" in only_cut
    assert "shortened" in only_cut
    assert "next_cursor" not in only_cut
    left = size_fix([whole], 3, 1_000)["required_action"]
    assert left.startswith("Read on with next_cursor, or call again with a larger max_chars")
    assert left.endswith("1 of 3 records fit into max_chars=1000")
    assert size_fix([cut], 3, 1_000)["required_action"].endswith("max_chars=1000, some of them shortened")
