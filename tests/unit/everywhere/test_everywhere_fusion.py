"""Several ranked lists become one."""

from itertools import permutations

import pytest

from mcp_server.content import Content
from mcp_server.features.everywhere.fan_out import Outcome
from mcp_server.features.everywhere.fusion import fuse
from mcp_server.features.everywhere.hits import build_hits
from mcp_server.features.everywhere.results import EverywhereHit
from tests.unit.everywhere.made_sources import finding, outcome

URL = "https://example.org/reef"
DOI = "10.1234/reef"


def fused(outcomes: list[Outcome], limit: int) -> list[EverywhereHit]:
    return build_hits(fuse(outcomes, limit))


def test_the_first_of_each_source_come_before_the_second_of_any() -> None:
    archive = outcome("archive", finding("a1"), finding("a2"))
    osdu = outcome("osdu", finding("o1"), finding("o2"))
    hits = fused([archive, osdu], 10)
    assert [hit["id"] for hit in hits] == ["a1", "o1", "a2", "o2"]
    assert [hit["rank"] for hit in hits] == [1, 2, 3, 4]


def test_equals_go_to_the_source_that_was_asked_first() -> None:
    archive, osdu = outcome("archive", finding("a")), outcome("osdu", finding("o"))
    assert [hit["id"] for hit in fused([osdu, archive], 10)] == ["o", "a"]


def test_equals_that_several_sources_have_go_to_the_one_that_the_first_source_ranks_higher() -> None:
    x, y = "https://example.org/x", "https://example.org/y"
    archive = outcome("archive", finding("ax", x), finding("ay", y))
    osdu = outcome("osdu", finding("oy", y), finding("ox", x))
    hits = fused([archive, osdu], 10)
    assert [(hit["id"], hit["score"]) for hit in hits] == [("ax", 1.0), ("oy", 1.0)]


def test_what_two_sources_agree_on_wins_over_the_first_of_one() -> None:
    archive = outcome("archive", finding("a1"), finding("a2", URL))
    web = outcome("web", finding("w1"), finding("w2"), finding(URL, URL))
    first = fused([archive, web], 10)[0]
    assert (first["source"], first["id"], first["score"]) == ("archive", "a2", 1.0)
    assert first["also_in"] == [{"source": "web", "id": URL}]


def test_scores_fall_from_one_and_are_the_reciprocal_ranks() -> None:
    archive = outcome("archive", finding("a1", URL), finding("a2"))
    osdu = outcome("osdu", finding("o1"), finding("o2", URL))
    hits = fused([archive, osdu], 10)
    both = 1 / 61 + 1 / 62
    assert [(hit["id"], hit["score"]) for hit in hits] == [
        ("a1", 1.0),
        ("o1", round(1 / 61 / both, 4)),
        ("a2", round(1 / 62 / both, 4)),
    ]


@pytest.mark.parametrize(
    "other",
    [
        "http://example.org/reef",
        "https://www.example.org/reef/",
        "https://example.org/reef?utm_source=openai",
        "https://EXAMPLE.org:443/reef#part",
    ],
)
def test_the_same_address_in_another_spelling_is_one_result(other: str) -> None:
    hits = fused([outcome("archive", finding("a", URL)), outcome("web", finding(other, other))], 10)
    assert [hit["id"] for hit in hits] == ["a"]


@pytest.mark.parametrize(
    "other", ["https://example.org/reefs", "https://example.org/reef?id=7", "https://example.com/reef"]
)
def test_another_address_is_another_result(other: str) -> None:
    assert len(fused([outcome("archive", finding("a", URL)), outcome("web", finding(other, other))], 10)) == 2


def test_a_doi_and_its_resolver_s_address_are_one_result() -> None:
    archive = outcome("archive", finding("a", doi=DOI))
    web = outcome("web", finding("w", "https://doi.org/10.1234/REEF"))
    [hit] = fused([archive, web], 10)
    assert (hit["id"], hit["url"]) == ("a", "https://doi.org/10.1234/REEF")


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_two_things_are_one_when_a_third_says_that_it_is_both(order: tuple[int, ...]) -> None:
    findings = [finding("x", URL), finding("y", doi=DOI), finding("z", URL, DOI)]
    names = ("archive", "indices", "osdu")
    hits = fused([outcome(names[place], findings[place]) for place in order], 10)
    assert len(hits) == 1
    assert len(hits[0]["also_in"]) == 2


def test_three_places_in_any_order_weigh_the_same() -> None:
    ranks = {"x": (1, 2, 3), "y": (2, 3, 1), "z": (3, 1, 2)}
    lists = [
        outcome(
            name,
            *(
                finding(each, f"https://example.org/{each}")
                for each in sorted(ranks, key=lambda one: ranks[one][place])
            ),
        )
        for place, name in enumerate(("archive", "osdu", "quilt"))
    ]
    assert [hit["id"] for hit in fused(lists, 10)] == ["x", "z", "y"]


def test_no_order_of_sources_changes_a_score() -> None:
    lists = [
        outcome("archive", finding("a"), finding("x1", URL)),
        outcome("osdu", finding("o"), finding("p"), finding("x2", URL)),
        outcome("quilt", *(finding(f"q{number}") for number in range(6)), finding("x3", URL)),
    ]
    scores = {fused(list(order), 10)[0]["score"] for order in permutations(lists)}
    shown = {tuple(hit["score"] for hit in fused(list(order), 30)) for order in permutations(lists)}
    assert scores == {1.0}
    assert len(shown) == 1


def test_a_source_that_has_a_thing_twice_counts_once() -> None:
    twice = outcome("indices", finding("i1", URL), finding("i2", URL, index_name="more"))
    once = outcome("archive", finding("a"))
    hits = fused([once, twice], 10)
    assert [hit["score"] for hit in hits] == [1.0, 1.0]
    assert hits[1]["also_in"] == [{"source": "indices", "id": "i2", "index_name": "more"}]


def test_similar_words_rank_below_those_asked_for() -> None:
    close = outcome("archive", *(finding(f"c{number}", is_close=True) for number in range(3)))
    exact = outcome("indices", *(finding(f"e{number}") for number in range(9)))
    assert [hit["id"][0] for hit in fused([close, exact], 20)] == ["e"] * 9 + ["c"] * 3


def test_an_address_and_a_snippet_come_from_whoever_has_them() -> None:
    bare = outcome("indices", finding("i", doi=DOI, resource="doc://default/i", index_name="default"))
    full = outcome("archive", finding("a", URL, DOI, snippet="<mark>reef</mark>"))
    [hit] = fused([bare, full], 10)
    assert (hit["source"], hit["id"], hit["index_name"]) == ("indices", "i", "default")
    assert (hit["url"], hit["snippet"]) == (URL, "<mark>reef</mark>")


def test_without_any_address_a_local_document_has_that_of_its_resource() -> None:
    [hit] = fused([outcome("indices", finding("i", resource="doc://default/i"))], 10)
    assert hit["url"] == "doc://default/i"


def test_no_more_results_than_asked_for() -> None:
    assert len(fused([outcome("archive", *(finding(str(number)) for number in range(9)))], 4)) == 4


def test_nothing_found_is_an_empty_list() -> None:
    assert fused([outcome("archive"), outcome("osdu")], 10) == []


def test_the_same_content_in_two_sources_is_one_result_and_in_one_source_two() -> None:
    archive = outcome("archive", finding("a1", content=Content("Same")), finding("a2", content=Content("same")))
    indices = outcome("indices", finding("i1", content=Content("same.")), finding("i2", content=Content("other")))
    hits = {hit["id"]: hit for hit in fused([archive, indices], 10)}
    assert set(hits) == {"a1", "a2", "i2"}
    assert hits["a1"]["also_in"] == [{"source": "indices", "id": "i1"}]


def test_a_text_with_its_title_put_before_it_has_the_same_content_as_without() -> None:
    stored = Content("Notes.txt\n\nA reef, and [fish](https://a.example).", "notes.txt")
    assert stored.equals(Content("a reef and [fish]"))
    assert stored.equals(Content("notes txt: a reef and fish"))
    assert not stored.equals(Content("a reef"))
    assert not stored.equals(Content("another reef and fish"))
    assert Content("Reef", "Reef").equals(Content("reef"))


@pytest.mark.parametrize("text", [" \n", "reef " * 50_000])
def test_a_blank_text_and_a_very_long_one_have_the_content_of_no_other(text: str) -> None:
    assert not Content(text).equals(Content(text))
