from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from indexer.cursors import Cursors, bind
from indexer.errors import ExpiredView, Invalid
from indexer.search.page_cursor import PageCursor
from indexer.shown import shown_digest
from indexer.tenancy import IndexName, TeamId

BOUND = bind(TeamId("red"), IndexName("notes"), {"query": "boat"})
CURSOR = PageCursor(
    total=42,
    generation=7,
    shown=frozenset({shown_digest(b"a"), shown_digest(b"b")}),
    view="v",
    position=[1.5, "x", None],
    best=0.25,
)


def test_a_cursor_comes_back_as_it_was() -> None:
    cursors = Cursors(b"key")
    assert cursors.read(cursors.write(CURSOR, BOUND), BOUND, PageCursor) == CURSOR


def test_a_long_cursor_is_compressed_and_comes_back() -> None:
    cursors = Cursors(b"key")
    long = PageCursor(total=1, generation=1, position=["document-number-1"] * 100)
    text = cursors.write(long, BOUND)
    assert len(text) < 300
    assert cursors.read(text, BOUND, PageCursor) == long


def test_the_cursor_after_ten_hits_with_long_ids_is_short_because_a_model_reads_it() -> None:
    shown = frozenset(shown_digest(b"documentation/core/number-%d.md" % n) for n in range(10))
    assert len(Cursors(b"key").write(PageCursor(1_234, 1, best=12.345678901, shown=shown), BOUND)) < 260


def test_any_changed_character_is_noticed() -> None:
    cursors = Cursors(b"key")
    text = cursors.write(CURSOR, BOUND)
    for place, character in enumerate(text):
        changed = text[:place] + ("A" if character != "A" else "B") + text[place + 1 :]
        with pytest.raises(Invalid, match="not valid"):
            cursors.read(changed, BOUND, PageCursor)


@pytest.mark.parametrize("extra", ["=", "A", "!", "\n", " ", "é", "%"])
def test_a_cursor_with_something_added_is_refused(extra: str) -> None:
    cursors = Cursors(b"key")
    text = cursors.write(CURSOR, BOUND)
    for changed in (text + extra, extra + text):
        with pytest.raises(Invalid, match="not valid"):
            cursors.read(changed, BOUND, PageCursor)


@settings(derandomize=True, deadline=None, database=None, max_examples=50)
@given(st.text(max_size=200))
def test_any_other_text_is_refused_with_what_to_do(text: str) -> None:
    with pytest.raises(Invalid, match="not valid") as caught:
        Cursors(b"key").read(text, BOUND, PageCursor)
    assert "Search again" in caught.value.action


def test_another_services_cursor_is_refused() -> None:
    with pytest.raises(Invalid, match="not valid"):
        Cursors(b"key").read(Cursors(b"other key").write(CURSOR, BOUND), BOUND, PageCursor)


def test_a_cursor_of_an_earlier_key_is_read_and_none_is_written() -> None:
    rotated = Cursors(b"new key", b"key")
    assert rotated.read(Cursors(b"key").write(CURSOR, BOUND), BOUND, PageCursor) == CURSOR
    with pytest.raises(Invalid, match="not valid"):
        Cursors(b"key").read(rotated.write(CURSOR, BOUND), BOUND, PageCursor)


@pytest.mark.parametrize(
    ("index", "search"),
    [
        ("papers", {"query": "boat"}),
        ("notes", {"query": "boats"}),
        ("notes", {"query": "boat", "filters": {"year": 2020}}),
    ],
)
def test_another_searchs_cursor_is_refused(index: str, search: dict[str, object]) -> None:
    cursors = Cursors(b"key")
    other = bind(TeamId("red"), IndexName(index), search)
    with pytest.raises(Invalid, match="another search") as caught:
        cursors.read(cursors.write(CURSOR, BOUND), other, PageCursor)
    assert "search again" in caught.value.action


def test_another_teams_cursor_is_refused_like_a_text_that_is_none() -> None:
    cursors = Cursors(b"key")
    theirs = bind(TeamId("blue"), IndexName("notes"), {"query": "boat"})
    failures = []
    for text in (cursors.write(CURSOR, BOUND), "nonsense"):
        with pytest.raises(Invalid, match="not valid") as caught:
            cursors.read(text, theirs, PageCursor)
        failures.append(caught.value.failure())
    assert failures[0] == failures[1]


def test_an_old_cursor_has_expired() -> None:
    now = 1_000_000.0
    cursors = Cursors(b"key", now=lambda: now)
    text = cursors.write(CURSOR, BOUND)
    now += 24 * 60 * 60 - 1
    assert cursors.read(text, BOUND, PageCursor) == CURSOR
    now += 10
    with pytest.raises(ExpiredView):
        cursors.read(text, BOUND, PageCursor)


def test_the_order_of_filters_does_not_matter() -> None:
    team, index = TeamId("red"), IndexName("notes")
    one = bind(team, index, {"filters": {"a": 1, "b": [2]}})
    assert one == bind(team, index, {"filters": {"b": [2], "a": 1}})
    assert one != bind(team, index, {"filters": {"a": "1", "b": [2]}})


@dataclass(frozen=True)
class Place:
    """The state of some other source."""

    at: int
    names: tuple[str, ...] = ()


def test_each_source_has_a_state_of_its_own_and_another_ones_is_refused() -> None:
    cursors = Cursors(b"key")
    text = cursors.write(Place(2**70, ("a", "b")), BOUND)
    assert cursors.read(text, BOUND, Place) == Place(2**70, ("a", "b"))
    with pytest.raises(Invalid, match="not valid"):
        cursors.read(text, BOUND, PageCursor)
