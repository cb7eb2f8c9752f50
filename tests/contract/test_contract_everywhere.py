"""Filters, order, facets and pages of search_everywhere over the archive and all indices, on both engines."""

from typing import Any

import pytest

from indexer.errors import PlatformError
from tests.contract.everywhere_team import EverywhereTeam
from tests.contract.shelf import page, paper
from tests.unit.everywhere.everywhere_caller import outcomes


async def failure(call: Any) -> PlatformError:
    with pytest.raises(PlatformError) as raised:
        await call
    return raised.value


async def filled(everywhere: EverywhereTeam) -> None:
    """Fill the archive and two indices with dated documents, of which some have an author and a year."""
    await everywhere.indices.create("other", sortable_fields={"date": "date"})
    await everywhere.shelf.put(
        paper("a/old.md", "A reef of old.", date="2020-01-01", authors=("Ada",), tags=("sea",), language="en"),
        paper(
            "a/new.md", "A reef anew.", date="2024-01-01", authors=("Ada", "Bob"), tags=("sea", "sand"), language="en"
        ),
    )
    await everywhere.indices.fill({"plain": ("A plain reef", {"author": "Bob", "year": 2021}), "bare": "A bare reef"})
    await everywhere.indices.fill({"dated": ("A dated reef", {"date": "2022-06-01", "author": "Ada"})}, "other")


def titles(result: Any) -> list[str]:
    return [hit["title"] for hit in result["results"]]


async def test_filters_hold_in_the_archive_and_in_the_indices_that_know_them(everywhere: EverywhereTeam) -> None:
    await filled(everywhere)
    assert set(titles(await everywhere("reef", filters={"author": "Ada"}))) == {"Old", "New", "dated"}
    assert set(titles(await everywhere("reef", filters={"author": ["Bob"]}))) == {"New", "plain"}
    assert titles(await everywhere("reef", filters={"year": {"gte": 2020}})) == ["plain"]
    assert set(titles(await everywhere("reef", filters={"date": {"gte": "2022-01-01"}}))) == {"New", "dated"}
    result = await everywhere("reef", filters={"author": "Ada", "date": "2020-01-01"})
    assert (titles(result), result["total"]) == (["Old"], 1)
    assert outcomes(result)["archive"]["total"] == 1


async def test_an_index_that_does_not_know_a_field_has_nothing_for_any_filter_on_it(everywhere: EverywhereTeam) -> None:
    await filled(everywhere)
    assert set(titles(await everywhere("reef", filters={"year": {"not": 1999}}))) == {"bare", "plain"}
    assert titles(await everywhere("reef", filters={"year": {"exists": False}})) == ["bare"]


async def test_similar_words_are_found_within_filters_too(everywhere: EverywhereTeam) -> None:
    await everywhere.indices.fill({"a": ("A forest", {"year": 1}), "b": ("A forest", {"year": 2})})
    assert await everywhere.found("forrest", filters={"year": 2}) == ["b"]


async def test_hits_come_by_value_across_all_indices_and_missing_ones_last_by_id(everywhere: EverywhereTeam) -> None:
    await filled(everywhere)
    newest = await everywhere("reef", sort=["-date"])
    assert titles(newest) == ["New", "dated", "Old", "bare", "plain"]
    assert [hit["rank"] for hit in newest["results"]] == [1, 2, 3, 4, 5]
    scores = [hit["score"] for hit in newest["results"]]
    assert scores[0] == 1.0
    assert scores == sorted(scores, reverse=True)
    assert titles(await everywhere("reef", sort=["date"])) == ["Old", "dated", "New", "bare", "plain"]
    assert titles(await everywhere("reef", sort=["-year"]))[0] == "plain"
    assert titles(await everywhere("reef", sort=["author", "-date"])) == ["New", "dated", "Old", "plain", "bare"]


async def test_an_index_without_the_field_of_a_sort_gives_its_documents_by_id(everywhere: EverywhereTeam) -> None:
    await everywhere.shelf.put(paper("a/reef.md", "A reef.", date="2024-01-01"))
    await everywhere.indices.fill({f"d{at:02}": "reef " * (at + 1) for at in range(30)})
    expected = ["Reef", *(f"d{at:02}" for at in range(30))]
    assert titles(await everywhere("reef", sort=["-date"], limit=8)) == expected[:8]
    assert titles(await everywhere("reef", sort=["-date"], limit=8, page=3)) == expected[16:24]


async def test_the_same_document_twice_is_one_result_in_any_order(everywhere: EverywhereTeam) -> None:
    url = "https://example.org/reef"
    await everywhere.shelf.put(
        page(url, "A reef.", date="2024-01-01"), paper("a/b.md", "A reef too.", date="2023-01-01")
    )
    await everywhere.indices.fill({"copy": ("A reef", {"url": url, "date": "2022-01-01"})})
    result = await everywhere("reef", sort=["-date"])
    assert len(result["results"]) == 2
    assert result["results"][0]["also_in"] == [{"source": "indices", "id": "copy", "index_name": "default"}]


async def test_facets_count_the_archive_and_all_indices_together(everywhere: EverywhereTeam) -> None:
    await filled(everywhere)
    result = await everywhere("reef", facets=["author", "tags", "language", "source", "year"])
    assert result["facets"] == {
        "author": [{"value": "Ada", "count": 3}, {"value": "Bob", "count": 2}],
        "tags": [{"value": "sea", "count": 2}, {"value": "sand", "count": 1}],
        "language": [{"value": "en", "count": 2}],
        "source": [{"value": "research", "count": 2}],
        "year": [{"value": 2021, "count": 1}],
    }
    assert (await everywhere("reef"))["facets"] == {}
    assert (await everywhere(" ", facets=["tags"]))["facets"] == {"tags": []}
    narrowed = await everywhere("reef", facets=["author"], filters={"author": "Bob"})
    assert narrowed["facets"]["author"] == [{"value": "Bob", "count": 2}, {"value": "Ada", "count": 1}]


async def test_a_value_that_is_rare_in_each_index_and_frequent_in_all_is_counted_right(
    everywhere: EverywhereTeam,
) -> None:
    for name in ("one", "two"):
        await everywhere.indices.create(name)
        often = {f"{name}{at}": ("A reef", {"tag": [f"{name}-{at // 3}", "x"]}) for at in range(36)}
        seldom = {f"{name}-rare{at}": ("A reef", {"tag": "both"}) for at in range(2)}
        await everywhere.indices.fill(often | seldom, name)
    counts = (await everywhere("reef", facets=["tag"]))["facets"]["tag"]
    assert counts[:2] == [{"value": "x", "count": 72}, {"value": "both", "count": 4}]
    assert [count["value"] for count in counts[2:]] == sorted(f"one-{at}" for at in range(12))[:8]


async def test_a_field_that_nobody_knows_is_refused_with_the_closest_names(everywhere: EverywhereTeam) -> None:
    await filled(everywhere)
    for arguments in ({"filters": {"authr": "Ada"}}, {"sort": ["-authr"]}, {"facets": ["authr"]}):
        error = await failure(everywhere("reef", **arguments))
        assert (error.category, error.details["field"]) == ("validation", "authr")
        assert "author" in error.details["closest"]
    assert titles(await everywhere("reef", filters={"year": 2021}, sources=["archive"])) == []


async def test_sources_that_are_not_ours_are_not_asked_within_filters_or_by_value(everywhere: EverywhereTeam) -> None:
    await filled(everywhere)
    result = await everywhere("reef", sources=["archive", "osdu"], filters={"author": "Ada"}, sort=["-date"])
    assert titles(result) == ["New", "Old"]
    told = outcomes(result)["osdu"]
    assert (told["success"], told["error_category"]) == (False, "not_applicable")
    assert told["error"] == "Not asked: filters and sorting work in the archive and the indices alone"
    assert told["fix"]["required_action"] == "Leave out filters and sort to ask this source too"
    error = await failure(everywhere("reef", sources=["osdu"], sort=["-date"]))
    assert error.category == "not_applicable"


@pytest.mark.parametrize("sort", [None, ["-date"], ["title"]])
async def test_pages_follow_each_other_to_the_end(everywhere: EverywhereTeam, sort: list[str] | None) -> None:
    await everywhere.shelf.put(
        *(paper(f"a/{at:02}.md", f"Reef {at}.", date=f"2020-01-{at + 1:02}") for at in range(12))
    )
    await everywhere.indices.fill(
        {f"i{at:02}": (f"Reef of {at}", {"date": f"2021-01-{at + 1:02}"}) for at in range(13)}
    )
    pages = [await everywhere("reef", sort=sort, limit=10, page=number) for number in range(1, 5)]
    assert [len(each["results"]) for each in pages] == [10, 10, 5, 0]
    assert {each["total"] for each in pages} == {25}
    ids = [hit["id"] for each in pages for hit in each["results"]]
    assert len(set(ids)) == 25
    assert [hit["rank"] for each in pages for hit in each["results"]] == list(range(1, 26))
    assert ids == await everywhere.found("reef", sort=sort, limit=30)


async def test_a_page_too_far_is_refused_with_what_to_do(everywhere: EverywhereTeam) -> None:
    assert (await everywhere("reef", limit=100, page=10))["results"] == []
    error = await failure(everywhere("reef", limit=100, page=11))
    assert error.category == "validation"
    assert "Narrow the search" in error.action


@pytest.mark.parametrize(
    "arguments",
    [{"sort": ["date", "-date"]}, {"sort": [""]}, {"filters": {"date": {"near": 1}}}, {"filters": {"date": None}}],
)
async def test_what_breaks_a_rule_is_refused_before_anybody_is_asked(
    everywhere: EverywhereTeam, arguments: dict[str, Any]
) -> None:
    assert (await failure(everywhere("reef", **arguments))).category == "validation"
