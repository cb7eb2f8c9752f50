import pytest

from tests.contract.caller import Caller


async def test_fuzzy_words_may_differ_by_one_edit_from_four_letters_and_two_from_eight(caller: Caller) -> None:
    await caller.fill({"boat": "boat", "harbour": "harbour", "lighthouse": "lighthouse", "sea": "sea"})
    for query, expected in [
        ("baot", {"boat"}),
        ("bost", {"boat"}),
        ("boatt", {"boat"}),
        ("oat", set()),
        ("bxxt", set()),
        ("se", set()),
        ("see", set()),
        ("habrour", {"harbour"}),
        ("haxxour", set()),
        ("lihgthuose", {"lighthouse"}),
        ("lihgthuoxe", set()),
    ]:
        assert (query, await caller.matching(query, fuzzy=True)) == (query, expected)
        assert (query, await caller.matching(query)) == (query, set())


async def test_a_word_that_occurs_is_never_expanded(caller: Caller) -> None:
    await caller.fill({"otter": "an otter trawl", "other": "some other net", "outer": "the outer trawl"})
    found = await caller.search("otter", fuzzy=True)
    assert [(hit["doc_id"], hit["matched"]) for hit in found["results"]] == [("otter", "exact")]
    assert found["query_parsed"]["corrected"] == {}
    assert await caller.matching("otters +trawl", fuzzy=True) == {"otter", "outer"}
    assert await caller.matching("+otters trawl", fuzzy=True) == {"otter"}


async def test_a_word_that_occurs_nowhere_is_replaced_and_ranks_as_its_correction_would(caller: Caller) -> None:
    await caller.fill(
        {
            "much": "python python python",
            "some": "python and a few other words about boats",
            "none": "boats and nets and other words",
        }
    )
    misspelt = await caller.search("pyhton boats", fuzzy=True)
    right = await caller.search("python boats")
    assert misspelt["query_parsed"]["corrected"] == {"pyhton": ["python"]}
    assert misspelt["query_parsed"]["terms"] == ["pyhton", "boats"]
    assert [hit["score"] for hit in misspelt["results"]] == pytest.approx([hit["score"] for hit in right["results"]])
    assert {hit["doc_id"]: hit["matched"] for hit in misspelt["results"]} == {
        "much": "fuzzy",
        "some": "exact",
        "none": "exact",
    }


async def test_a_required_word_that_occurs_nowhere_is_corrected_and_still_required(caller: Caller) -> None:
    await caller.fill({"one": "python boats", "two": "boats"})
    found = await caller.search("+pyhton boats", fuzzy=True)
    assert [(hit["doc_id"], hit["matched"]) for hit in found["results"]] == [("one", "fuzzy")]
    assert await caller.matching("+pyhton boats") == set()


async def test_a_correction_that_only_ranks_leaves_hits_exact(caller: Caller) -> None:
    await caller.fill({"one": "boats", "two": "python boats"})
    found = await caller.search("+boats pyhton", fuzzy=True)
    assert [(hit["doc_id"], hit["matched"]) for hit in found["results"]] == [("two", "exact"), ("one", "exact")]


async def test_equally_likely_corrections_are_all_searched(caller: Caller) -> None:
    await caller.fill({"a": "boat", "b": "goat", "c": "moats", "d": "float"})
    found = await caller.search("xoat", fuzzy=True)
    assert found["query_parsed"]["corrected"] == {"xoat": ["boat", "goat"]}
    assert {hit["doc_id"] for hit in found["results"]} == {"a", "b"}


async def test_phrases_and_excluded_words_are_never_fuzzy(caller: Caller) -> None:
    await caller.fill({"one": "the old harbour", "two": "the old lake"})
    assert await caller.matching('"old habrour"', fuzzy=True) == set()
    assert await caller.matching("old-habrour", fuzzy=True) == set()
    assert await caller.matching("old -habrour", fuzzy=True) == {"one", "two"}


@pytest.mark.parametrize(
    ("options", "written", "typed"),
    [
        ({"lowercase": False}, "Harbour harbour", "Habrour"),
        ({"language": "none"}, "harbours", "habrours"),
        ({"language": "french"}, "éléphants", "éléhpants"),
        ({"language": "russian"}, "гавань", "гвань"),
        ({"language": "greek"}, "λιμάνι", "λιμένι"),
    ],
)
async def test_words_of_any_index_are_corrected(
    caller: Caller, options: dict[str, object], written: str, typed: str
) -> None:
    await caller.create("made", tokenizer=options)
    await caller.fill({"one": written, "two": "日本語"}, index_name="made")
    assert await caller.matching(typed, index_name="made", fuzzy=True) == {"one"}
    assert await caller.matching("日", index_name="made", fuzzy=True) == {"two"}


async def test_later_pages_use_the_corrections_of_the_first(caller: Caller) -> None:
    await caller.fill({f"d{number}": "harbour" for number in range(6)})
    first = await caller.search("habrour", fuzzy=True, k=2)
    await caller.add("late", "habrour")
    second = await caller.search("habrour", fuzzy=True, k=10, cursor=first["next_cursor"])
    assert second["query_parsed"]["corrected"] == {"habrour": ["harbour"]}
    shown = [hit["doc_id"] for page in (first, second) for hit in page["results"]]
    assert sorted(shown) == [f"d{number}" for number in range(6)]
    assert {hit["matched"] for hit in second["results"]} == {"fuzzy"}


async def test_highlights_show_exact_matches_first(caller: Caller) -> None:
    filler = "words that say nothing at all about it " * 20
    await caller.add("one", f"harbour and nets. {filler} One boat here. {filler} harbour, nets.")
    [hit] = (await caller.search("habrour nest boat", fuzzy=True))["results"]
    assert "<mark>boat</mark>" in hit["highlights"][0]
    assert any("<mark>harbour</mark>" in shown for shown in hit["highlights"][1:])


async def test_fuzzy_matches_are_marked(caller: Caller) -> None:
    await caller.add("one", "the old harbour wall")
    [hit] = (await caller.search("habrour", fuzzy=True))["results"]
    assert hit["highlights"] == ["the old <mark>harbour</mark> wall"]


async def test_a_whole_corrected_query_is_offered_when_nothing_matches(caller: Caller) -> None:
    await caller.fill({"one": "Python for machine learning", "two": "a machine in the harbour"})
    assert (await caller.search("pyhton"))["did_you_mean"] == "python"
    assert (await caller.search('+Pyhton -harbour mach* "machine lerning"'))["did_you_mean"] == (
        '+python -harbour mach* "machine learning"'
    )
    assert (await caller.search("machine-lerning"))["did_you_mean"] == "machine-learning"


async def test_a_correction_takes_the_nearest_then_the_most_frequent_word(caller: Caller) -> None:
    await caller.fill({"a": "boat", "b": "goat", "c": "moats", "d": "goats", "e": "a goat"})
    assert (await caller.search("xoat"))["did_you_mean"] == "goat"
    assert (await caller.search("moast"))["did_you_mean"] == "moats"


async def test_no_correction_is_offered_where_it_would_not_help(caller: Caller) -> None:
    await caller.fill({"a": ("boat", {"x": 1}), "b": ("harbour", {"x": 2})})
    assert (await caller.search("boat"))["did_you_mean"] is None
    assert (await caller.search("+boat +harbour"))["did_you_mean"] is None
    assert (await caller.search("-baot"))["did_you_mean"] is None
    assert (await caller.search("elephant"))["did_you_mean"] is None
    assert (await caller.search("baot", filters={"x": 2}))["did_you_mean"] is None
    assert (await caller.search("baot", filters={"x": 1}))["did_you_mean"] == "boat"


async def test_no_correction_is_offered_where_enough_matched(caller: Caller) -> None:
    await caller.fill({f"d{n}": "boat harbour" for n in range(3)})
    assert (await caller.search("boat habrour"))["did_you_mean"] is None
