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


async def test_exact_matches_rank_above_fuzzy_ones(caller: Caller) -> None:
    await caller.fill({"fuzzy": "harbors", "exact": "harbour " + "many other words here " * 5, "also": "harbour"})
    found = await caller.found("harbour", fuzzy=True)
    assert set(found[:2]) == {"exact", "also"}
    assert await caller.matching("harbor", fuzzy=True) >= {"exact", "also", "fuzzy"}


async def test_phrases_and_excluded_words_are_never_fuzzy(caller: Caller) -> None:
    await caller.fill({"one": "the old harbour", "two": "the old harbuor"})
    assert await caller.matching('"old harbour"', fuzzy=True) == {"one"}
    assert await caller.matching("old -harbour", fuzzy=True) == {"two"}
    assert await caller.matching("+harbour", fuzzy=True) == {"one", "two"}


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
    await caller.fill({"a": "boat", "b": "goat goat", "c": "moats"})
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
