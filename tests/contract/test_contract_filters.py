from typing import Any

import pytest

from tests.contract.caller import Caller, Given

BOOKS: dict[str, Given] = {
    "a": ("boat", {"year": 2020, "author": "Smith", "tags": ["red", "blue"], "open": True, "when": "2020-05-20"}),
    "b": ("boat", {"year": 2020.5, "author": "smith", "tags": "red", "open": False, "when": "2020-05-20T10:00:00Z"}),
    "c": ("boat", {"year": "2020", "author": "Smith Jones", "when": "2020-05-21T00:30:00+02:00"}),
    "d": ("boat", {"year": [1999, 2021], "author": None, "deep": {"year": 2020}, "when": "later"}),
    "e": "boat",
}

CASES: list[tuple[dict[str, Any], str | None]] = [
    ({"year": 2020}, "a"),
    ({"year": 2020.0}, "a"),
    ({"year": "2020"}, "c"),
    ({"year": [2020, "2020"]}, "ac"),
    ({"year": 2021}, "d"),
    ({"year": {"gte": 2020}}, "abd"),
    ({"year": {"gt": 2020}}, "bd"),
    ({"year": {"lt": 2020}}, "d"),
    ({"year": {"gte": 2020, "lt": 2021}}, "ab"),
    ({"year": {"gte": 2000, "lte": 2010}}, ""),
    ({"year": {"gte": 3000, "lte": 2000}}, ""),
    ({"author": "Smith"}, "a"),
    ({"author": "SMITH"}, ""),
    ({"author": ["Smith", "smith"]}, "ab"),
    ({"author": {"prefix": "Smith"}}, "ac"),
    ({"author": {"gte": "Smith", "lt": "T"}}, "ac"),
    ({"author": {"exists": True}}, "abc"),
    ({"author": {"exists": False}}, "de"),
    ({"author": {"not": "Smith"}}, "bcde"),
    ({"author": {"not": ["Smith", "smith"]}}, "cde"),
    ({"tags": "red"}, "ab"),
    ({"tags": "blue"}, "a"),
    ({"tags": {"not": "blue"}}, "bcde"),
    ({"open": True}, "a"),
    ({"open": False}, "b"),
    ({"open": {"not": True}}, "bcde"),
    ({"open": 1}, ""),
    ({"open": "true"}, ""),
    ({"when": "2020-05-20"}, "abc"),
    ({"when": "2020-05-20T10:00:00Z"}, "b"),
    ({"when": "2020-05-20T12:00:00+02:00"}, "b"),
    ({"when": "2020-05-20T10:00:00"}, "b"),
    ({"when": {"gte": "2020-05-20", "lte": "2020-05-20"}}, "abc"),
    ({"when": {"gt": "2020-05-20"}}, ""),
    ({"when": {"lt": "2020-05-20T12:00:00Z"}}, "ab"),
    ({"when": {"gte": "2020-05-20T10:00:00Z"}}, "bc"),
    ({"when": "later"}, "d"),
    ({"year": 2020, "author": "smith"}, ""),
    ({"year": {"gte": 2000}, "open": False}, "b"),
    ({"deep": {"exists": True}}, None),
]


async def test_filters_compare_by_type(caller: Caller) -> None:
    await caller.fill(BOOKS)
    for filters, expected in CASES:
        if expected is None:
            assert (await caller.failure("boat", filters=filters))["error_category"] == "validation"
            continue
        for query in ("boat", "*", "-harbour"):
            assert (query, filters, await caller.matching(query, filters=filters)) == (query, filters, set(expected))


async def test_filters_do_not_change_scores(caller: Caller) -> None:
    await caller.fill({"a": ("boat", {"x": 1}), "b": ("boat and harbour", {"x": 1}), "c": ("lake", {"x": 2})})
    plain = (await caller.search("boat harbour"))["results"]
    filtered = (await caller.search("boat harbour", filters={"x": {"gte": 1}}))["results"]
    assert [hit["doc_id"] for hit in filtered] == ["b", "a"]
    assert [hit["score"] for hit in filtered] == pytest.approx([hit["score"] for hit in plain])


async def test_an_unknown_field_comes_with_the_closest_names(caller: Caller) -> None:
    await caller.fill(BOOKS)
    for arguments in ({"filters": {"autor": "Smith"}}, {"sort": ["-autor"]}, {"facets": ["autor"]}):
        failure = await caller.failure("boat", **arguments)
        assert failure["error_category"] == "validation"
        assert "autor" in failure["error"]
        assert failure["details"]["closest"] == ["author"]


async def test_a_field_that_has_just_arrived_is_known(caller: Caller) -> None:
    await caller.add("a", "boat", {"year": 2020})
    assert await caller.matching("boat", filters={"year": 2020}) == {"a"}
    await caller.add("b", "boat", {"author": "Smith"})
    assert await caller.matching("boat", filters={"author": "Smith"}) == {"b"}


async def test_an_empty_index_knows_no_wrong_fields(caller: Caller) -> None:
    assert await caller.matching("boat", filters={"author": "Smith"}, sort=["x"], facets=["y"]) == set()
    await caller.add("a", "boat", {"author": "Smith"})
    await caller.delete("a")
    assert await caller.matching("boat", filters={"year": 1}) == set()


async def test_a_document_of_another_type_is_accepted_and_only_skipped(caller: Caller) -> None:
    await caller.create("typed", sortable_fields={"year": "number"})
    await caller.fill({"a": ("boat", {"year": 2020}), "b": ("boat", {"year": "soon"})}, "typed")
    assert await caller.matching("boat", filters={"year": {"gte": 0}}, index_name="typed") == {"a"}
    assert await caller.matching("boat", filters={"year": "soon"}, index_name="typed") == {"b"}
    assert await caller.found("boat", sort=["-year"], index_name="typed") == ["a", "b"]


WRONG: list[object] = [
    None,
    [],
    {},
    [None],
    [[1]],
    {"gte": 1, "exists": True},
    {"gte": 1, "lt": "x"},
    {"gte": True},
    {"like": "x"},
    {"not": {"gte": 1}},
    {"exists": 1},
    {"prefix": 1},
    float("inf"),
    10**400,
    "\ud800",
    {"deep": {"er": 1}},
]


async def test_a_filter_of_a_wrong_shape_says_what_is_allowed(caller: Caller) -> None:
    await caller.add("a", "boat", {"year": 2020})
    for condition in WRONG:
        failure = await caller.failure("boat", filters={"year": condition})
        assert failure["error_category"] == "validation"
        assert len(failure["fix"]["required_action"]) > 10


async def test_there_may_be_32_filters(caller: Caller) -> None:
    await caller.add("a", "boat", {f"f{n}": n for n in range(33)})
    assert await caller.matching("boat", filters={f"f{n}": n for n in range(32)}) == {"a"}
    failure = await caller.failure("boat", filters={f"f{n}": n for n in range(33)})
    assert failure["error_category"] == "validation"


async def test_strange_field_names_can_be_filtered_by(caller: Caller) -> None:
    names = ["a.b", "a b", "a*", "ключ", "😀", "a:b", 'q"', "a\\b", "a/b", "%41", "x" * 256, "-minus", "_id", "kv"]
    await caller.fill({f"d{at}": ("boat", {name: at}) for at, name in enumerate(names)})
    for at, name in enumerate(names):
        assert await caller.matching("boat", filters={name: at}) == {f"d{at}"}
        assert (await caller.search("boat", facets=[name]))["facets"][name] == [{"value": at, "count": 1}]


async def test_long_strings_are_compared_whole(caller: Caller) -> None:
    long = "x" * 3_000
    await caller.fill({"a": ("boat", {"t": long + "a"}), "b": ("boat", {"t": long + "b"})})
    assert await caller.matching("boat", filters={"t": long + "a"}) == {"a"}
    assert await caller.matching("boat", filters={"t": long}) == set()
    assert await caller.matching("boat", filters={"t": {"prefix": "x" * 200}}) == {"a", "b"}
