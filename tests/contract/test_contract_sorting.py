import random

import pytest

from tests.contract.caller import Caller, Given

DECLARED = {"year": "number", "title": "string", "when": "date", "open": "boolean"}
BOOKS: dict[str, Given] = {
    "a": ("boat", {"year": 2020, "title": "Zebra", "when": "2020-05-20", "open": True}),
    "b": ("boat", {"year": 1999.5, "title": "apple", "when": "2020-05-20T10:00:00+09:00", "open": False}),
    "c": ("boat", {"year": -3, "title": "Ápple", "when": "1960-01-01"}),
    "d": ("boat", {"year": 2020, "title": "apple"}),
    "e": ("boat", {"other": 1}),
    "f": ("lake", {"year": 5}),
}
ORDERS = [
    (["year"], "cbade"),
    (["-year"], "adbce"),
    (["-year", "title"], "adbce"),
    (["title"], "abdce"),
    (["-title"], "cbdae"),
    (["title", "-year"], "adbce"),
    (["when"], "cabde"),
    (["-when"], "bacde"),
    (["open"], "bacde"),
    (["-open", "-year"], "abdce"),
]


@pytest.mark.parametrize("declared", [DECLARED, None], ids=["declared", "undeclared"])
async def test_sorting_puts_missing_values_last_and_ties_by_id(caller: Caller, declared: dict[str, str] | None) -> None:
    await caller.create("sorted", sortable_fields=declared)
    ids = list(BOOKS)
    random.Random(3).shuffle(ids)
    await caller.fill({id_: BOOKS[id_] for id_ in ids}, "sorted")
    for sort, expected in ORDERS:
        assert (sort, "".join(await caller.found("boat", sort=sort, index_name="sorted"))) == (sort, expected)


@pytest.mark.parametrize("declared", [{"n": "number"}, None], ids=["declared", "undeclared"])
async def test_pages_by_field_go_on_where_they_stopped(caller: Caller, declared: dict[str, str] | None) -> None:
    await caller.create("paged", sortable_fields=declared)
    numbers = [random.Random(5).choice([1, 2, 3, None]) for _ in range(25)]
    documents = {f"d{at:02}": ("boat", {"n": n} if n else {"x": 1}) for at, n in enumerate(numbers)}
    await caller.fill(documents, "paged")
    for sort in (["n"], ["-n"]):
        whole = await caller.found("boat", sort=sort, index_name="paged")
        pages = await caller.pages("boat", sort=sort, index_name="paged", k=4)
        assert [hit["doc_id"] for page in pages for hit in page["results"]] == whole
        assert [page["total_matches"] for page in pages] == [25] * 7


async def test_a_page_by_field_that_is_just_full_is_the_last(caller: Caller) -> None:
    await caller.fill({f"d{n}": ("boat", {"n": n}) for n in range(6)})
    pages = await caller.pages("boat", sort=["n"], k=3)
    assert [len(page["results"]) for page in pages] == [3, 3]


@pytest.mark.parametrize("declared", [{"n": "number"}, None], ids=["declared", "undeclared"])
async def test_pages_by_field_stay_right_while_documents_come_and_go(
    caller: Caller, declared: dict[str, str] | None
) -> None:
    await caller.create("moving", sortable_fields=declared)
    await caller.fill({f"d{n:02}": ("boat", {"n": n}) for n in range(20)}, "moving")
    first = await caller.search("boat", sort=["n"], k=5, index_name="moving")
    await caller.delete("d02", index_name="moving")
    await caller.delete("d07", index_name="moving")
    await caller.add("new", "boat", {"n": 8.5}, index_name="moving")
    await caller.add("early", "boat", {"n": 0.5}, index_name="moving")
    second = await caller.search("boat", sort=["n"], k=5, index_name="moving", cursor=first["next_cursor"])
    assert [hit["doc_id"] for hit in second["results"]] == ["d05", "d06", "d08", "new", "d09"]


async def test_unknown_and_doubled_sort_fields_are_failures(caller: Caller) -> None:
    await caller.add("a", "boat", {"year": 1})
    for sort in (["yaer"], ["year", "-year"], [""], ["-"]):
        assert (await caller.failure("boat", sort=sort))["error_category"] == "validation"


async def test_a_declared_field_can_be_sorted_by_before_any_document_has_it(caller: Caller) -> None:
    await caller.create("early", sortable_fields={"year": "number"})
    await caller.fill({"b": "boat", "a": "boat"}, "early")
    assert await caller.found("boat", sort=["-year"], index_name="early") == ["a", "b"]


async def test_whole_numbers_sort_exactly_and_extremes_are_no_trouble(caller: Caller) -> None:
    values = [-1.7e308, -(2.0**53), -1, -0.0, 5e-324, 1, 2.0**53, 1.7e308]
    await caller.create("numbers", sortable_fields={"n": "number"})
    await caller.fill({f"d{at}": ("boat", {"n": n}) for at, n in enumerate(values)}, "numbers")
    expected = [f"d{at}" for at in range(len(values))]
    assert await caller.found("boat", sort=["n"], index_name="numbers") == expected
    assert await caller.found("boat", sort=["-n"], index_name="numbers") == expected[::-1]
    assert await caller.found("boat", filters={"n": {"gt": -1, "lte": 1}}, sort=["n"], index_name="numbers") == [
        "d3",
        "d4",
        "d5",
    ]
