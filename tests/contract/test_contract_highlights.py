import re

from tests.contract.caller import Caller


async def highlights(caller: Caller, query: str, **arguments: object) -> list[str]:
    [hit] = (await caller.search(query, **arguments))["results"]
    return hit["highlights"]


async def test_matched_words_are_marked_whatever_their_ending(caller: Caller) -> None:
    await caller.add("one", "Boats and a boat, boating")
    assert await highlights(caller, "boat") == ["<mark>Boats</mark> and a <mark>boat</mark>, <mark>boating</mark>"]


async def test_phrases_and_prefixes_are_marked(caller: Caller) -> None:
    await caller.add("one", "the machine learning machine")
    [marked] = await highlights(caller, '"machine learning"')
    assert marked.startswith("the <mark>machine learning</mark> ")
    assert await highlights(caller, "lear*") == ["the machine <mark>learning</mark> machine"]


async def test_neighbouring_matches_share_a_mark(caller: Caller) -> None:
    await caller.add("one", "Machine\nlearning, machine-learning.\n\nLearning")
    assert await highlights(caller, "machine learning") == [
        "<mark>Machine\nlearning</mark>, <mark>machine</mark>-<mark>learning</mark>.\n\n<mark>Learning</mark>"
    ]


async def test_everything_but_the_marks_is_escaped(caller: Caller) -> None:
    await caller.add("one", "<script>alert(\"boat\" & 'lake')</script> <mark>fake</mark>")
    [marked] = await highlights(caller, "boat")
    assert marked.count("<mark>") == 1
    assert "<mark>boat</mark>" in marked
    assert re.sub(r"</?mark>", "", marked).count("<") == 0
    assert "&lt;script&gt;" in marked
    assert "&amp;" in marked
    assert "&lt;mark&gt;fake" in marked


async def test_a_long_text_has_three_short_highlights_at_most(caller: Caller) -> None:
    await caller.add("one", ("some words of no interest " * 40 + "boat ") * 8)
    found = await highlights(caller, "boat")
    assert len(found) == 3
    assert all("<mark>boat</mark>" in marked for marked in found)
    assert all(len(marked) < 600 for marked in found)


async def test_a_match_far_into_a_long_text_is_shown(caller: Caller) -> None:
    await caller.add("one", "word " * 30_000 + "harbour " + "word " * 1_000)
    found = await highlights(caller, "harbour")
    assert any("<mark>harbour</mark>" in marked for marked in found)


async def test_a_document_without_a_marked_word_has_no_highlights(caller: Caller) -> None:
    await caller.add("one", "boat", {"x": 1})
    assert await highlights(caller, "*") == []
    assert await highlights(caller, "-harbour", filters={"x": 1}) == []


async def test_excluded_words_and_filters_are_not_marked(caller: Caller) -> None:
    await caller.fill({"one": ("boat on the lake", {"t": "lake"})})
    assert await highlights(caller, "boat -harbour", filters={"t": "lake"}) == ["<mark>boat</mark> on the lake"]


async def test_highlights_come_with_pages_by_field_too(caller: Caller) -> None:
    await caller.add("one", "a boat", {"n": 1})
    assert await highlights(caller, "boat", sort=["n"]) == ["a <mark>boat</mark>"]


async def test_each_character_of_a_script_without_spaces_can_be_marked(caller: Caller) -> None:
    await caller.add("one", "これは日本語です")
    [marked] = await highlights(caller, "日本")
    assert marked == "これは<mark>日本</mark>語です"
