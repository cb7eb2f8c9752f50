import json

from indexer.local.results import SearchResult
from tests.contract.caller import Caller


def shown(pages: list[SearchResult]) -> list[str]:
    return [hit["doc_id"] for page in pages for hit in page["results"]]


def ranked(count: int) -> dict[str, str]:
    """Documents that rank in the order of their ids."""
    return {f"d{n:03}": "boat " * (count - n) + "lake " * n for n in range(count)}


async def test_pages_by_score_hold_each_hit_once_in_order(caller: Caller) -> None:
    await caller.fill(ranked(23))
    whole = await caller.found("boat")
    for k in (1, 4, 22, 23):
        pages = await caller.pages("boat", k=k)
        assert shown(pages) == whole
        assert [page["total_matches"] for page in pages] == [23] * len(pages)
        assert len(pages) == -(-23 // k)


async def test_the_number_of_results_may_change_from_page_to_page(caller: Caller) -> None:
    await caller.fill(ranked(10))
    first = await caller.search("boat", k=2)
    second = await caller.search("boat", k=5, cursor=first["next_cursor"])
    third = await caller.search("boat", k=100, cursor=second["next_cursor"])
    assert shown([first, second, third]) == await caller.found("boat")
    assert third["next_cursor"] is None


async def test_a_cursor_can_be_used_twice(caller: Caller) -> None:
    await caller.fill(ranked(9))
    first = await caller.search("boat", k=3)
    again = [await caller.search("boat", k=3, cursor=first["next_cursor"]) for _ in range(2)]
    assert shown(again[:1]) == shown(again[1:])
    more = [await caller.search("boat", k=3, cursor=page["next_cursor"]) for page in again]
    assert shown(more[:1]) == shown(more[1:])


async def test_pages_after_the_first_are_frozen_while_documents_come_and_go(caller: Caller) -> None:
    await caller.fill(ranked(20))
    whole = await caller.found("boat")
    first = await caller.search("boat", k=5)
    second = await caller.search("boat", k=5, cursor=first["next_cursor"])
    await caller.add("new", "boat boat boat")
    await caller.delete(whole[11])
    await caller.add(whole[0], "boat lake lake lake lake")
    third = await caller.search("boat", k=5, cursor=second["next_cursor"])
    fourth = await caller.search("boat", k=50, cursor=third["next_cursor"])
    assert shown([first, second, third, fourth]) == whole
    assert fourth["next_cursor"] is None
    assert {page["total_matches"] for page in (first, second, third, fourth)} == {20}


async def test_what_a_first_page_showed_never_comes_again(caller: Caller) -> None:
    await caller.fill(ranked(12))
    first = await caller.search("boat", k=4)
    for id_ in shown([first]):
        await caller.add(id_, "boat " + "lake " * 50)
    await caller.add("new", "boat boat boat")
    pages = [first]
    while pages[-1]["next_cursor"]:
        pages.append(await caller.search("boat", k=4, cursor=pages[-1]["next_cursor"]))
    assert len(shown(pages)) == len(set(shown(pages)))
    assert set(shown(pages)) == {*ranked(12), "new"}


async def test_long_ids_and_big_pages_go_on_too(caller: Caller) -> None:
    documents = {f"{n:04}" + "é" * 250: "boat" for n in range(30)}
    await caller.fill(documents)
    assert sorted(shown(await caller.pages("boat", k=20))) == sorted(documents)
    await caller.create("many")
    await caller.fill({f"d{n:03}": "boat" for n in range(300)}, "many")
    pages = await caller.pages("boat", k=140, index_name="many")
    assert [len(page["results"]) for page in pages] == [140, 140, 20]
    assert len(set(shown(pages))) == 300
    assert all(len(page["next_cursor"] or "") < 8_000 for page in pages)
    cut = await caller.pages("boat", k=300, index_name="many", detail="ids", max_chars=20_000)
    assert len(cut[0]["results"]) > 100
    assert sorted(shown(cut)) == [f"d{n:03}" for n in range(300)]
    assert all(len(page["next_cursor"] or "") < 1_000 for page in cut)


async def test_paging_goes_past_ten_thousand_hits(caller: Caller) -> None:
    await caller.create("big", tokenizer={"language": "none"}, sortable_fields={"n": "number"})
    count = 10_500
    await caller.fill({f"d{n:05}": (f"boat w{n % 7}", {"n": -n, "m": n}) for n in range(count)}, "big")
    pages = await caller.pages("boat", k=1_000, index_name="big")
    assert [page["total_matches"] for page in pages] == [count] * 11
    assert sorted(shown(pages)) == [f"d{n:05}" for n in range(count)]
    by_field = await caller.pages("boat", k=1_000, index_name="big", sort=["n"])
    assert shown(by_field) == [f"d{n:05}" for n in reversed(range(count))]
    failure = await caller.failure("boat", index_name="big", sort=["m"])
    assert failure["error_category"] == "validation"
    assert "sortable_fields" in failure["fix"]["required_action"]
    few = await caller.search("w3", index_name="big", sort=["m"], k=2)
    assert shown([few]) == ["d00003", "d00010"]
    described = await caller.search("*", index_name="big", facets=["n"], k=1)
    assert described["total_matches"] == count
    assert described["facets"]["n"][0] == {"value": -count + 1, "count": 1}


async def test_a_made_up_cursor_is_a_failure_that_says_to_search_again(caller: Caller) -> None:
    await caller.fill(ranked(3))
    for cursor in ("", "x", "AAAA", "é", "eyJhIjoxfQ", "A" * 100_000):
        failure = await caller.failure("boat", cursor=cursor)
        assert failure["error_category"] == "validation"
        assert "Search again" in failure["fix"]["required_action"]


async def test_a_cursor_is_bound_to_its_search_and_team(caller: Caller, other: Caller) -> None:
    await caller.fill({id_: (text, {"x": 1}) for id_, text in ranked(6).items()})
    await other.fill({id_: (text, {"x": 1}) for id_, text in ranked(6).items()})
    await caller.create("notes")
    cursor = (await caller.search("boat", k=2))["next_cursor"]
    assert cursor is not None
    for arguments in (
        {"query": "boats"},
        {"query": "boat", "filters": {"x": 1}},
        {"query": "boat", "sort": ["x"]},
        {"query": "boat", "fuzzy": True},
        {"query": "boat", "index_name": "notes"},
    ):
        failure = await caller.failure(**arguments, cursor=cursor)
        assert failure["error_category"] == "validation"
        assert "search again" in failure["fix"]["required_action"]
    assert (await other.failure("boat", cursor=cursor))["error_category"] == "validation"
    view = (await caller.search("boat", k=2, cursor=cursor))["next_cursor"]
    assert (await other.failure("boat", cursor=view))["error_category"] == "validation"


async def test_a_cursor_into_a_deleted_index_has_expired(caller: Caller) -> None:
    await caller.create("notes")
    await caller.fill(ranked(9), "notes")
    first = await caller.search("boat", k=2, index_name="notes")
    second = await caller.search("boat", k=2, index_name="notes", cursor=first["next_cursor"])
    await caller.drop("notes")
    await caller.create("notes")
    await caller.fill(ranked(9), "notes")
    failure = await caller.failure("boat", k=2, index_name="notes", cursor=second["next_cursor"])
    assert failure["error_category"] == "validation"
    assert "Search again" in failure["fix"]["required_action"]


async def test_max_chars_bounds_the_results_and_the_cursor_goes_on(caller: Caller) -> None:
    documents = {f"d{n:02}": ("boat " * (40 - n), {"text": "x" * 400, "n": n}) for n in range(30)}
    await caller.fill(documents)
    for arguments in ({}, {"sort": ["n"]}):
        whole = await caller.found("boat", **arguments)
        pages = await caller.pages("boat", k=30, max_chars=3_000, **arguments)
        assert shown(pages) == whole
        assert len(pages) > 2
        assert all(len(json.dumps(page["results"])) <= 3_000 for page in pages)
        assert pages[0]["truncated"] is True
        assert [page["total_matches"] for page in pages] == [30] * len(pages)


async def test_a_last_page_that_does_not_fit_goes_on_too(caller: Caller) -> None:
    await caller.fill({f"d{n:02}": ("boat " * (40 - n), {"text": "x" * 150}) for n in range(20)})
    whole = await caller.found("boat")
    first = await caller.search("boat", k=4)
    pages = [first]
    while pages[-1]["next_cursor"]:
        pages.append(await caller.search("boat", k=50, max_chars=1_500, cursor=pages[-1]["next_cursor"]))
    assert shown(pages) == whole
    assert len(pages) > 3


async def test_matches_that_arrive_before_a_last_page_are_on_further_ones(caller: Caller) -> None:
    await caller.fill(ranked(6))
    first = await caller.search("boat", k=4)
    await caller.fill({f"new{n}": "boat" for n in range(5)})
    pages = [first]
    while pages[-1]["next_cursor"]:
        pages.append(await caller.search("boat", k=4, cursor=pages[-1]["next_cursor"]))
    assert len(shown(pages)) == len(set(shown(pages))) == 11


async def test_one_huge_hit_is_shortened_and_paging_goes_on(caller: Caller) -> None:
    await caller.fill({f"d{n}": ("boat", {f"k{m}": "y" * 300 for m in range(100)}) for n in range(3)})
    pages = await caller.pages("boat", max_chars=1_000)
    assert all(len(json.dumps(page["results"])) <= 1_000 for page in pages)
    assert sorted(shown(pages)) == ["d0", "d1", "d2"]
    assert all(page["truncated"] for page in pages)


async def test_without_max_chars_nothing_is_shortened(caller: Caller) -> None:
    await caller.add("one", "boat", {"text": "x" * 50_000})
    result = await caller.search("boat")
    assert result["truncated"] is False
    assert result["results"][0]["metadata"] == {"text": "x" * 50_000}
