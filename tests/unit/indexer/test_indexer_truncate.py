import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from indexer.arguments import Detail
from indexer.local.results import SearchHit
from indexer.local.search import shorten_hit
from indexer.search.truncate import truncate_page
from indexer.text.truncate import SizeLimits, fits, json_size, shorten_highlight, shorten_value


def hit(doc_id: str, highlight: str = "", **metadata: object) -> SearchHit:
    highlights = [highlight] if highlight else []
    return SearchHit(doc_id=doc_id, title=doc_id, score=1.0, matched="exact", highlights=highlights, metadata=metadata)


def test_without_a_budget_nothing_is_touched() -> None:
    hits = [hit("a", text="x" * 5_000)]
    fitted = truncate_page(hits, None, shorten_hit)
    assert fitted.hits == hits
    assert not fitted.truncated


def test_what_fits_is_left_whole() -> None:
    hits = [hit("a", "<mark>boat</mark>", year=2020)]
    fitted = truncate_page(hits, len(json.dumps(hits)), shorten_hit)
    assert fitted.hits == hits
    assert not fitted.truncated


def test_long_strings_are_shortened_before_a_hit_is_dropped() -> None:
    hits = [hit(str(number), text="x" * 2_000) for number in range(5)]
    fitted = truncate_page(hits, 5_000, shorten_hit)
    assert [shown["doc_id"] for shown in fitted.hits] == ["0", "1", "2", "3", "4"]
    assert fitted.truncated
    assert all(shown["metadata"]["text"].endswith("x…") for shown in fitted.hits)


def test_then_hits_are_dropped_from_the_end() -> None:
    hits = [hit(str(number), text="x" * 150) for number in range(50)]
    fitted = truncate_page(hits, 2_000, shorten_hit)
    assert 5 < len(fitted.hits) < 50
    assert fitted.hits == hits[: len(fitted.hits)]
    assert fitted.truncated


def test_the_first_hit_always_stays_however_big() -> None:
    huge = hit("a", "<mark>" + "x" * 9_000 + "</mark>", **{f"field-{n}": list(range(1_000)) for n in range(500)})
    huge["explanation"] = "because " * 1_000
    fitted = truncate_page([huge, huge], 1_000, shorten_hit)
    assert len(fitted.hits) == 1
    assert fitted.hits[0]["doc_id"] == "a"
    assert len(json.dumps(fitted.hits)) <= 1_000


STEADY = settings(derandomize=True, deadline=None, database=None, max_examples=40)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=300),
    lambda inner: st.lists(inner, max_size=20) | st.dictionaries(st.text(max_size=20), inner, max_size=20),
    max_leaves=12,
)


@STEADY
@given(st.lists(st.dictionaries(st.text(max_size=20), JSON, max_size=10), max_size=20), st.integers(1_000, 5_000))
def test_the_json_never_exceeds_the_budget(metadata: list[dict[str, object]], budget: int) -> None:
    hits = [hit(f"d{number}", "a <mark>b</mark> &amp; " * 20, m=some) for number, some in enumerate(metadata)]
    fitted = truncate_page(hits, budget, shorten_hit)
    assert len(json.dumps(fitted.hits)) <= budget
    assert bool(fitted.hits) == bool(hits)
    assert [shown["doc_id"] for shown in fitted.hits] == [f"d{number}" for number in range(len(fitted.hits))]
    assert fitted.truncated == (fitted.hits != hits)


@STEADY
@given(st.integers(0, 60))
def test_a_cut_highlight_has_balanced_marks_and_whole_entities(length: int) -> None:
    cut = shorten_highlight("Tom &amp; <mark>Jerry</mark> &lt;b&gt; <mark>cats</mark> and &quot;mice&quot;", length)
    assert cut.count("<mark>") == cut.count("</mark>")
    assert re.fullmatch(r"(?:[^<>&]|</?mark>|&(?:amp|lt|gt|quot);)*", cut)
    assert len(re.sub(r"</?mark>|&\w+;", "x", cut.removesuffix("…"))) <= length + 2 * cut.count("<mark>")


def test_a_short_highlight_is_left_as_it_is() -> None:
    assert shorten_highlight("<mark>a</mark> &amp; b", 5) == "<mark>a</mark> &amp; b"


def test_a_cut_highlight_keeps_its_first_mark_with_the_words_around_it() -> None:
    cut = shorten_highlight("…" + "far away " * 12 + "a <mark>krill</mark> swarm " + "and more " * 12, 40)
    assert cut == "…far away a <mark>krill</mark> swarm and more and mor…"


def test_a_cut_highlight_is_one_line() -> None:
    assert shorten_highlight("one\n\n  <mark>two</mark>\nthree", 100) == "one <mark>two</mark> three"


LONG = hit("a", "one <mark>krill</mark>", note="x" * 500, tags=[str(number) for number in range(50)], year=2020)


def test_brief_keeps_one_highlight_and_all_keys_and_cuts_long_values() -> None:
    several = SearchHit(**{**LONG, "highlights": ["one <mark>krill</mark>", "two <mark>krill</mark>"]})
    page = truncate_page([several], None, shorten_hit, "brief")
    [short] = page.hits
    assert page.truncated
    assert short["highlights"] == ["one <mark>krill</mark>"]
    assert short["metadata"].keys() == several["metadata"].keys()
    assert short["metadata"]["note"].endswith("x…")
    assert short["metadata"]["year"] == 2020
    assert len(short["metadata"]["tags"]) == 10


def test_ids_keep_the_shape_with_id_title_and_score_alone() -> None:
    explained = SearchHit(**{**LONG, "title": "Krill", "explanation": "because"})
    page = truncate_page([explained], None, shorten_hit, "ids")
    assert page.truncated
    assert page.hits == [
        {"doc_id": "a", "title": "Krill", "score": 1.0, "matched": "exact", "highlights": [], "metadata": {}}
    ]


def test_a_short_hit_is_whole_at_brief() -> None:
    short = [hit("a", "one\n<mark>krill</mark>", year=2020)]
    assert not truncate_page(short, None, shorten_hit, "brief").truncated


@pytest.mark.parametrize("level", ["ids", "brief", "full"])
def test_a_level_of_detail_never_shows_more_to_fill_max_chars(level: Detail) -> None:
    hits = [hit(str(number), "a <mark>b</mark>", note="x" * 3_000) for number in range(40)]
    whole = truncate_page(hits, None, shorten_hit, level).hits
    page = truncate_page(hits, 3_000, shorten_hit, level)
    assert page.truncated
    assert json_size(page.hits) <= 3_000
    assert all(json_size(cut) <= json_size(kept) for cut, kept in zip(page.hits, whole, strict=False))


def test_shortening_reaches_into_lists_and_objects() -> None:
    short = shorten_value({"a": ["x" * 10, 1, None], "b": {"c": "y" * 10}, "d": 1}, SizeLimits(5, 2, 1))
    assert short == {"a": ["xxxx…", 1], "b": {"c": "yyyy…"}}


NUMBERS = st.floats(allow_nan=False, allow_infinity=False) | st.integers()
SCALARS = st.none() | st.booleans() | NUMBERS | st.text()
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(), inner, max_size=5), max_leaves=20
)


@given(VALUES, st.integers(-40, 40))
def test_the_quick_look_at_a_size_agrees_with_counting(value: object, beside: int) -> None:
    size = json_size(value)
    assert fits(value, size + beside) is (beside >= 0)
